// A truncate is one delete per key that has a row on its side at its position (ruling 15). When it becomes evidence, the keys are found in
// what is live, what is remembered and what has diverged, and a delete is entered for each. The first decision that has it as evidence does
// so, over the rows read by then: in every shard at once, whether or not a window closes there.
import { OP, POSITION_BYTES, PRINT_WORDS, SOURCE, TARGET } from '../schemas/change-event.ts';
import { FLAG, SLOT } from '../stores/slot-store.ts';
import { noteCarried } from './carried.ts';
import { horizonUs } from './claims.ts';
import { isRowEvent, type Divergence } from './divergences.ts';
import { keyOf, originOf } from './finding.ts';
import { hashBytes } from './hash.ts';
import { joinKey, originHash } from './enter.ts';
import { tallyWindow, windowOf, type Shard } from './shard.ts';
import { COUNT } from './tally.ts';

const WORDS = POSITION_BYTES / 4;

/** The last version of a key below a truncate. */
interface Row { readonly key: Buffer; present: boolean; origin: Buffer; position: readonly number[] }

export function expandTruncates(shard: Shard, closeUpToUs: number): void {
  const { slots, truncates } = shard;
  if (truncates.length === 0) return;
  const evidenceUs = closeUpToUs + horizonUs(TARGET, shard.settings.window);
  const isEvidence = (slot: number): boolean => slots.time[slot] < evidenceUs;
  // With one its side's earlier ones, though they were committed later: what they removed is not there to be removed again.
  const last = [SOURCE, TARGET].map(side => truncates.filter(slot => slots.side[slot] === side && isEvidence(slot)).sort((a, b) => slots.comparePositions(a, b)).at(-1) ?? -1);
  const ready = truncates.filter(slot => last[slots.side[slot]] >= 0 && slots.comparePositions(slot, last[slots.side[slot]]) <= 0).sort((a, b) => slots.comparePositions(a, b));
  for (const slot of ready) {
    truncates.splice(truncates.indexOf(slot), 1);
    slots.addFlags(slot, FLAG.consumed);
    const rows = [...rowsBelow(shard, slot)].filter(row => row.present);
    for (const row of rows) enterDelete(shard, slot, row);
    if (rows.length === 0) shard.tallies.add(tallyWindow(shard, slots.time[slot]), COUNT.excluded, 1);
  }
}

function rowsBelow(shard: Shard, truncate: number): Iterable<Row> {
  const rows = new Map<string, Row>();
  const below = positionOf(shard, truncate);
  for (const [name, version] of shard.history.newest()) {
    const position = [...version.position];
    if (compare(position, below) < 0) rows.set(name, { key: version.key, present: version.op !== OP.delete, origin: version.origin, position });
  }
  if (shard.slots.side[truncate] === TARGET) asOnTarget(shard, rows);
  addLive(shard, rows, truncate, below);
  return rows.values();
}

/** Where the sides agree the target has the row that the source had; where they do not, the divergence says what it has. */
function asOnTarget(shard: Shard, rows: Map<string, Row>): void {
  for (const row of rows.values()) row.position = [];
  for (const [key, value] of shard.stores.divergences.range(Buffer.alloc(0), Buffer.alloc(512, 0xff))) {
    const { target, targetOrigin } = JSON.parse(value.toString('utf8')) as Divergence;
    const name = key.toString('latin1');
    const present = target.some(word => word !== 0);
    // Its own origin, not that of the source's last version, which is what it differs from.
    const origin = targetOrigin === undefined ? rows.get(name)?.origin ?? Buffer.alloc(0) : Buffer.from(targetOrigin, 'hex');
    rows.set(name, { key: Buffer.from(key), present, origin, position: [] });
  }
}

function addLive(shard: Shard, rows: Map<string, Row>, truncate: number, below: readonly number[]): void {
  const { slots } = shard;
  for (const window of slots.windows()) {
    for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) {
      if (slots.side[slot] !== slots.side[truncate] || !isRowEvent(shard, slot)) continue;
      const position = positionOf(shard, slot);
      if (compare(position, below) >= 0) continue;
      const key = keyOf(slots, slot);
      const known = rows.get(key.toString('latin1'));
      if (known !== undefined && compare(known.position, position) > 0) continue;
      rows.set(key.toString('latin1'), { key, present: slots.op[slot] !== OP.delete, origin: originOf(slots, slot), position });
    }
  }
}

function positionOf(shard: Shard, slot: number): number[] {
  return Array.from(shard.slots.position.subarray(slot * WORDS, slot * WORDS + WORDS));
}

/** An empty position is below every other. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

function enterDelete(shard: Shard, truncate: number, row: Row): void {
  const { slots } = shard;
  const slot = slots.take(windowOf(shard, slots.time[truncate]));
  const side = slots.side[truncate];
  const origin = side === SOURCE || shard.originsNameDeletes ? originOf(slots, truncate) : row.origin;
  slots.side[slot] = side;
  slots.kind[slot] = SLOT.change;
  slots.op[slot] = OP.delete;
  slots.flags[slot] = FLAG.truncated;
  slots.time[slot] = slots.time[truncate];
  slots.offset[slot] = slots.offset[truncate];
  slots.partition[slot] = slots.partition[truncate];
  slots.position.copyWithin(slot * WORDS, truncate * WORDS, truncate * WORDS + WORDS);
  slots.totalOrder[slot] = slots.totalOrder[truncate];
  slots.tableOrder[slot] = -1;
  for (const prints of [slots.printsAfter, slots.printsBefore]) prints.fill(0, slot * PRINT_WORDS, (slot + 1) * PRINT_WORDS);
  slots.keyHash[slot] = hashBytes(row.key, 0, row.key.length, 0);
  slots.heads.put(Buffer.concat([row.key, origin]), 0, row.key.length + origin.length);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  slots.keyLength[slot] = row.key.length;
  slots.originLength[slot] = origin.length;
  slots.transactionLength[slot] = slots.traceLength[slot] = 0;
  slots.originHash[slot] = originHash(origin, 0, origin.length, slots.keyHash[slot]);
  if (side === SOURCE && origin.length > 0) slots.linkOrigin(slot);
  joinKey(shard, slot);
  // What the row held ends with it, as with any other delete.
  noteCarried(shard, slot);
}
