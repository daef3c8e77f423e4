// What a shard keeps beside its slots and stores, as one small record per commit: JSON, because it is written once per commit and read once
// per start. What can be found again from the slots is found again, so nothing can stand in two places and differ.
import { ParitasError } from '../schemas/errors.ts';
import { COUNT_NAMES } from '../schemas/records.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import type { BlindSpots } from './blind-spots.ts';
import { noteOrder } from './enter.ts';
import type { FindingSide } from './finding.ts';
import type { Shard } from './shard.ts';
import { COUNT, createTally, type Tally } from './tally.ts';

export const SHARD_FORMAT = 2;

/** Fields of a shard that are durable here, those that are durable elsewhere, and those that are made anew or found again. */
export const SHARD_FIELDS: Readonly<Record<keyof Shard, 'here' | 'store' | 'made' | 'found'>> = {
  settings: 'made', context: 'made', comparator: 'made', hasher: 'made', maskKey: 'made', originsAreUnique: 'made', originsNameDeletes: 'made', observer: 'made',
  slots: 'store', history: 'store', stores: 'store', ghosts: 'store', partitions: 'store',
  // From the findings; from the slots; from the greatest key number among the slots. A closing's number only tells it from others of its process.
  troubled: 'found', truncates: 'found', disordered: 'found', lossyWindows: 'found', nextKeyId: 'found', closings: 'made',
  tallies: 'here', undecidable: 'here', schemaNotes: 'here', closedUpToUs: 'here', warmUpUntilUs: 'here', openDivergences: 'here', targetElides: 'here',
  // Of the last rows, whether they are wanted is here.
  missingRun: 'here', blindSpots: 'here', lastRows: 'store',
  // Told and taken within one decision (transaction-counts.ts).
  streamGaps: 'made',
};

/** Numbers as text: JSON has neither NaN nor infinities. */
interface ShardRecord {
  readonly format: number;
  readonly closedUpToUs: string;
  readonly warmUpUntilUs: string;
  readonly openDivergences: number;
  readonly targetElides: boolean;
  readonly undecidable: readonly number[];
  readonly schemaNotes: readonly string[];
  readonly missingRun: { readonly length: number; readonly key: string; readonly first?: FindingSide };
  /** By side. */
  readonly blindSpots: readonly BlindRecord[];
  readonly rowsWanted: readonly boolean[];
  readonly total: Counted;
  readonly open: readonly (readonly [window: number, counts: Counted])[];
}

/** Places; keys and positions of late records in base64. */
interface BlindRecord {
  readonly untilUs: string;
  readonly unread: readonly (readonly [partition: number, offset: number, timeUs: string])[];
  readonly late: readonly (readonly [key: string, timeUs: number, position: readonly number[]])[];
}

/** Counts other than zero, by name: a version that counts more reads what one that counted less has written. */
type Counted = Readonly<Record<string, number>>;

export function packShard(shard: Shard): Buffer {
  const { tallies } = shard;
  const record: ShardRecord = {
    format: SHARD_FORMAT,
    closedUpToUs: String(shard.closedUpToUs), warmUpUntilUs: String(shard.warmUpUntilUs),
    openDivergences: shard.openDivergences, targetElides: shard.targetElides,
    undecidable: [...shard.undecidable], schemaNotes: [...shard.schemaNotes],
    missingRun: { length: shard.missingRun.length, key: shard.missingRun.key.toString('base64'), ...(shard.missingRun.first === undefined ? {} : { first: shard.missingRun.first }) },
    blindSpots: shard.blindSpots.map(packSpots), rowsWanted: shard.lastRows.map(rows => rows.wanted),
    total: counted(tallies.total), open: [...tallies.open].map(([window, tally]) => [window, counted(tally)]),
  };
  return Buffer.from(JSON.stringify(record));
}

/** `shard`: new, over the restored stores and with its slots restored. Throws ParitasError `state`. */
export function restoreShard(shard: Shard, bytes: Buffer): void {
  const record = parse(bytes);
  shard.closedUpToUs = Number(record.closedUpToUs);
  shard.warmUpUntilUs = Number(record.warmUpUntilUs);
  shard.openDivergences = record.openDivergences;
  shard.targetElides = record.targetElides;
  for (const window of record.undecidable) shard.undecidable.add(window);
  for (const note of record.schemaNotes) shard.schemaNotes.add(note);
  Object.assign(shard.missingRun, { length: record.missingRun.length, key: Buffer.from(record.missingRun.key, 'base64'), first: record.missingRun.first });
  record.blindSpots.forEach((spots, side) => { restoreSpots(shard.blindSpots[side], spots); });
  record.rowsWanted.forEach((wanted, side) => { shard.lastRows[side].wanted = wanted; });
  shard.tallies.total.set(tallyOf(record.total));
  for (const [window, counts] of record.open) shard.tallies.open.set(window, tallyOf(counts));
  findAgain(shard);
}

function packSpots({ untilUs, unread, late }: BlindSpots): BlindRecord {
  return {
    untilUs: String(untilUs),
    unread: unread.map(({ partition, offset, timeUs }) => [partition, offset, String(timeUs)] as const),
    late: late.map(({ key, timeUs, position }) => [Buffer.from(key, 'latin1').toString('base64'), timeUs, [...position]] as const),
  };
}

function restoreSpots(spots: BlindSpots, { untilUs, unread, late }: BlindRecord): void {
  spots.untilUs = Number(untilUs);
  spots.unread.push(...unread.map(([partition, offset, timeUs]) => ({ partition, offset, timeUs: Number(timeUs) })));
  spots.late.push(...late.map(([key, timeUs, position]) => ({ key: Buffer.from(key, 'base64').toString('latin1'), timeUs, position: Uint32Array.from(position) })));
}

function parse(bytes: Buffer): ShardRecord {
  const record = JSON.parse(bytes.toString('utf8')) as ShardRecord;
  if (record.format === SHARD_FORMAT) return record;
  throw new ParitasError('state', `the state of a shard is of format ${record.format}, and this version reads format ${SHARD_FORMAT}: start the version `
    + 'that wrote it, or drop the state and its changelog and read the logs again');
}

function counted(tally: Tally): Counted {
  return Object.fromEntries(COUNT_NAMES.map((name, i) => [name, tally[i]] as const).filter(([, count]) => count !== 0));
}

function tallyOf(counts: Counted): Tally {
  const tally = createTally();
  for (const [name, count] of Object.entries(counts)) {
    const at = (COUNT as Readonly<Record<string, number>>)[name];
    if (at === undefined) throw new ParitasError('state', `the state of a shard counts "${name}", which this version does not know: it was written by a later one; start that`);
    tally[at] = count;
  }
  return tally;
}

/** What the slots tell: truncates not expanded yet, keys whose events are not in order, windows with a missing change, the greatest number of a key. */
function findAgain(shard: Shard): void {
  const { slots } = shard;
  for (const window of slots.windows()) {
    for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) {
      if (slots.kind[slot] === SLOT.truncate && (slots.flags[slot] & FLAG.consumed) === 0) shard.truncates.push(slot);
      if (slots.kind[slot] === SLOT.change || slots.kind[slot] === SLOT.read) noteOrder(shard, slot, slots.nextKey[slot]);
      if ((slots.flags[slot] & FLAG.missing) !== 0) shard.lossyWindows.add(window);
      if (slots.keyId[slot] >= shard.nextKeyId) shard.nextKeyId = slots.keyId[slot] + 1;
    }
  }
  const { serial } = slots.changes;
  shard.truncates.sort((a, b) => serial[a] - serial[b]);
}
