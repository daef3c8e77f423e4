// A recording against what a replay recomputed, record by record and byte by byte. Records are found by what makes each of them the one it is
// (its id, its window, its place in a log), so one that is gone is told from one that was changed.
import type { RecordedLine } from '../../processors/verify-chain.ts';
import type { DecisionRecord, Frontier, OutputRecord } from '../../schemas/records.ts';
import { unreachable } from '../../schemas/unreachable.ts';

export type DifferenceState = 'differs' | 'missing' | 'extra';

/** `missing`: recomputed, and not in the recording. `extra`: in the recording, and not recomputed. */
export interface Difference {
  readonly record: 'difference';
  readonly pair: string;
  readonly state: DifferenceState;
  readonly kind: OutputRecord['record'];
  /** Place in the recording, as `file:line`. */
  readonly at?: string;
  readonly id?: string;
  /** Start of the window. */
  readonly window?: string;
  /** The first field that differs, e.g. `counts.missing`, and its JSON on both sides. */
  readonly field?: string;
  readonly recorded?: string;
  readonly recomputed?: string;
}

export interface Comparison { readonly differences: readonly Difference[]; readonly equal: number; /** Recorded dead letters beyond the last decision. */ readonly beyond: number }

/** Both of one pair. Status and summary speak of the ends of the logs, not of decisions: they are not compared. */
export function compareRecording(recorded: readonly RecordedLine[], recomputed: readonly OutputRecord[]): Comparison {
  const last = recorded.map(({ record }) => record).filter(record => record.record === 'decision').at(-1);
  const compared = recorded.filter(({ record }) => isCompared(record) && isBelow(record, last));
  const beyond = recorded.filter(({ record }) => isCompared(record)).length - compared.length;
  // Emitting a record again overwrites itself: the last one counts.
  const left = new Map(compared.map(line => [identityOf(line.record), line]));
  const differences: Difference[] = [];
  let equal = 0;
  const said = recomputed.filter(record => isCompared(record) && isBelow(record, last));
  for (const [identity, record] of new Map(said.map(record => [identityOf(record), record]))) {
    const line = left.get(identity);
    left.delete(identity);
    if (line === undefined) differences.push(difference(record, 'missing', undefined));
    else if ((line.text ?? JSON.stringify(line.record)) === JSON.stringify(record)) equal++;
    else differences.push({ ...difference(record, 'differs', line.at), ...firstDifference(line.record, record) });
  }
  for (const { at, record } of left.values()) differences.push(difference(record, 'extra', at));
  return { differences, equal, beyond };
}

function isCompared(record: OutputRecord): boolean {
  return record.record !== 'status' && record.record !== 'task' && record.record !== 'summary';
}

/** A record that could not be judged is part of the recording as far as the last decision reads; a line that is no record, where the end was declared. */
function isBelow(record: OutputRecord, last: DecisionRecord | undefined): boolean {
  if (record.record !== 'dead-letter') return true;
  if (record.offset === undefined) return last?.overrides.includes('complete') === true;
  const holds = (frontier: Frontier): boolean => frontier.side === record.side && frontier.topic === record.topic && frontier.partition === record.partition;
  return last?.frontiers.some(frontier => holds(frontier) && BigInt(record.offset ?? 0) < BigInt(frontier.offset)) === true;
}

function identityOf(record: OutputRecord): string {
  switch (record.record) {
    case 'decision': return `decision ${record.closeUpTo}`;
    case 'verdict': return `verdict ${record.window.start}`;
    case 'manifest': return `manifest ${record.manifestId}`;
    case 'resolved': return `resolved ${record.window.start} ${JSON.stringify(record.key)}`;
    case 'schema': return `schema ${record.side} ${record.column}`;
    case 'dead-letter': return `dead-letter ${record.side} ${record.offset === undefined ? `${record.file}:${record.line}` : `${record.topic}-${record.partition}@${record.offset}`}`;
    case 'status': return `status ${record.side} ${record.topic}-${record.partition}`;
    case 'task': return `task ${record.task}`;
    case 'summary': return 'summary';
    default: return unreachable(record);
  }
}

function difference(record: OutputRecord, state: DifferenceState, at: string | undefined): Difference {
  const id = 'manifestId' in record ? record.manifestId : 'verdictId' in record ? record.verdictId : 'decisionId' in record ? record.decisionId : undefined;
  return {
    record: 'difference', pair: record.pair, state, kind: record.record,
    ...(at === undefined ? {} : { at }), ...(id === undefined ? {} : { id }), ...('window' in record ? { window: record.window.start } : {}),
  };
}

/** The first field, in the order of printing, whose JSON differs. Without one the two say the same in other bytes. */
function firstDifference(recorded: unknown, recomputed: unknown, path = ''): Pick<Difference, 'field' | 'recorded' | 'recomputed'> {
  if (!isObject(recorded) || !isObject(recomputed)) return { field: path, recorded: JSON.stringify(recorded) ?? '', recomputed: JSON.stringify(recomputed) ?? '' };
  for (const name of new Set([...Object.keys(recomputed), ...Object.keys(recorded)])) {
    if (JSON.stringify(recorded[name]) === JSON.stringify(recomputed[name])) continue;
    return firstDifference(recorded[name], recomputed[name], Array.isArray(recomputed) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  }
  return { field: path === '' ? '(order of fields, or white space)' : path, recorded: JSON.stringify(recorded), recomputed: JSON.stringify(recomputed) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
