// A simulated shop: a source table's changes and how a target applies them, with faults put in on purpose. The same seed gives the same history.
//
// Source: 1,000 changes per second of event time in transactions of one to four rows; keys skewed like a shop's; 1 % of the transactions have a
// commit time up to 50 ms behind the log's order. Target: each change 5 to 500 ms later, per key in order, one row a transaction, with the
// source's lsn in `origin_lsn`. The target is a real table: its before images are what the table held, also after a fault.
import { Heap } from './heap.ts';
import { change, envelope, image } from './shop-rows.ts';
import type { Op, Random, ShopRow } from './shop-rows.ts';

export const FAULT_CLASSES = ['missing', 'mismatch', 'duplicate', 'reordered', 'unexpected'] as const;
export type FaultClass = (typeof FAULT_CLASSES)[number];

export interface HistoryOptions {
  readonly events: number;
  readonly keys: number;
  readonly seed: number;
  /** One fault every so many events, the classes in turn; 0: none. */
  readonly faultsEvery: number;
  /** Least and greatest lag of the target. */
  readonly lagMs: readonly [number, number];
  /** Whether the target's log itself says what each of its changes applies (`source.origin_lsn`), also of a delete, which leaves no row to say it. */
  readonly logOrigins?: boolean;
}

/** A record of either side before it is placed in a partition. */
export interface HistoryRecord { readonly key: number; readonly commitTimeUs: number; readonly lsn: number; readonly value: string }

export interface Fault {
  class: FaultClass;
  key: number;
  /** The source change concerned; null for `unexpected`. Of a reordered pair it is the earlier one, which was applied later. */
  sourceLsn: number | null;
  /** The target change concerned: null for `missing`. */
  targetLsn: number | null;
  /** Start of the window that reports it, for windows of one second: milliseconds since the epoch. */
  windowMs: number;
}

/** Plays the history, source and target records each in the order of their logs. Returns the faults. */
export function playHistory(options: HistoryOptions, source: (record: HistoryRecord) => void, target: (record: HistoryRecord) => void): Fault[] {
  const steps = historyInSteps(options, source, target);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same, with a stop after each change of the source, for who cannot take everything at once. */
export function* historyInSteps(options: HistoryOptions, source: (record: HistoryRecord) => void, target: (record: HistoryRecord) => void): Generator<undefined, Fault[]> {
  const world = newWorld(options, target);
  const { random } = world;
  let commit = { left: 0, timeUs: START_US, lsn: FIRST_LSN, previousLsn: FIRST_LSN - 4096, id: 500_000 };
  let lsn = FIRST_LSN;
  for (let i = 0; i < options.events; i++) {
    const clockUs = START_US + i * 1000;
    if (commit.left === 0) commit = nextCommit(world, clockUs, i, commit, lsn);
    commit.left--;
    lsn += 64 + 8 * random(40);
    const id = pickKey(world);
    const row = world.rows[id] ??= newRow();
    const op = !row.alive ? 'c' : !row.mustUpdate && random(25) === 0 ? 'd' : 'u';
    const before = row.alive ? image(id, row) : undefined;
    change(row, op, commit.timeUs, random);
    row.mustUpdate = false;
    const after = op === 'd' ? undefined : image(id, row);
    source({ key: id, commitTimeUs: commit.timeUs, lsn, value: envelope('source', op, before, after, commit.timeUs, commit.previousLsn, lsn, commit.id) });
    if (options.faultsEvery > 0 && i % options.faultsEvery === options.faultsEvery >> 1) world.owed.push(FAULT_CLASSES[world.turn++ % FAULT_CLASSES.length]);
    replicate(world, { atUs: 0, order: i * 2, id, op, after, origin: String(lsn), sourceTimeUs: commit.timeUs, sourceLsn: lsn, fault: undefined, plain: true, moved: false }, row);
    drain(world, clockUs - 60_000);
    yield;
  }
  drain(world, Infinity);
  return world.faults;
}

/** 2026-01-01T00:00:00Z */
export const START_US = 1_767_225_600_000_000;
const FIRST_LSN = 24_000_000_000;
interface Commit { left: number; timeUs: number; lsn: number; previousLsn: number; id: number }

/** A change on its way to the target. */
interface Apply {
  atUs: number;
  order: number;
  id: number;
  op: Op;
  after: string | undefined;
  origin: string;
  sourceTimeUs: number;
  sourceLsn: number;
  fault: Fault | undefined;
  /** No fault concerns it, so it may still become part of one. */
  plain: boolean;
  /** It was taken out of the queue and put in again at another time. */
  moved: boolean;
}

interface Row extends ShopRow {
  /** After an out-of-band write the next change is an update: a delete could not be attributed by its before image. */
  mustUpdate: boolean;
  lastAppliedUs: number;
  faultFreeFromUs: number;
  last: Apply | undefined;
  /** What the target's table holds: the image without its closing brace, and its origin. */
  held: string | undefined;
}

interface World {
  readonly options: HistoryOptions;
  readonly random: Random;
  readonly cumulated: Float64Array;
  readonly rows: Row[];
  readonly queue: Heap<Apply>;
  readonly faults: Fault[];
  readonly owed: FaultClass[];
  readonly target: (record: HistoryRecord) => void;
  turn: number;
  targetLsn: number;
  targetCommitLsn: number;
  targetTransaction: number;
}

function newWorld(options: HistoryOptions, target: (record: HistoryRecord) => void): World {
  const cumulated = new Float64Array(options.keys);
  let sum = 0;
  for (let rank = 0; rank < options.keys; rank++) cumulated[rank] = sum += 1 / (rank + 1);
  return {
    options, random: randomOf(options.seed), cumulated, rows: [], queue: new Heap((a, b) => a.atUs - b.atUs || a.order - b.order), faults: [], owed: [],
    target, turn: 0, targetLsn: 7_500_000_000, targetCommitLsn: 7_499_999_000, targetTransaction: 910_000,
  };
}

/** mulberry32: 32 bits of state are plenty for test data. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296 * bound);
  };
}

function nextCommit(world: World, clockUs: number, event: number, previous: Commit, lsn: number): Commit {
  const { random } = world;
  const late = event > 1000 && random(100) === 0 ? random(50_000) : 0;
  return { left: 1 + Math.min(random(4), random(4)), timeUs: clockUs + random(800) - late, lsn: lsn + 48, previousLsn: previous.lsn, id: previous.id + 1 };
}

/** Zipf by rank; neighbouring ranks are keys far apart. */
function pickKey(world: World): number {
  const { cumulated, random, options } = world;
  const drawn = random(2 ** 32) / 2 ** 32 * cumulated[options.keys - 1];
  let low = 0;
  for (let high = options.keys - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (cumulated[middle] < drawn) low = middle + 1;
    else high = middle;
  }
  return 1 + (low * 7919) % options.keys;
}

function newRow(): Row {
  return {
    alive: false, mustUpdate: false, customer: 0, status: 0, cents: 0, currency: 0, quantity: 0, sku: 0, note: 0, createdUs: 0, updatedUs: 0, lastAppliedUs: 0,
    faultFreeFromUs: 0, last: undefined, held: undefined,
  };
}

/** Sends a change on its way to the target, as it is or as part of a fault. */
function replicate(world: World, apply: Apply, row: Row): void {
  const { random, options, queue } = world;
  const leastUs = options.lagMs[0] * 1000;
  const spreadUs = (options.lagMs[1] - options.lagMs[0]) * 1000;
  const lagUs = leastUs + Math.floor(Math.min(spreadUs * 0.88, -Math.log(1 - random(1e6) / 1e6) * spreadUs * 0.12));
  apply.atUs = Math.max(apply.sourceTimeUs + lagUs, row.lastAppliedUs + 1);
  row.lastAppliedUs = apply.atUs;
  const quiet = apply.sourceTimeUs >= row.faultFreeFromUs;
  const owed = quiet && world.owed.length > 0 ? FAULTS[world.owed[0]](world, apply, row) : undefined;
  if (owed !== undefined) {
    world.owed.shift();
    world.faults.push(owed);
    row.faultFreeFromUs = apply.sourceTimeUs + 5_000_000;
  }
  apply.plain = quiet && owed === undefined;
  row.last = apply;
  if (owed?.class !== 'missing') queue.push(apply);
}

/** Each puts its fault in and returns it, or undefined where this change does not lend itself to it. */
const FAULTS: Readonly<Record<FaultClass, (world: World, apply: Apply, row: Row) => Fault | undefined>> = {
  // A lost create would make the next delete find no row: a second fault.
  missing: (_, apply) => (apply.op === 'c' ? undefined : faultOf('missing', apply)),
  mismatch(_, apply) {
    if (apply.after === undefined) return undefined;
    apply.after = apply.after.replace(',"quantity":', ',"quantity":1');
    return apply.fault = faultOf('mismatch', apply);
  },
  // A delete repeated finds no row and is not logged.
  duplicate(world, apply, row) {
    if (apply.after === undefined) return undefined;
    const fault = faultOf('duplicate', apply);
    row.lastAppliedUs += 20_000 + world.random(80_000);
    world.queue.push({ ...apply, atUs: row.lastAppliedUs, order: apply.order + 1, plain: false, fault });
    return fault;
  },
  reordered(world, apply, row) {
    const { last } = row;
    const fits = last !== undefined && last.plain && last.op !== 'd' && apply.op !== 'd' && last.sourceTimeUs <= apply.sourceTimeUs
      && last.atUs > apply.sourceTimeUs + 70_000 && apply.atUs + 4000 - last.sourceTimeUs < world.options.lagMs[1] * 1000;
    if (!fits) return undefined;
    last.moved = true;
    const fault = faultOf('reordered', last);
    row.lastAppliedUs = apply.atUs + 1000 + world.random(3000);
    world.queue.push({ ...last, moved: false, atUs: row.lastAppliedUs, plain: false, fault });
    return fault;
  },
  unexpected(world, apply, row) {
    if (apply.after === undefined) return undefined;
    row.lastAppliedUs += 10_000;
    row.mustUpdate = true;
    const fault: Fault = { class: 'unexpected', key: apply.id, sourceLsn: null, targetLsn: null, windowMs: windowOf(row.lastAppliedUs) };
    const after = apply.after.replace(',"quantity":', ',"quantity":2');
    // Positions are multiples of eight: three more is nobody's.
    const origin = world.turn % 2 === 0 ? String(apply.sourceLsn + 3) : 'null';
    world.queue.push({ ...apply, op: 'u', after, origin, atUs: row.lastAppliedUs, order: apply.order + 1, plain: false, fault });
    return fault;
  },
};

function faultOf(kind: FaultClass, apply: Apply): Fault {
  return { class: kind, key: apply.id, sourceLsn: apply.sourceLsn, targetLsn: null, windowMs: windowOf(apply.sourceTimeUs) };
}

function windowOf(timeUs: number): number {
  return Math.floor(timeUs / 1_000_000) * 1000;
}

/** Applies what is due. An upsert: whether it is a create is told by the table. */
function drain(world: World, untilUs: number): void {
  const { queue, random } = world;
  while (queue.size > 0 && queue.first().atUs <= untilUs) {
    const apply = queue.pop();
    const row = world.rows[apply.id];
    if (apply.moved || (apply.op === 'd' && row.held === undefined)) continue;
    const commitLsn = world.targetCommitLsn;
    world.targetLsn += 72 + 8 * random(30);
    world.targetCommitLsn = world.targetLsn + 48;
    world.targetTransaction++;
    const before = row.held;
    row.held = apply.after === undefined ? undefined : `${apply.after},"origin_lsn":${apply.origin}`;
    const op = row.held === undefined ? 'd' : before === undefined ? 'c' : 'u';
    if (apply.fault !== undefined) apply.fault.targetLsn = world.targetLsn;
    const value = envelope('target', op, before, row.held, apply.atUs, commitLsn, world.targetLsn, world.targetTransaction, world.options.logOrigins === true ? apply.origin : undefined);
    world.target({ key: apply.id, commitTimeUs: apply.atUs, lsn: world.targetLsn, value });
  }
}
