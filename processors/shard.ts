// The state of one shard of a pair: what every step of the core reads and changes.
import type { PairContext } from '../schemas/decoder.ts';
import type { PairSettings } from '../schemas/pair.ts';
import { createSlotStore, type SlotStore } from '../stores/slot-store.ts';
import { SIDES } from '../schemas/change-event.ts';
import { createBlindSpots, type BlindSpots } from './blind-spots.ts';
import type { Comparator } from './comparator.ts';
import { createMissingRun, type MissingRun } from './coverage.ts';
import type { ElementHasher } from './digest.ts';
import type { Ghosts } from './ghosts.ts';
import type { History } from './history.ts';
import { createLastRows, type LastRows } from './last-rows.ts';
import type { ShardStores } from './key-value.ts';
import { beginsLate, type PartitionClaim } from './claims.ts';
import { createTallies, type Tallies } from './tally.ts';
import type { StreamGap } from './transaction-gaps.ts';
import { createTroubled, type Troubled } from './troubled.ts';

/** Origin paths that no two changes of a key share. */
const UNIQUE_ORIGINS: ReadonlySet<string> = new Set(['source.lsn', '@partition', '@offset', 'position']);

export interface Shard {
  readonly settings: PairSettings;
  readonly context: PairContext;
  /** The pair's topic-partitions; a slot's `partition` is an index here. */
  readonly partitions: readonly PartitionClaim[];
  readonly slots: SlotStore;
  readonly history: History;
  readonly stores: ShardStores;
  readonly ghosts: Ghosts;
  readonly comparator: Comparator;
  readonly hasher: ElementHasher;
  readonly maskKey: Buffer;
  readonly tallies: Tallies;
  /** Windows that a record of unknown content makes undecidable (ruling 23). */
  readonly undecidable: Set<number>;
  /** Truncates not expanded yet. */
  readonly truncates: number[];
  /** The keys that ever had a finding. */
  readonly troubled: Troubled;
  /** Whether an origin names one change of a key: a position does, a transaction's id or a version may name several. */
  readonly originsAreUnique: boolean;
  /** The engine itself carries the origin on the target (`source.gtid`), so a delete has its own (semantics.md §5). */
  readonly originsNameDeletes: boolean;
  /** Windows of live slots in which a source change is missing. */
  readonly lossyWindows: Set<number>;
  /** Columns already reported as missing on a side without a declaration. */
  readonly schemaNotes: Set<string>;
  /** End of the last closed window, microseconds. */
  closedUpToUs: number;
  /**
   * Where some partition does not begin with its log: windows that begin before this are warm-up (semantics.md §11). What happened before the
   * start may explain what is seen in them, so nothing is found there, and a key that was not seen is unknown rather than absent.
   */
  warmUpUntilUs: number;
  openDivergences: number;
  /** Source changes missing without a break, up to the closed frontier. */
  readonly missingRun: MissingRun;
  /** Per side: what was in the log and could not be looked at. */
  readonly blindSpots: readonly BlindSpots[];
  /** Holes in a side's stream that are told when their window closes: those of the windows about to close. */
  readonly streamGaps: Map<number, StreamGap[]>;
  /** Per side: the last row of keys that have no live slot. */
  readonly lastRows: readonly LastRows[];
  /** The target does not log an update that changes nothing: as declared, else as its connector's engine does. */
  targetElides: boolean;
  /** Numbers of keys whose live events have not come in order. */
  readonly disordered: Set<number>;
  closings: number;
  nextKeyId: number;
  /** Who wants to know what was matched to what (`paritas explain`); undefined otherwise. */
  observer: MatchObserver | undefined;
}

/** Told of matches as they are made, by slot: the slots are valid during the call. */
export interface MatchObserver {
  paired(source: number, target: number): void;
  /** A change that the target's engine does not log. */
  elided(source: number): void;
}

export function createShard(parts: Pick<Shard, 'settings' | 'context' | 'partitions' | 'history' | 'stores' | 'ghosts' | 'comparator' | 'hasher'>): Shard {
  const { columns } = parts.settings;
  const slots = createSlotStore();
  return {
    ...parts,
    slots,
    maskKey: columns.mask.length > 0 ? Buffer.from(columns.maskKey, 'hex') : Buffer.alloc(0),
    tallies: createTallies(),
    undecidable: new Set(),
    truncates: [],
    originsAreUnique: parts.settings.match.by === 'origin' && parts.settings.match.source.every(path => UNIQUE_ORIGINS.has(path)),
    originsNameDeletes: parts.settings.match.by === 'origin' && parts.settings.match.target.every(path => path.startsWith('source.')),
    troubled: createTroubled(parts.stores.findings, slots),
    lossyWindows: new Set(),
    schemaNotes: new Set(),
    closedUpToUs: -Infinity,
    warmUpUntilUs: -Infinity,
    openDivergences: 0,
    missingRun: createMissingRun(),
    blindSpots: SIDES.map(createBlindSpots),
    streamGaps: new Map(),
    lastRows: [createLastRows(parts.settings.source.replicaIdentity), createLastRows(parts.settings.target.replicaIdentity)],
    targetElides: parts.settings.target.noopUpdates === 'elided',
    disordered: new Set(),
    closings: 1,
    nextKeyId: 0,
    observer: undefined,
  };
}

/** Some log was not read from its beginning: what was before it is not known. */
export function isMidStream(shard: Shard): boolean {
  return shard.partitions.some(beginsLate);
}

export function windowOf(shard: Shard, timeUs: number): number {
  return Math.floor(timeUs / shard.settings.window.sizeUs);
}

/** The window whose tallies an event counts in: its own while that is open, else the oldest open one. */
export function tallyWindow(shard: Shard, timeUs: number): number {
  return windowOf(shard, timeUs < shard.closedUpToUs ? shard.closedUpToUs : timeUs);
}
