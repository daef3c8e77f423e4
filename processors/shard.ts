// The state of one shard of a pair, and how an event enters it. Entering only copies: whether it was applied, missing, out of order is
// decided when its window closes (closing.ts), so no verdict depends on the order of arrival.
import { OP, POSITION_BYTES, SOURCE, type ChangeEvent } from '../schemas/change-event.ts';
import type { PairContext } from '../schemas/decoder.ts';
import type { PairSettings } from '../schemas/pair.ts';
import { FLAG, SLOT, createSlotStore, type SlotStore } from '../stores/slot-store.ts';
import type { Comparator } from './comparator.ts';
import type { ElementHasher } from './digest.ts';
import { hashBytes, IDENTITY_BYTES, mix, writeIdentity } from './hash.ts';
import type { Ghosts } from './ghosts.ts';
import type { History } from './history.ts';
import type { ShardStores } from './key-value.ts';
import type { PartitionClaim } from './claims.ts';
import { COUNT, createTallies, type Tallies } from './tally.ts';

const WORDS = POSITION_BYTES / 4;
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
  /** Hashes of the keys that ever had a finding, or are known not to have begun with an absent row. */
  readonly troubled: Set<number>;
  isTroubled(keyHash: number): boolean;
  /** Whether an origin names one change of a key: a position does, a transaction's id or a version may name several. */
  readonly originsAreUnique: boolean;
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
  /** Numbers of keys whose live events have not come in order. */
  readonly disordered: Set<number>;
  closings: number;
  nextKeyId: number;
}

/** A link whose other slot is gone: applied, but by a change too old to be looked at. */
export const LINK_GONE = -2;

export type Entered = 'taken' | 'redelivered' | 'late' | 'excluded';

export function createShard(parts: Pick<Shard, 'settings' | 'context' | 'partitions' | 'history' | 'stores' | 'ghosts' | 'comparator' | 'hasher'>): Shard {
  const { columns } = parts.settings;
  const troubled = new Set<number>();
  for (const [key] of parts.stores.findings.range(Buffer.alloc(0), Buffer.alloc(512, 0xff))) troubled.add(hashBytes(key, 0, key.length, 0));
  return {
    ...parts,
    slots: createSlotStore(),
    maskKey: columns.mask.length > 0 ? Buffer.from(columns.maskKey, 'hex') : Buffer.alloc(0),
    tallies: createTallies(),
    undecidable: new Set(),
    truncates: [],
    originsAreUnique: parts.settings.match.by === 'origin' && parts.settings.match.source.every(path => UNIQUE_ORIGINS.has(path)),
    troubled,
    isTroubled: keyHash => troubled.has(keyHash),
    schemaNotes: new Set(),
    closedUpToUs: -Infinity,
    warmUpUntilUs: -Infinity,
    openDivergences: 0,
    disordered: new Set(),
    closings: 0,
    nextKeyId: 0,
  };
}

export function windowOf(shard: Shard, timeUs: number): number {
  return Math.floor(timeUs / shard.settings.window.sizeUs);
}

/** The window whose tallies an event counts in: its own while that is open, else the oldest open one. */
export function tallyWindow(shard: Shard, timeUs: number): number {
  return windowOf(shard, timeUs < shard.closedUpToUs ? shard.closedUpToUs : timeUs);
}

/** Takes one change (kind `change`, with a commit time) into the shard. The event's bytes are copied. */
export function enter(shard: Shard, side: number, partition: number, offset: number, event: ChangeEvent, counted = true): Entered {
  if (event.op === OP.read && !event.positioned) return count(shard, event.commitTimeUs, COUNT.excluded, 'excluded');
  loadPosition(event);
  const keyHash = hashBytes(event.bytes, 0, event.keyLength, 0);
  const idHash = identityHash(event, side, keyHash);
  const known = findIdentity(shard, side, event, keyHash, idHash);
  if (known >= 0) addAlias(shard, known, event, keyHash);
  if (event.commitTimeUs < shard.closedUpToUs) return enterClosed(shard, side, event, counted);
  if (known >= 0) {
    return count(shard, event.commitTimeUs, COUNT.redelivered, 'redelivered', counted);
  }
  fill(shard, side, partition, offset, event, keyHash, idHash);
  if (event.op === OP.read) shard.tallies.add(windowOf(shard, event.commitTimeUs), COUNT.excluded, 1);
  return 'taken';
}

/** Below the closed frontier a record is a redelivery if its identity is remembered, else late (ruling 22). */
function enterClosed(shard: Shard, side: number, event: ChangeEvent, counted: boolean): Entered {
  const window = windowOf(shard, event.commitTimeUs);
  writeIdentity(words, 0, WORDS, event.bytes, 0, event.keyLength, tieOf(event.totalOrder, event.op), identity, 0);
  if (shard.history.seen(side, window, identity)) return count(shard, event.commitTimeUs, COUNT.redelivered, 'redelivered', counted);
  shard.history.addLate(side, window, Buffer.from(identity));
  return count(shard, event.commitTimeUs, COUNT.late, 'late', counted);
}

function count(shard: Shard, timeUs: number, name: number, outcome: Entered, counted = true): Entered {
  if (counted) shard.tallies.add(tallyWindow(shard, timeUs), name, 1);
  return outcome;
}

/** Position of the event being entered, as words. */
const words = new Uint32Array(WORDS);
const identity = Buffer.alloc(IDENTITY_BYTES);

function loadPosition(event: ChangeEvent): void {
  const { position } = event;
  for (let i = 0, j = 0; i < WORDS; i++, j += 4) {
    words[i] = (position[j] << 24) | (position[j + 1] << 16) | (position[j + 2] << 8) | position[j + 3];
  }
}

/**
 * What tells two records of one position and key apart: their order in the transaction and the operation. A key change under a rule that
 * takes both keys for one is a delete and a create at one position; a snapshot row may share it with a change of the stream.
 */
export function tieOf(totalOrder: number, op: number): number {
  return (totalOrder << 3) | op;
}

function identityHash(event: ChangeEvent, side: number, keyHash: number): number {
  let h = mix(keyHash, tieOf(event.totalOrder, event.op) * 2 + side);
  for (let i = 0; i < WORDS; i++) if (words[i] !== 0) h = mix(h + i, words[i]);
  return h;
}

function findIdentity(shard: Shard, side: number, event: ChangeEvent, keyHash: number, idHash: number): number {
  const { slots } = shard;
  for (let slot = slots.firstById(idHash); slot >= 0; slot = slots.nextId[slot]) {
    if (slots.idHash[slot] !== idHash || slots.side[slot] !== side || slots.keyHash[slot] !== keyHash) continue;
    if (slots.totalOrder[slot] !== event.totalOrder || slots.op[slot] !== event.op) continue;
    if (samePosition(slots, slot) && sameKey(slots, slot, event.bytes, 0, event.keyLength)) return slot;
  }
  return -1;
}

function samePosition(slots: SlotStore, slot: number): boolean {
  for (let i = 0, at = slot * WORDS; i < WORDS; i++) if (slots.position[at + i] !== words[i]) return false;
  return true;
}

export function sameKey(slots: SlotStore, slot: number, bytes: Buffer, start: number, length: number): boolean {
  if (slots.keyLength[slot] !== length) return false;
  const page = slots.heads.pages[slots.headPage[slot]];
  for (let i = 0, at = slots.headAt[slot]; i < length; i++) if (page[at + i] !== bytes[start + i]) return false;
  return true;
}

function fill(shard: Shard, side: number, partition: number, offset: number, event: ChangeEvent, keyHash: number, idHash: number): number {
  const { slots } = shard;
  const slot = slots.take(windowOf(shard, event.commitTimeUs));
  slots.side[slot] = side;
  slots.kind[slot] = event.op === OP.truncate ? SLOT.truncate : event.op === OP.read ? SLOT.read : SLOT.change;
  slots.op[slot] = event.op;
  slots.time[slot] = event.commitTimeUs;
  slots.offset[slot] = offset;
  slots.partition[slot] = partition;
  for (let i = 0, at = slot * WORDS; i < WORDS; i++) slots.position[at + i] = words[i];
  slots.totalOrder[slot] = event.totalOrder;
  slots.keyHash[slot] = keyHash;
  slots.idHash[slot] = idHash;
  copyHead(slots, slot, event);
  copyImage(slots, slot, event);
  slots.linkId(slot);
  if (slots.kind[slot] === SLOT.truncate) {
    shard.truncates.push(slot);
    return slot;
  }
  slots.originHash[slot] = originHash(event.bytes, event.keyLength, event.originLength, keyHash);
  if (side === SOURCE && event.originLength > 0) slots.linkOrigin(slot);
  joinKey(shard, slot);
  return slot;
}

/** Links the slot to the others of its key, whose number it takes over; the first of a key gets a new one. */
export function joinKey(shard: Shard, slot: number): void {
  const { slots } = shard;
  const hash = slots.keyHash[slot];
  const page = slots.heads.pages[slots.headPage[slot]];
  let other = slots.firstByKey(hash);
  while (other >= 0 && !(slots.keyHash[other] === hash && sameKey(slots, other, page, slots.headAt[slot], slots.keyLength[slot]))) other = slots.nextKey[other];
  slots.keyId[slot] = other >= 0 ? slots.keyId[other] : shard.nextKeyId++;
  noteOrder(shard, slot, other);
  slots.linkKey(slot);
}

/** Remembers that a key's events of one side have not come in the order of their positions: then they are sorted when it is judged. */
function noteOrder(shard: Shard, slot: number, newest: number): void {
  const { keyId, side, nextKey } = shard.slots;
  let before = newest;
  while (before >= 0 && !(keyId[before] === keyId[slot] && side[before] === side[slot])) before = nextKey[before];
  if (before >= 0 && shard.slots.comparePositions(slot, before) < 0) shard.disordered.add(keyId[slot]);
}

function copyHead(slots: SlotStore, slot: number, event: ChangeEvent): void {
  slots.heads.put(event.bytes, 0, event.keyLength + event.originLength + event.transactionLength + event.traceLength);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  slots.keyLength[slot] = event.keyLength;
  slots.originLength[slot] = event.originLength;
  slots.transactionLength[slot] = event.transactionLength;
  slots.traceLength[slot] = event.traceLength;
}

function copyImage(slots: SlotStore, slot: number, event: ChangeEvent): void {
  if (event.layout === undefined) return;
  const start = event.keyLength + event.originLength + event.transactionLength + event.traceLength;
  slots.images.put(event.bytes, start, event.imageLength);
  slots.imagePage[slot] = slots.images.page;
  slots.imageAt[slot] = slots.images.at;
  slots.imageLength[slot] = event.imageLength;
  slots.layout[slot] = event.layout.id;
}

export function originHash(bytes: Buffer, start: number, length: number, keyHash: number): number {
  return mix(hashBytes(bytes, start, start + length, 1), keyHash);
}

/** A source change that its connector sent again may be known under a second origin: log coordinates differ, the change does not. */
function addAlias(shard: Shard, known: number, event: ChangeEvent, keyHash: number): void {
  const { slots } = shard;
  if (slots.side[known] !== SOURCE || event.originLength === 0 || sameOrigin(slots, known, event.bytes, event.keyLength, event.originLength)) return;
  const slot = slots.take(windowOf(shard, slots.time[known]));
  slots.side[slot] = SOURCE;
  slots.kind[slot] = SLOT.alias;
  slots.flags[slot] = FLAG.consumed;
  slots.time[slot] = slots.time[known];
  slots.keyHash[slot] = keyHash;
  slots.keyId[slot] = slots.keyId[known];
  copyHead(slots, slot, event);
  slots.originHash[slot] = originHash(event.bytes, event.keyLength, event.originLength, keyHash);
  slots.link[slot] = known;
  slots.linkOrigin(slot);
}

export function sameOrigin(slots: SlotStore, slot: number, bytes: Buffer, start: number, length: number): boolean {
  if (slots.originLength[slot] !== length) return false;
  const page = slots.heads.pages[slots.headPage[slot]];
  for (let i = 0, at = slots.headAt[slot] + slots.keyLength[slot]; i < length; i++) if (page[at + i] !== bytes[start + i]) return false;
  return true;
}
