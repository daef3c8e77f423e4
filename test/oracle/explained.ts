// Match `alignment`, told naively: can what the target logged of a row be explained by what the source logged, without any fault, under the
// policy (semantics.md §6, §10)? Every way is tried. Where there is one the row is clean, and must raise no alarm; where there is none it must.
// Of a target that logs no-ops, over complete logs without a record that is late or sent again.
import { UNAVAILABLE, type History, type Image, type RowChange } from '../simulation/history.ts';
import type { Plan, PlanWindow } from '../simulation/plan.ts';

/**
 * Keys that no legal run explains. `strict`: nor one in which an insert was merged into its own delete, which leaves no trace of either, or a
 * snapshot row loaded out of turn or long after, which is a matter of the row's state: an alarm is no error then, and none is no error either. So it
 * is with the delete of a snapshot row that has no load: nothing says whether the target ever had the row.
 */
export function unexplainedKeys({ plan, source, target }: History, strict: boolean): Set<number> {
  const [sources, targets] = [source, target].map(log => Map.groupBy(log.flatMap(({ content }) => (content.kind === 'row' && content.change.unpositioned !== true ? [content.change] : [])), change => change.key ?? NaN));
  const keys = new Set([...sources.keys(), ...targets.keys()]);
  const ordered = (changes: RowChange[] = []): RowChange[] => changes.toSorted((a, b) => a.seq - b.seq || a.lsn - b.lsn);
  return new Set([...keys].filter(key => !isExplained(ordered(sources.get(key)), ordered(targets.get(key)), plan.policy ?? 'exact', plan.window, strict)));
}

/** How far both histories are explained: all source changes below `i`, all target changes below `j`. */
interface Way {
  readonly i: number;
  readonly j: number;
  /** Source changes that the target has applied. */
  readonly applied: readonly number[];
  /** Some were merged into what comes, or the sink was thrown back: by then it must be told how that ends. Infinity: nothing is open. */
  readonly untilUs: number;
  /** Policy `replay`: the change that was applied again last, while the sink has not come back to where it was. */
  readonly again: number | undefined;
}

function isExplained(source: readonly RowChange[], target: readonly RowChange[], policy: NonNullable<Plan['policy']> | 'exact', window: PlanWindow, strict: boolean): boolean {
  const { lagUs, skewUs } = window;
  const near = (s: RowChange, t: RowChange): boolean => t.timeUs - s.timeUs >= -skewUs && t.timeUs - s.timeUs <= lagUs;
  const evidenceUs = ({ timeUs }: RowChange): number => (Math.floor(timeUs / window.sizeUs) + 1) * window.sizeUs + lagUs;
  const seen = new Set<string>();

  function* steps({ i, j, applied, untilUs, again }: Way): Generator<Way> {
    const s = source.at(i);
    const t = target.at(j);
    const [held, last] = [j > 0 ? target[j - 1] : undefined, applied.at(-1) ?? -1];
    const isInTime = (change: RowChange, us: number): boolean => change.timeUs < untilUs + us;
    if (s !== undefined && t !== undefined && again === undefined && same(s.after, t.after) && near(s, t) && isInTime(t, 0) && isInTime(s, skewUs)) {
      yield { i: i + 1, j: j + 1, applied: [...applied, i], untilUs: Infinity, again };
    }
    if (s?.op === 'read') yield { i: i + 1, j, applied, untilUs, again };
    // Nothing says when a snapshot row was loaded that has no load in the log: a sink that is thrown back may apply it again.
    if (s?.op === 'read' && !strict) yield { i: i + 1, j, applied: [...applied, i], untilUs, again };
    const isUnloaded = i > 0 && source[i - 1].op === 'read' && !applied.includes(i - 1);
    if (s?.after === null && (held?.after ?? null) === null && !(strict && (untilUs < Infinity || isUnloaded))) yield { i: i + 1, j, applied, untilUs: Infinity, again };
    if (!strict && t !== undefined && source.slice(0, i).some(read => read.op === 'read' && same(read.after, t.after) && near(read, t))) yield { i, j: j + 1, applied, untilUs, again };
    if (policy === 'collapse' && s !== undefined && s.after !== null && s.op !== 'read') {
      yield { i: i + 1, j, applied, untilUs: Math.min(untilUs, evidenceUs(s)), again };
      // Into what an earlier change was: which of two equal ones the target change applied cannot be told.
      if (held !== undefined && same(s.after, held.after) && near(s, held) && isInTime(s, skewUs)) yield { i: i + 1, j, applied, untilUs: Infinity, again };
    }
    if (policy !== 'replay' || t === undefined || !isInTime(t, 0)) return;
    for (const place of applied) {
      if (!same(source[place].after, t.after) || (again !== undefined && place > again && place !== applied[applied.indexOf(again) + 1])) continue;
      yield place === last ? { i, j: j + 1, applied, untilUs: Infinity, again: undefined } : { i, j: j + 1, applied, untilUs: Math.min(untilUs, evidenceUs(t)), again: place };
    }
  }

  function goesOn(way: Way): boolean {
    const at = [way.i, way.j, way.untilUs, way.again, policy === 'replay' ? way.applied.join('.') : ''].join();
    if (seen.has(at)) return false;
    seen.add(at);
    return way.i === source.length && way.j === target.length && way.untilUs === Infinity ? true : steps(way).some(goesOn);
  }
  return goesOn({ i: 0, j: 0, applied: [], untilUs: Infinity, again: undefined });
}

function same(a: Image | null, b: Image | null): boolean {
  if (a === null || b === null) return a === b;
  return a.n === b.n && (a.v === b.v || a.v === UNAVAILABLE || b.v === UNAVAILABLE);
}
