// From logs to events: which records are redelivered, late or unreadable, what a truncate stands for, and how far each log had been
// read when a window closed (rulings 2, 8, 15, 21 to 23). Naive on purpose: every question is a scan over arrays.
import { SIDES, type Side } from '../../schemas/change-event.ts';
import type { Beat, End, Image, LogRecord, RowChange, RowOp } from '../simulation/history.ts';
import type { PlanWindow } from '../simulation/plan.ts';
import { timestampMsOf } from '../simulation/render.ts';
import type { At, Letter } from './judgement.ts';
import { expand, type Expanded, type Truncate } from './truncates.ts';

/** A change of one key. A truncate has become one delete per key that had a row. */
export interface Event extends At {
  readonly side: Side;
  readonly op: Exclude<RowOp, 'truncate'>;
  readonly key: number;
  readonly timeUs: number;
  readonly seq: number;
  readonly lsn: number;
  /** Its transaction, where the log names one. */
  readonly tx: number | undefined;
  /** Place in its transaction, -1 where the log does not tell: parts rows at one position. */
  readonly totalOrder: number;
  /** The version that is there after the event; null is the absent row. */
  readonly image: Image | null;
  /** Source: what a target row says that comes from this change. Target: what the row says (of a delete: its before image). */
  readonly stamp: number | null;
  /** The whole row before an update or a delete, where the record has it. */
  readonly before: Image | null;
  /** Stands for a row that a truncate removed. */
  readonly truncated: boolean;
  /** Greatest commit time of the records below it in its partition; -Infinity where there is none. */
  readonly belowUs: number;
}

export interface Reading {
  /** Accepted events in position order. */
  readonly source: readonly Event[];
  readonly target: readonly Event[];
  readonly letters: readonly Letter[];
  readonly redelivered: number;
  /** Truncates of no row: no events. */
  readonly empty: readonly Truncate[];
  readonly excluded: number;
  readonly firstStartUs: number;
  /** Windows up to here close by the evidence in the logs. */
  readonly closedUs: number;
  /** End of the last window with a record. */
  readonly endUs: number;
  /** Records that were read and not looked at: unreadable ones, with the time of the last record before them (NaN: none), and late ones. */
  readonly blind: readonly Blind[];
  /** Whether the decision that closes the window ending at `endUs` had read this record. */
  seen(at: Place, endUs: number): boolean;
  /** Ends of the windows that an unreadable record makes undecidable, and that record. */
  readonly tainted: readonly { readonly endUs: number; readonly by: Place }[];
}

export interface Blind extends At { readonly side: Side; readonly belowUs: number; readonly timeUs: number; readonly late: { readonly key: number | null; readonly seq: number; readonly lsn: number } | undefined }

/** What decides whether a record had been read when a window closed. */
type Place = Pick<Event, 'side' | 'belowUs'>;

export function byPosition(a: Event, b: Event): number {
  return a.seq - b.seq || a.lsn - b.lsn;
}

export function windowEnd(timeUs: number, sizeUs: number): number {
  return Math.floor(timeUs / sizeUs) * sizeUs + sizeUs;
}

export function read(logs: Readonly<Record<Side, readonly LogRecord[]>>, window: PlanWindow, matchBy: 'origin' | 'version', whole: Readonly<Record<Side, boolean>>, ends: Readonly<Record<Side, readonly End[]>> = { source: [], target: [] }, beside: Heartbeats = { source: [], target: [], graceUs: undefined }): Reading {
  const all = [...logs.source, ...logs.target];
  const timed = all.filter((r) => timeOf(r) !== undefined);
  const horizon = (side: Side): number => window.lagUs + (side === 'source' ? window.skewUs : 0);
  const closedUs = closedByEvidence(logs, ends, beside, window, horizon);
  // Ruling 2: closed by evidence at all, and the claim of the records below this one has reached the horizon.
  const seen: Reading['seen'] = (at, endUs) => endUs > closedUs || at.belowUs - window.latenessUs < endUs + horizon(at.side);
  const below = timesBelow(all);
  // A heartbeat that cannot be read is no row's: no window is undecidable for it.
  const letters: Letter[] = SIDES.flatMap((side) => beside[side].flatMap(({ kind }, offset) => (kind === 'garbage' ? [{ side, partition: 0, offset, reason: 'malformed' as const }] : [])));
  const blind: Blind[] = [];
  const accepted: Record<Side, RowAt[]> = { source: [], target: [] };
  const counts = { redelivered: 0, excluded: 0 };
  const identities = new Set<string>();
  for (const record of all) {
    const { content, side, partition, offset } = record;
    if (content.kind === 'garbage') {
      letters.push({ side, partition, offset, reason: 'malformed' });
      const last = all.findLast((r) => r.side === side && r.partition === partition && r.offset < offset && timeOf(r) !== undefined);
      blind.push({ side, partition, offset, belowUs: below.get(record) ?? -Infinity, timeUs: last === undefined ? NaN : timeOf(last) ?? NaN, late: undefined });
      continue;
    }
    if (content.kind === 'tombstone') { counts.excluded++; continue; }
    const { change } = content;
    // Ruling 14, §13: a row read without a position says nothing of an order.
    if (change.unpositioned) { counts.excluded++; continue; }
    const identity = [side, change.lsn, change.op === 'read', change.key, change.totalOrder].join('/');
    if (identities.has(identity)) { counts.redelivered++; continue; }
    identities.add(identity);
    const belowUs = below.get(record) ?? -Infinity;
    if (!seen({ side, belowUs }, windowEnd(change.timeUs, window.sizeUs))) {
      letters.push({ side, partition, offset, reason: 'late' });
      blind.push({ side, partition, offset, belowUs, timeUs: NaN, late: change });
      continue;
    }
    if (change.op === 'read') counts.excluded++;
    accepted[side].push({ record, change, belowUs });
  }
  const times = timed.map((r) => timeOf(r) ?? 0);
  const [firstEndUs, lastEndUs] = [windowEnd(Math.min(...times), window.sizeUs), windowEnd(Math.max(...times), window.sizeUs)];
  // Also windows before any event are closed by a decision, and what lies up to the lag behind one is its evidence.
  const fromUs = windowEnd(Math.min(...times) - window.lagUs, window.sizeUs);
  const windowEnds = Array.from({ length: times.length === 0 ? 0 : (lastEndUs - fromUs) / window.sizeUs + 1 }, (_, i) => fromUs + i * window.sizeUs);
  const decisionUs = (t: Event): number => windowEnds.find((endUs) => t.timeUs < endUs + window.lagUs && seen(t, endUs)) ?? Infinity;
  const expandSide = (side: Side): Expanded => {
    const [rows, truncates] = [false, true].map((is) => accepted[side].filter((at) => (at.change.op === 'truncate') === is).map((at) => eventOf(at, matchBy, whole[side])));
    return expand(rows, truncates.map((event) => ({ event, decisionUs: decisionUs(event) })), seen);
  };
  const expanded = { source: expandSide('source'), target: expandSide('target') };
  const empty = [...expanded.source.empty, ...expanded.target.empty];
  counts.excluded += empty.length;
  return {
    source: expanded.source.events, target: expanded.target.events, letters, ...counts, closedUs, seen, blind, empty,
    firstStartUs: firstEndUs - window.sizeUs, endUs: lastEndUs,
    tainted: taints(all, window.sizeUs, below),
  };
}

interface RowAt { readonly record: LogRecord; readonly change: RowChange; readonly belowUs: number }

function timesBelow(all: readonly LogRecord[]): ReadonlyMap<LogRecord, number> {
  const below = new Map<LogRecord, number>();
  for (const own of Map.groupBy(all, (r) => `${r.side}/${String(r.partition)}`).values()) {
    let greatest = -Infinity;
    for (const record of own.toSorted((a, b) => a.offset - b.offset)) {
      below.set(record, greatest);
      greatest = Math.max(greatest, timeOf(record) ?? -Infinity);
    }
  }
  return below;
}

function timeOf(record: LogRecord): number | undefined {
  return record.content.kind === 'row' ? record.content.change.timeUs : undefined;
}

/** What the sides' heartbeat topics hold, and the grace of connectors that deliver at least once. */
export type Heartbeats = Readonly<Record<Side, readonly Beat[]>> & { readonly graceUs: number | undefined };

/**
 * Those that prove something: changes of the heartbeat table, for a snapshot's row has no commit time of its own, and a timer proves only that it
 * runs. At least once (E3): once the log was read the grace after it, by the newest timestamp of a partition's last record: an earlier one that is
 * newer tells of the clock of who wrote it.
 */
function counted(beats: readonly Beat[], rows: readonly LogRecord[], graceUs: number | undefined): Beat[] {
  const lasts = [...Map.groupBy(rows, ({ partition }) => partition).values()].map((all) => all.reduce((last, r) => (r.offset > last.offset ? r : last)));
  const newestMs = Math.max(beats.at(-1)?.timestampMs ?? -Infinity, ...lasts.map(timestampMsOf));
  return beats.filter(({ kind, timestampMs }) => kind === 'row' && (graceUs === undefined || timestampMs * 1000 <= newestMs * 1000 - graceUs));
}

/**
 * §3, E2: what was committed before the greatest commit time but one of what is beside the rows is there; every partition is at its end once all is
 * read. -Infinity before the second.
 */
function proven(beside: readonly { readonly timeUs: number }[]): number {
  let [latest, previous] = [-Infinity, -Infinity];
  for (const { timeUs } of beside) if (timeUs > latest) [latest, previous] = [timeUs, latest];
  return previous;
}

/** The largest window end that the claim of every partition reaches, its own or its side's. A side without records is one partition without a claim. */
function closedByEvidence(logs: Readonly<Record<Side, readonly LogRecord[]>>, ends: Readonly<Record<Side, readonly End[]>>, beside: Heartbeats, window: PlanWindow, horizon: (side: Side) => number): number {
  let closed = Infinity;
  for (const side of ['source', 'target'] as const) {
    if (logs[side].length === 0) return -Infinity;
    for (const partition of new Set(logs[side].map((r) => r.partition))) {
      const most = Math.max(proven(ends[side]), proven(counted(beside[side], logs[side], beside.graceUs)), ...logs[side].filter((r) => r.partition === partition).map((r) => timeOf(r) ?? -Infinity));
      closed = Math.min(closed, most - window.latenessUs - horizon(side));
    }
  }
  return closed === -Infinity ? closed : Math.floor(closed / window.sizeUs) * window.sizeUs;
}

function eventOf({ record, change, belowUs }: RowAt, matchBy: 'origin' | 'version', whole: boolean): Event {
  const { side, partition, offset } = record;
  const stamp = side === 'target' ? (change.after ?? change.before)?.tag ?? null : matchBy === 'origin' ? change.lsn : change.after?.tag ?? null;
  const op = change.op === 'truncate' ? 'delete' : change.op;
  return { side, partition, offset, timeUs: change.timeUs, seq: change.seq, lsn: change.lsn, tx: change.totalOrder < 0 || change.op === 'truncate' ? undefined : change.tx, totalOrder: change.totalOrder, belowUs, op, key: change.key ?? NaN, image: change.after, stamp, before: whole && change.op !== 'truncate' ? change.before : null, truncated: change.op === 'truncate' };
}

/** Ruling 23. */
function taints(all: readonly LogRecord[], sizeUs: number, below: ReadonlyMap<LogRecord, number>): Reading['tainted'] {
  return all.filter((r) => r.content.kind === 'garbage').flatMap((by) => {
    const own = all.filter((r) => r.side === by.side && r.partition === by.partition && timeOf(r) !== undefined);
    if (own.length === 0) return [];
    const before = own.findLast((r) => r.offset < by.offset);
    const timeUs = before === undefined ? Math.min(...own.map((r) => timeOf(r) ?? 0)) : timeOf(before) ?? 0;
    return [{ endUs: windowEnd(timeUs, sizeUs), by: { side: by.side, belowUs: below.get(by) ?? -Infinity } }];
  });
}
