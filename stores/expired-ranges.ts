// Expiry by range: a commit whose windows are gone deletes their keys with one range delete in place of a delete for each. A range delete is a write of its
// own, so the commit's batch notes which ranges are to go, and whoever opens the store deletes them (again, where it was done: that changes nothing).
// With the note the store is what the changelog says, at whatever instruction the process died.
//
// Counter-example to no note: a crash behind the batch. The store is past the deletions in the changelog, nobody reads them again, and the slots
// of a closed window are live at the next start.
//
// By range go the segments of windows (segment-index.ts). Not so
// - identities, summaries and versions of forgotten windows (`history`): one key per window and kind, so ranges, one per kind, would be as many;
// - open divergences, findings, ghosts, carried columns, transactions: they go when they are resolved, and their keys are those of rows;
// - blobs of last rows (`rows`): by side and number, and rewritten together; windows of the merge: one key each.
import { OFFSETS_FAMILY, type KeyRange, type StoreEngine, type WriteOp } from './store.ts';

const NOTE_KEY = Buffer.from('expired');

export interface RangeExpiry {
  /** Writes the batch without the deletes that the ranges cover, then deletes the ranges. In them lies nothing that `ops` sets. */
  write(ops: readonly WriteOp[], ranges: readonly KeyRange[]): void;
}

/** `betweenWrites`: called where a process may die with the ranges noted and not deleted. */
export function createRangeExpiry(engine: StoreEngine, betweenWrites: () => void = () => undefined): RangeExpiry {
  let isNoted = false;
  return {
    write(ops, ranges) {
      const kept = ranges.length === 0 ? ops : ops.filter(op => op.value !== null || !ranges.some(range => isWithin(op, range)));
      // A note that is old would delete what came into its range since.
      const note: readonly WriteOp[] = ranges.length > 0 ? [{ family: OFFSETS_FAMILY, key: NOTE_KEY, value: packRanges(ranges) }] : isNoted ? [NO_NOTE] : [];
      engine.write([...kept, ...note]);
      isNoted = ranges.length > 0;
      if (ranges.length === 0) return;
      betweenWrites();
      deleteRanges(engine, ranges);
    },
  };
}

/** Of a store that was just opened, before anything of it is read: deletes what the last commit left to be deleted. */
export function finishExpiry(engine: StoreEngine): void {
  const note = engine.get(OFFSETS_FAMILY, NOTE_KEY);
  if (note === undefined) return;
  deleteRanges(engine, unpackRanges(note));
  engine.write([NO_NOTE]);
}

const NO_NOTE: WriteOp = { family: OFFSETS_FAMILY, key: NOTE_KEY, value: null };

function deleteRanges(engine: StoreEngine, ranges: readonly KeyRange[]): void {
  for (const { family, gte, lt } of ranges) engine.deleteRange(family, gte, lt);
}

function isWithin({ family, key }: WriteOp, range: KeyRange): boolean {
  return family === range.family && Buffer.compare(key, range.gte) >= 0 && Buffer.compare(key, range.lt) < 0;
}

function packRanges(ranges: readonly KeyRange[]): Buffer {
  return Buffer.from(JSON.stringify(ranges.map(({ family, gte, lt }) => [family, gte.toString('hex'), lt.toString('hex')])));
}

function unpackRanges(note: Buffer): KeyRange[] {
  const all = JSON.parse(note.toString('utf8')) as [family: string, gte: string, lt: string][];
  return all.map(([family, gte, lt]) => ({ family, gte: Buffer.from(gte, 'hex'), lt: Buffer.from(lt, 'hex') }));
}
