// Transactions of which the log has fewer changes than there were (§7, §13): a change says which of its transaction it is, an END how many there were.
// It knows transactions whose changes have one commit time, and logs in which no record is late or unreadable.
import type { Side } from '../../schemas/change-event.ts';
import type { End, History } from '../simulation/history.ts';
import type { At } from './judgement.ts';
import type { Event, Reading } from './reading.ts';
import { windowEnd } from './reading.ts';

/** Of the window that ends at `endUs`, each once: the change with the greatest number where one before it is lost, else the END. */
export function holes(history: History, reading: Reading, endUs: number, sizeUs: number): { readonly side: Side; readonly at: At }[] {
  const { ends } = history;
  if (ends === undefined) return [];
  return (['source', 'target'] as const).flatMap((side) => {
    const times = history[side].flatMap(({ content }) => (content.kind === 'row' ? [content.change.timeUs] : []));
    // What was before the log's first row nobody knows. Where its end is declared, the logs of rows and of ENDs may have ended at two moments.
    const [fromUs, toUs] = [Math.min(...times), endUs > reading.closedUs ? Math.max(...times) : Infinity];
    const isTold = (timeUs: number): boolean => windowEnd(timeUs, sizeUs) === endUs && timeUs >= fromUs && timeUs <= toUs;
    const read = Map.groupBy(reading[side].filter((e) => e.tx !== undefined && !e.truncated), (e) => e.tx);
    const numbered = [...read.values()].map((changes) => changes.toSorted((a, b) => a.totalOrder - b.totalOrder)).flatMap((changes) => {
      const last = changes[changes.length - 1];
      return isTold(last.timeUs) && last.totalOrder > changes.length ? [last] : [];
    });
    const short = ends[side].flatMap((end, offset) => {
      const isShort = isTold(end.timeUs) && isShortOf(end, read) && !numbered.some(({ tx }) => tx === end.tx);
      return isShort ? [{ partition: 0, offset }] : [];
    });
    return [...numbered, ...short].map((at) => ({ side, at }));
  });
}

function isShortOf(end: End, read: ReadonlyMap<number | undefined, readonly Event[]>): boolean {
  return (read.get(end.tx)?.length ?? 0) < end.rows;
}
