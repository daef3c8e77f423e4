// Compaction: of each key of a compacted topic the last record in the full segments stays. Newest segment first, so that one pass knows which
// keys came later. A key that does not fit into memory any more keeps its older records until the next pass: too much is never wrong.
//
// A tombstone goes only where an earlier pass has taken every older record of its key. Counter-example: it went first, the process died
// before the older segment was rewritten, and the deleted key was back.
import { logCompactionKeysMax } from '../../../schemas/limits.ts';
import { frameKey, frameTimestampMs, isTombstone } from '../record-frame.ts';
import type { Journal, Segment } from './journal.ts';
import { isCompacted } from './retention.ts';
import { forEachRecord, rewriteSegment, walkSegment } from './rewrite.ts';

/** Whether compacting is worth it: half of what it would read came after the last pass. */
export function isDirty({ state, segments }: Journal, cleanedUpTo: number): boolean {
  let [clean, dirty] = [0, 0];
  for (const segment of segments.slice(0, -1)) {
    for (const [id, { sizeBytes }] of segment.index) {
      if (!isCompacted(state, id)) continue;
      if (segment.number <= cleanedUpTo) clean += sizeBytes;
      else dirty += sizeBytes;
    }
  }
  return dirty > 0 && dirty >= clean;
}

/** Compacts the full segments. Returns up to which segment no key has an older record, or `cleanedUpTo` where keys did not fit. */
export async function compact(journal: Journal, cleanedUpTo: number, tombstonesUntilMs: number, keysMax: number = logCompactionKeysMax): Promise<number> {
  const { state } = journal;
  const full = journal.segments.slice(0, -1);
  const later = new Map<number, Set<string>>();
  let complete = true;
  for (const segment of full.toReversed()) {
    if (![...segment.index.keys()].some((id) => isCompacted(state, id))) continue;
    const last = await lastOffsets(journal, segment, later);
    let gone = 0;
    const keep = (id: number, offset: number, data: Buffer, at: number): boolean => {
      if (!isCompacted(state, id)) return offset >= state.partitions[id].beginOffset;
      const lastOffset = last.get(id)?.get(frameKey(data, at) ?? '');
      if (lastOffset !== offset) return false;
      return segment.number > cleanedUpTo || !isTombstone(data, at) || frameTimestampMs(data, at) >= tombstonesUntilMs;
    };
    await walkSegment(journal, segment, (data, at, head) => {
      forEachRecord(data, at, head, (id, offset, frameAt) => { if (!keep(id, offset, data, frameAt)) gone++; });
    });
    if (gone > 0) await rewriteSegment(journal, segment, keep);
    complete = remember(later, last, keysMax) && complete;
  }
  return complete ? (full.at(-1)?.number ?? cleanedUpTo) : cleanedUpTo;
}

/** Of each key of the segment that has no later record, where its last one is. */
async function lastOffsets(journal: Journal, segment: Segment, later: Map<number, Set<string>>): Promise<Map<number, Map<string, number>>> {
  const last = new Map<number, Map<string, number>>();
  await walkSegment(journal, segment, (data, at, head) => {
    forEachRecord(data, at, head, (id, offset, frameAt) => {
      if (!isCompacted(journal.state, id)) return;
      const key = frameKey(data, frameAt) ?? '';
      if (later.get(id)?.has(key) === true) return;
      let ofPartition = last.get(id);
      if (ofPartition === undefined) last.set(id, ofPartition = new Map());
      ofPartition.set(key, offset);
    });
  });
  return last;
}

/** False: not all keys were remembered. */
function remember(later: Map<number, Set<string>>, last: Map<number, Map<string, number>>, keysMax: number): boolean {
  let complete = true;
  for (const [id, keys] of last) {
    let known = later.get(id);
    if (known === undefined) later.set(id, known = new Set());
    for (const key of keys.keys()) {
      if (known.size < keysMax) known.add(key);
      else complete = false;
    }
  }
  return complete;
}
