// What the oracle says of a run, in plain numbers: the part of the output records that the history alone decides.
import type { Side } from '../../schemas/change-event.ts';
import type { Change, Class, CountName, State, Status } from '../../schemas/records.ts';

/** Where a record lies in its log. */
export interface At { readonly partition: number; readonly offset: number }

export interface Finding {
  readonly class: Class;
  readonly key: number;
  readonly source: At | undefined;
  readonly target: At | undefined;
  /** Differing columns, sorted. */
  readonly columns: readonly string[];
  /** Of a gap. */
  readonly hint?: 'evidence-gap' | 'coverage-gap';
}

/** The counts that a window's events decide; the others (late, redelivered …) are only told as sums. */
export type WindowCount = Exclude<CountName, 'pending' | 'late' | 'redelivered' | 'deadLettered' | 'excluded'>;
export const WINDOW_COUNTS: readonly WindowCount[] = [
  'sourceEvents', 'targetEvents', 'matched', 'missing', 'unexpected', 'mismatch', 'duplicate', 'reordered', 'gap', 'lateApplied',
  'collapsed', 'elided', 'unknownColumns', 'openDivergences',
];
export type WindowCounts = Record<WindowCount, number>;

export interface WindowJudgement {
  readonly startUs: number;
  change: Change;
  state: State;
  status: Status;
  readonly counts: WindowCounts;
  readonly findings: Finding[];
  /** Source transactions of which some changes are applied and some missing. */
  readonly torn: { readonly tx: number; readonly applied: number; readonly missing: number; readonly keys: readonly number[] }[];
  /** Keys that agree again at the end of this window, with the window of their last finding when they parted (undefined: none). */
  readonly resolved: { readonly key: number; readonly findingStartUs: number | undefined }[];
}

export interface Letter { readonly side: Side; readonly partition: number; readonly offset: number; readonly reason: 'late' | 'malformed' }

export interface Judgement {
  /** Printed windows, ascending. */
  readonly windows: readonly WindowJudgement[];
  readonly deadLetters: readonly Letter[];
  readonly openWindows: number;
  readonly exitCode: number;
  /** Over the whole run. */
  readonly redelivered: number;
  readonly excluded: number;
  readonly recordsRead: number;
}
