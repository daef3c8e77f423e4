// The oracle: what semantics.md says of a run, written from that page alone as a batch computation over all events, window by window.
// It shares no code with the engine. It knows match `origin` and `version`, the three policies, captures that begin at offset 0.
//
// A target change is decided once, by the window of the source change it applies if it was committed below that window's horizon,
// else by the window of its own commit time.
import type { History } from '../simulation/history.ts';
import type { PlanWindow } from '../simulation/plan.ts';
import { unreachable } from '../../schemas/unreachable.ts';
import type { Evidence } from './attribution.ts';
import { causeOf, causeOfRepeat } from './attribution.ts';
import { asCarried } from './carried.ts';
import { broken } from './continuity.ts';
import { holes } from './holes.ts';
import type { Finding, Judgement, WindowJudgement } from './judgement.ts';
import type { Event, Reading } from './reading.ts';
import { byPosition, read, windowEnd } from './reading.ts';
import { differingColumns, openKeys, samePrint, sameVersion, unknownColumns } from './versions.ts';

type Decided = 'applied' | 'repeated' | 'unexpected' | 'passing';

interface Run {
  readonly history: History;
  readonly window: PlanWindow;
  readonly matchBy: 'origin' | 'version';
  readonly policy: 'exact' | 'collapse' | 'replay';
  readonly reading: Reading;
  /** Target changes that a verdict has consumed. */
  readonly decided: Map<Event, Decided>;
  /** Source change or read row to the target change that applied it first. */
  readonly applied: Map<Event, Event>;
  /** Of those, the ones that were found equal, and columns that are carried for it. */
  readonly equal: Set<Event>;
  readonly carry: readonly string[];
  /** Of the closing window. */
  evidence: Evidence;
  /** Source changes merged into a later one. */
  readonly collapsed: Set<Event>;
  /** Source changes that were missing when their window closed. */
  readonly missing: Set<Event>;
  /** In the closing window: repeats that the policy allows. */
  replayed: Map<Event, 'passing' | 'ends'>;
  /** How many of them were excluded. */
  excluded: number;
  readonly windows: Map<number, WindowJudgement>;
  /** Windows that are printed, by their end. */
  readonly printed: Set<number>;
  /** Open divergences: key to the end of the window where the two sides parted. */
  readonly open: Map<number, number>;
  /** Source changes reported missing one behind the other, by window and position. */
  run: Event[];
  state: 'parity' | 'diverged';
}

export function judge(history: History, window: PlanWindow, options: { readonly complete: boolean }): Judgement {
  const { matchBy } = history.plan;
  if (matchBy === 'alignment') throw new Error('the oracle knows no alignment');
  const { identity } = history.plan;
  const reading = read(history, window, matchBy, { source: identity.source === 'full', target: identity.target === 'full' }, history.ends, history.beats === undefined ? undefined : { ...history.beats, graceUs: history.plan.graceUs });
  const run: Run = { history, window, matchBy, policy: history.plan.policy ?? 'exact', reading, decided: new Map(), applied: new Map(), equal: new Set(), carry: history.plan.carry ?? [], evidence: { source: [], target: [] }, collapsed: new Set(), missing: new Set(), replayed: new Map(), excluded: 0, windows: new Map(), printed: new Set(), open: new Map(), run: [], state: 'parity' };
  const upToUs = options.complete ? Math.max(reading.endUs, reading.closedUs) : Math.min(reading.closedUs, reading.endUs);
  for (let endUs = reading.firstStartUs + window.sizeUs; endUs <= upToUs; endUs += window.sizeUs) closeWindow(run, endUs);
  const windows = [...run.windows].filter(([endUs]) => run.printed.has(endUs)).map(([, judgement]) => judgement);
  return {
    windows, deadLetters: reading.letters, openWindows: openWindows(run, upToUs), exitCode: exitCode(run, windows),
    redelivered: reading.redelivered, excluded: reading.excluded + loads(run) + run.excluded, recordsRead: history.source.length + history.target.length,
  };
}

function closeWindow(run: Run, endUs: number): void {
  const { window, reading } = run;
  const evidence = run.evidence = evidenceOf(reading, window, endUs);
  const judgement = emptyWindow(endUs - window.sizeUs);
  run.windows.set(endUs, judgement);
  for (const e of broken(reading, endUs, window, run.matchBy)) {
    run.printed.add(endUs);
    found(judgement, { class: 'gap', hint: 'evidence-gap', key: e.key, source: e.side === 'source' ? e : undefined, target: e.side === 'target' ? e : undefined, columns: [] });
  }
  for (const { side, at } of holes(run.history, reading, endUs, window.sizeUs)) {
    run.printed.add(endUs);
    found(judgement, { class: 'gap', hint: 'evidence-gap', key: NaN, source: side === 'source' ? at : undefined, target: side === 'target' ? at : undefined, columns: [] });
  }
  const told = new Map<number, Evidence>();
  // What it applies is told by the evidence of its own window at the latest; since then it waits for a later source change.
  const own = (t: Event): Evidence => {
    const ownUs = Math.min(windowEnd(t.timeUs, window.sizeUs), endUs);
    const its = ownUs < endUs ? told.get(ownUs) ?? evidenceOf(reading, window, ownUs) : evidence;
    told.set(ownUs, its);
    return its;
  };
  // What a verdict has taken for an application stays one, whatever comes behind it.
  const known = new Map<Event, Event | undefined>([...run.applied].map(([s, t]) => [t, s]));
  const cause = (t: Event): Event | undefined => (run.policy === 'replay' ? causeOfRepeat(t, evidence, own, window.skewUs, known) : causeOf(t, own(t), window.skewUs));
  const causes = new Map(evidence.target.filter((t) => !run.decided.has(t)).map((t) => [t, cause(t)]));
  const due = evidence.source.filter((s) => s.op !== 'read' && windowEnd(s.timeUs, window.sizeUs) === endUs);
  run.replayed = run.policy === 'replay' ? replayed(evidence, cause, firstsOf(run, evidence, causes)) : new Map();
  for (const [t, s] of causes) {
    const inDue = s !== undefined && due.includes(s);
    const later = s !== undefined && s.op !== 'read' && s.timeUs >= endUs;
    if (!inDue && !later && t.timeUs < endUs) ownWindow(run, judgement, endUs, t, s);
  }
  // Ruling 10 and §5: the applications of each due change, and what of its key is applied in this evidence.
  const left = Map.groupBy([...causes.keys()].filter((t) => !run.decided.has(t)), (t) => causes.get(t));
  const applications = (s: Event): Event[] => left.get(s) ?? [];
  const firsts = firstsOf(run, evidence, causes);
  const all = due.map((s) => [s, applications(s)] as const);
  for (const [s, a] of all) {
    if (a.length === 0 && run.policy === 'collapse' && isCollapsed(s, evidence, firsts)) {
      judgement.counts.sourceEvents++;
      judgement.counts.collapsed++;
      run.collapsed.add(s);
    } else sourceChange(run, judgement, s, a, firsts);
  }
  for (const [s, a] of all.toSorted(([s], [t]) => byPosition(s, t) || s.totalOrder - t.totalOrder || s.key - t.key)) if (!run.collapsed.has(s)) coverage(run, judgement, s, a.length === 0);
  torn(run, judgement, endUs, due, all);
  if (due.length > 0 || all.some(([, a]) => a.length > 0)) run.printed.add(endUs);
  finish(run, judgement, endUs, evidence);
}

/** Source change or read row to its first application, as far as the evidence goes. */
function firstsOf(run: Run, evidence: Evidence, causes: ReadonlyMap<Event, Event | undefined>): Map<Event, Event> {
  const left = Map.groupBy([...causes.keys()].filter((t) => !run.decided.has(t)), (t) => causes.get(t));
  const firsts = new Map(run.applied);
  for (const s of evidence.source) {
    const first = left.get(s)?.at(0);
    if (first !== undefined && !firsts.has(s)) firsts.set(s, first);
  }
  return firsts;
}

/** §10, §11: merged into the next change of its key that is applied; a delete is no change to be merged, and one that is lost parts what is before it from what is after it. */
function isCollapsed(s: Event, evidence: Evidence, firsts: ReadonlyMap<Event, Event>): boolean {
  if (s.op === 'delete') return false;
  const later = evidence.source.filter((other) => other.key === s.key && other.op !== 'read' && byPosition(other, s) > 0);
  const next = later.find((other) => firsts.has(other));
  return next !== undefined && !later.some((other) => other.op === 'delete' && byPosition(other, next) < 0);
}

function evidenceOf(reading: Reading, window: PlanWindow, endUs: number): Evidence {
  return {
    source: reading.source.filter((s) => s.timeUs < endUs + window.lagUs + window.skewUs && reading.seen(s, endUs)),
    target: reading.target.filter((t) => t.timeUs < endUs + window.lagUs && reading.seen(t, endUs)),
  };
}

/**
 * §10, policy `replay`: the target changes from which the ones that follow lead back, leaving no applied change out, to the last change applied
 * before. Not those that reach it first: those are no repeats.
 */
function replayed(evidence: Evidence, cause: (t: Event) => Event | undefined, firsts: ReadonlyMap<Event, Event>): Map<Event, 'passing' | 'ends'> {
  const allowed = new Map<Event, 'passing' | 'ends'>();
  const isRight = (t: Event, s: Event): boolean => firsts.get(s) === t || samePrint(t, s) || samePrint(t, firsts.get(s) ?? t);
  for (const key of new Set(evidence.target.map((t) => t.key))) {
    const steps = evidence.target.filter((t) => t.key === key).flatMap((t) => {
      const s = cause(t);
      return s !== undefined && isRight(t, s) ? [{ t, s }] : [];
    });
    const applied = evidence.source.filter((s) => s.key === key && firsts.has(s));
    for (const [i, { t, s }] of steps.entries()) {
      const last = steps.slice(0, i).map((step) => step.s).toSorted(byPosition).at(-1);
      if (last === undefined) continue;
      let [at, by] = [s, t];
      // One that was applied only afterwards was not there to be applied again.
      const isApplied = (between: Event): boolean => byPosition(firsts.get(between) ?? by, by) < 0;
      for (const next of steps.slice(i + 1)) {
        if (byPosition(at, last) >= 0 || applied.some((between) => byPosition(between, at) > 0 && byPosition(between, next.s) < 0 && isApplied(between))) break;
        [at, by] = [next.s, next.t];
      }
      if (byPosition(at, last) >= 0) allowed.set(t, byPosition(s, last) >= 0 ? 'ends' : 'passing');
    }
  }
  return allowed;
}

/** A target change that no due or later source change explains, in the window of its own commit time (rulings 11 to 14). */
function ownWindow(run: Run, judgement: WindowJudgement, endUs: number, t: Event, s: Event | undefined): void {
  // A change merged into a later one was applied with it: what writes it once more repeats it.
  const first = s === undefined ? undefined : run.collapsed.has(s) ? s : run.applied.get(s);
  if (s !== undefined && first === undefined && s.op !== 'read') {
    lateApplied(run, t, s);
    return;
  }
  run.printed.add(endUs);
  if (s === undefined) {
    unexpected(run, judgement, t);
  } else if (first === undefined) {
    decide(run, t, 'applied', s);
    if (!run.equal.has(s)) found(judgement, { class: 'mismatch', key: t.key, source: s, target: t, columns: differing(run, s, t) });
  } else {
    again(run, judgement, judgement.startUs + run.window.sizeUs, t, s, samePrint(t, first) || (s.op === 'read' && samePrint(t, s)));
  }
}

/** Ruling 12: it amends the window of the source change, which was reported missing there. */
function lateApplied(run: Run, t: Event, s: Event): void {
  const amended = run.windows.get(windowEnd(s.timeUs, run.window.sizeUs));
  if (amended === undefined) throw new Error('a missing change without a window');
  decide(run, t, 'applied', s);
  amended.status = 'amended';
  amended.counts.targetEvents++;
  found(amended, { class: 'late_applied', key: t.key, source: s, target: t, columns: run.equal.has(s) ? [] : differing(run, s, t) });
}

function sourceChange(run: Run, judgement: WindowJudgement, s: Event, a: readonly Event[], firsts: ReadonlyMap<Event, Event>): void {
  judgement.counts.sourceEvents++;
  if (a.length === 0) {
    // Ruling 13: what named this change before it could be known was unexpected; it is shown here.
    const early = run.reading.target.find((t) => run.decided.get(t) === 'unexpected' && t.op !== 'delete' && t.key === s.key && t.stamp === s.stamp && s.stamp !== null);
    found(judgement, { class: 'missing', key: s.key, source: s, target: early, columns: [] });
    return;
  }
  const [first, ...rest] = a;
  decide(run, first, 'applied', s);
  judgement.counts.targetEvents++;
  const same = run.equal.has(s);
  judgement.counts.unknownColumns += unknownColumns(carried(run, s), carried(run, first));
  if (!same) found(judgement, { class: 'mismatch', key: s.key, source: s, target: first, columns: differing(run, s, first) });
  const overtaken = [...firsts].some(([other, t]) => other.key === s.key && byPosition(other, s) > 0 && byPosition(t, first) < 0);
  if (overtaken) found(judgement, { class: 'reordered', key: s.key, source: s, target: first, columns: [] });
  if (same && !overtaken) judgement.counts.matched++;
  for (const t of rest) again(run, judgement, judgement.startUs + run.window.sizeUs, t, s, samePrint(t, first) || samePrint(t, s));
}

/**
 * §7: some changes of a transaction are applied (or merged into a later one) and some missing, told once. What it did in the L + 2ε before the window
 * counts too (its statements may have times of their own); where that shows it torn by itself, an earlier window has told it.
 */
function torn(run: Run, judgement: WindowJudgement, endUs: number, due: readonly Event[], all: readonly (readonly [Event, readonly Event[]])[]): void {
  const { sizeUs, lagUs, skewUs } = run.window;
  for (const [s, a] of all) if (a.length === 0 && !run.collapsed.has(s)) run.missing.add(s);
  const fromUs = windowEnd(endUs - sizeUs - lagUs - 2 * skewUs, sizeUs) - sizeUs;
  const isTorn = (changes: readonly Event[]): boolean => changes.some((s) => run.missing.has(s)) && changes.some((s) => !run.missing.has(s));
  for (const tx of new Set(due.map((s) => s.tx))) {
    const counted = run.evidence.source.filter((s) => s.tx === tx && s.op !== 'read' && s.timeUs >= fromUs && s.timeUs < endUs);
    if (tx === undefined || !isTorn(counted) || isTorn(counted.filter((s) => s.timeUs < endUs - sizeUs))) continue;
    const missing = counted.filter((s) => run.missing.has(s));
    judgement.torn.push({ tx, applied: counted.length - missing.length, missing: missing.length, keys: [...new Set(missing.map((s) => s.key))].toSorted((a, b) => a - b) });
  }
}

/** Ruling 24: a run of 64 is told once, by the window that makes it so long, and named by its first change. */
function coverage(run: Run, judgement: WindowJudgement, s: Event, missing: boolean): void {
  run.run = missing ? [...run.run, s] : [];
  if (run.run.length === 64) found(judgement, { class: 'gap', hint: 'coverage-gap', key: run.run[0].key, source: run.run[0], target: undefined, columns: [] });
}

function again(run: Run, judgement: WindowJudgement, endUs: number, t: Event, s: Event, repeats: boolean): void {
  if (!repeats) { unexpected(run, judgement, t); return; }
  const replay = run.replayed.get(t);
  if (replay !== undefined) {
    run.decided.set(t, replay === 'ends' ? 'repeated' : 'passing');
    run.printed.add(endUs);
    run.excluded++;
    return;
  }
  run.decided.set(t, 'repeated');
  judgement.counts.targetEvents++;
  found(judgement, { class: 'duplicate', key: t.key, source: s, target: t, columns: [] });
}

function unexpected(run: Run, judgement: WindowJudgement, t: Event): void {
  run.decided.set(t, 'unexpected');
  judgement.counts.targetEvents++;
  found(judgement, { class: 'unexpected', key: t.key, source: undefined, target: t, columns: [] });
}

function decide(run: Run, t: Event, as: Decided, s: Event): void {
  run.decided.set(t, as);
  run.applied.set(s, t);
  if (sameVersion(carried(run, s), carried(run, t))) run.equal.add(s);
}

function carried(run: Run, e: Event): Event {
  return asCarried(e, run.evidence, run.carry);
}

function differing(run: Run, s: Event, t: Event): string[] {
  return differingColumns(carried(run, s), carried(run, t));
}

function found(judgement: WindowJudgement, finding: Finding): void {
  const { counts } = judgement;
  const at = (a: Finding['source']): Finding['source'] => (a === undefined ? undefined : { partition: a.partition, offset: a.offset });
  judgement.findings.push({ ...finding, source: at(finding.source), target: at(finding.target) });
  // A hole in what we see is no fault of the target.
  if (finding.hint !== 'evidence-gap') judgement.change = 'diverged';
  else if (judgement.change === 'parity') judgement.change = 'undecidable';
  switch (finding.class) {
    case 'late_applied': counts.lateApplied++; break;
    case 'missing': case 'unexpected': case 'mismatch': case 'duplicate': case 'reordered': case 'gap': case 'collapsed': case 'elided':
      counts[finding.class]++; break;
    default: unreachable(finding.class);
  }
}

/** The state at the end of the window (ruling 17), what it resolves (20), and what an unreadable record spoils (23). */
function finish(run: Run, judgement: WindowJudgement, endUs: number, evidence: Evidence): void {
  const { tainted, seen } = run.reading;
  const spoiled = tainted.some((taint) => taint.endUs === endUs && seen(taint.by, endUs));
  if (spoiled) {
    run.printed.add(endUs);
    if (judgement.change === 'parity') judgement.change = 'undecidable';
  }
  const due = evidence.source.filter((s) => s.timeUs < endUs);
  const open = openKeys(due, run.reading.target.filter((t) => run.decided.has(t) && run.decided.get(t) !== 'passing'), run.matchBy, run.applied, run.equal);
  // Where the last change is merged into one that is not due yet, nothing is said of the key before that: it stays what it was.
  for (const s of run.collapsed) {
    if (due.findLast((other) => other.key === s.key) !== s) continue;
    if (run.open.has(s.key)) open.add(s.key);
    else open.delete(s.key);
  }
  for (const [key, sinceUs] of [...run.open]) {
    if (open.has(key)) continue;
    run.open.delete(key);
    run.printed.add(endUs);
    judgement.resolved.push({ key, findingStartUs: lastFinding(run, key, sinceUs) });
  }
  for (const key of open) if (!run.open.has(key)) run.open.set(key, endUs);
  judgement.counts.openDivergences = open.size;
  run.state = judgement.state = open.size === 0 ? 'parity' : 'diverged';
  // An unread record may have been any key's: parity cannot be said of the state either.
  if (spoiled && open.size === 0) judgement.state = 'unknown';
}

function lastFinding(run: Run, key: number, sinceUs: number): number | undefined {
  return [...run.windows].findLast(([endUs, w]) => endUs <= sinceUs && w.findings.some((f) => f.key === key && f.hint !== 'coverage-gap'))?.[1].startUs;
}

/** Ruling 1. Read rows open no window. */
function openWindows(run: Run, upToUs: number): number {
  const { source, target } = run.reading;
  // A truncate that no decision has taken for the deletes of its rows, of which there will be none.
  const waiting = run.reading.empty.filter((t) => t.decisionUs > upToUs).map((t) => t.event);
  const left = [...waiting, ...source.filter((s) => s.op !== 'read'), ...target.filter((t) => !run.decided.has(t))];
  return new Set(left.filter((e) => e.timeUs >= upToUs).map((e) => windowEnd(e.timeUs, run.window.sizeUs))).size;
}

/** Rulings 1 and 23: 1 a discrepancy, 3 inconclusive, 0. */
function exitCode(run: Run, windows: readonly WindowJudgement[]): number {
  if (windows.some((w) => w.change === 'diverged') || run.state === 'diverged') return 1;
  return windows.length === 0 || run.reading.letters.length > 0 || windows.some((w) => w.change === 'undecidable') ? 3 : 0;
}

/** Ruling 14: the load of a read row is counted as excluded. */
function loads(run: Run): number {
  return [...run.applied.keys()].filter((s) => s.op === 'read').length;
}

function emptyWindow(startUs: number): WindowJudgement {
  return {
    startUs, change: 'parity', state: 'parity', status: 'final', findings: [], torn: [], resolved: [],
    counts: {
      sourceEvents: 0, targetEvents: 0, matched: 0, missing: 0, unexpected: 0, mismatch: 0, duplicate: 0, reordered: 0, gap: 0, lateApplied: 0,
      collapsed: 0, elided: 0, unknownColumns: 0, openDivergences: 0,
    },
  };
}
