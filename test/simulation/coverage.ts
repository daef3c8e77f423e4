// What a run of the simulator has really done: how often a process died at each place, what its next life found on its disk, what became of its
// appends. A kind that is drawn and has no effect (an older disk where there is none) does not count. A seed that fails nothing proves no more than
// what is counted here.
import { CRASH_POINTS, type CrashPoint } from '../../topology/runtime/commit.ts';

/** Where a process dies: at the named points of a commit, and where it does something else. */
export type Death = CrashPoint | 'in the append' | 'restoring' | 'between records';
export const DEATHS: readonly Death[] = [...CRASH_POINTS, 'in the append', 'restoring', 'between records'];

/**
 * What becomes of a commit's append. answer lost: it takes place. not done: it does not, and the writer hears of an error. given up: the log itself says
 * that nothing of it is there. unanswered: the same two once more, and nobody can be asked any more which it was.
 */
export const OUTCOMES = ['answer lost', 'not done', 'given up', 'unanswered, done', 'unanswered, not done'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * What a start finds where the task's store should be. Damaged: of no changelog, of another one, beyond the end of its own, it does not open, or the
 * first look at it fails.
 */
export const DISKS = ['as it was', 'older', 'empty', 'nameless', 'of another', 'ahead', 'does not open', 'does not read'] as const;
export type DiskKind = (typeof DISKS)[number];

/** What becomes of the log's own files between two lives. */
export const LOG_EVENTS = ['opened anew', 'torn append cut off', 'power lost', 'compacted'] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

const MOVES = ['asked', 'taken', 'fenced', 'standby begun', 'standby caught up', 'standby promoted'] as const;

export type Kind = `dies ${Death}` | `append ${Outcome}` | `disk ${DiskKind}` | `log ${LogEvent}` | `handover ${(typeof MOVES)[number]}` | 'life' | 'asked to end' | 'other worker' | 'disk breaks' | 'disk rots' | 'goes back';

const OF_ONE: readonly Kind[] = [
  'life', ...DEATHS.map(death => `dies ${death}` as const), 'disk breaks', 'disk rots', 'asked to end', 'other worker', ...OUTCOMES.map(outcome => `append ${outcome}` as const), 'goes back',
  ...DISKS.map(disk => `disk ${disk}` as const), ...LOG_EVENTS.map(event => `log ${event}` as const),
];

/** The kinds that each of the profiles is to show. */
export const EXPECTED: Readonly<Record<string, readonly Kind[]>> = {
  service: OF_ONE,
  handover: [...OF_ONE.filter(kind => !['asked to end', 'other worker', 'dies in the append'].includes(kind) && !kind.startsWith('log ')), ...MOVES.map(move => `handover ${move}` as const)],
};

export type Coverage = Partial<Record<Kind, number>>;

export function add(to: Coverage, more: Coverage): void {
  for (const [kind, count] of Object.entries(more) as [Kind, number][]) to[kind] = (to[kind] ?? 0) + count;
}

/** A line for each kind, and for each profile a column; a kind that a profile is to show and has not is told at the end. */
export function coverageTable(of: Readonly<Record<string, Coverage>>): string {
  const profiles = Object.keys(of).filter(profile => profile in EXPECTED);
  if (profiles.length === 0) return '';
  const kinds = [...new Set(profiles.flatMap(profile => EXPECTED[profile]))];
  const row = (name: string, cells: readonly string[]): string => `${name.padEnd(28)}${cells.map(cell => cell.padStart(10)).join('')}\n`;
  const cellOf = (profile: string, kind: Kind): string => (EXPECTED[profile].includes(kind) ? String(of[profile][kind] ?? 0) : '');
  const lacking = profiles.flatMap(profile => EXPECTED[profile].filter(kind => of[profile][kind] === undefined).map(kind => `${profile}: ${kind}`));
  return [
    row('WHAT HAPPENED', profiles), ...kinds.map(kind => row(kind, profiles.map(profile => cellOf(profile, kind)))),
    lacking.length === 0 ? '' : `did not happen: ${lacking.join(', ')}\n`,
  ].join('');
}
