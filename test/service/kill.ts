// A real service, a real disk, and SIGKILL. `paritas run` is started as a process, killed at random moments and started again on what it left
// behind, until it has read what a service reads that nobody disturbs. Then the output topics of both are held side by side.
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Prng } from '../simulation/prng.ts';
import { outputsIn, positionsIn, runUndisturbed } from './outputs.ts';
import { signalAfter, startService, type Place, type ServiceProcess } from './process.ts';

export interface KillPlan extends Place {
  readonly calm: Calm;
  readonly kills: number;
  readonly random: Prng;
  readonly say?: (line: string) => void;
}

export interface KillRun {
  readonly kills: number;
  /** Of the kills, those while it read records, and those before: the log opened, the state was restored. */
  readonly reading: number;
  readonly starting: number;
  /** Kills in each tenth of the input, by what was committed of it when the process was dead. */
  readonly byTenth: readonly number[];
  /** Commits that outlived a kill: the positions after it are others than after the one before. */
  readonly advanced: number;
  /** Lines that a service says only where something was not as it left it. */
  readonly notices: readonly string[];
  readonly records: number;
  /** What differs from the undisturbed run; empty: nothing. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

/** What a kill leaves is a lock that its process does not hold any more. */
const QUIET = /: (restoring|running|suspended|closed)$|lock: taken over from process/;
/** So long may a service be busy after the last kill. */
const END_MS = 120_000;

/** What an undisturbed service reads and says. */
export interface Calm { readonly end: Awaited<ReturnType<typeof positionsIn>>; readonly outputs: readonly string[]; readonly ms: number }

export async function calmRun(place: Place): Promise<Calm> {
  mkdirSync(place.folder, { recursive: true });
  const begunMs = performance.now();
  await runUndisturbed(place);
  return { ms: performance.now() - begunMs, end: await positionsIn(place), outputs: await outputsIn(place) };
}

export async function killRun(plan: KillPlan): Promise<KillRun> {
  const begunMs = performance.now();
  const tally = await killAll(plan);
  const rest = await runOn(plan, plan.calm);
  return { ...tally, ...rest, kills: plan.kills, notices: [...tally.notices, ...rest.notices], seconds: (performance.now() - begunMs) / 1000 };
}

/** Starts the service on what there is, lets it read as far as the undisturbed one, and ends it. */
export async function runOn(place: Place, { end, outputs }: Calm): Promise<Pick<KillRun, 'notices' | 'records' | 'differences'>> {
  const service = startService(place);
  await service.running;
  await until(async () => (await positionsIn(place)).text === end.text, service);
  service.child.kill('SIGTERM');
  const { code } = await service.gone;
  const is = await outputsIn(place);
  const ended = code === 0 ? [] : [`the last service ended with ${code}: ${service.lines.join('\n')}`];
  return { notices: noticesOf(service), records: is.length, differences: [...ended, ...differencesOf(is, outputs), ...twoContents(is)] };
}

async function killAll(plan: KillPlan): Promise<Pick<KillRun, 'reading' | 'starting' | 'byTenth' | 'advanced'> & { notices: string[] }> {
  const { kills, random, say, commitIntervalMs, calm: { end } } = plan;
  const tally = { reading: 0, starting: 0, advanced: 0, byTenth: new Array<number>(10).fill(0), notices: [] as string[] };
  let before = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const service = startService(plan);
    // One kill in six comes before there is work at all. The others are dealt over the input, and not over time: a process that has just begun is slow, and
    // with equal times nearly all of a hundred fell into the first fifth.
    if (random.chance(1 / 6)) {
      await signalAfter(service, random.int(800), 'SIGKILL');
    } else if (await service.running) {
      await readTo(plan, service, end.read * (kill - 1 + random.next()) / kills);
      await signalAfter(service, random.int(2 * commitIntervalMs), 'SIGKILL');
    }
    const { code, signal } = await service.gone;
    if (signal !== 'SIGKILL') throw new Error(`life ${kill} ended by itself, with ${code}: ${service.lines.join('\n')}`);
    tally[await service.running ? 'reading' : 'starting']++;
    tally.notices.push(...noticesOf(service));
    const { read } = await positionsIn(plan);
    tally.byTenth[Math.min(9, Math.floor(10 * read / end.read))]++;
    if (read !== before) tally.advanced++;
    before = read;
    if (kill % 10 === 0) say?.(`${kill} kills, ${read} of ${end.read} records read`);
  }
  return tally;
}

/** Until so many records are committed, or it is gone. */
async function readTo(plan: KillPlan, service: ServiceProcess, records: number): Promise<void> {
  let isGone = false;
  void service.gone.then(() => { isGone = true; });
  while (!isGone && (await positionsIn(plan)).read < records) await setTimeout(plan.commitIntervalMs);
}

function noticesOf({ lines }: ServiceProcess): string[] {
  return lines.filter(line => line !== '' && !QUIET.test(line));
}

async function until(holds: () => Promise<boolean>, service: ServiceProcess): Promise<void> {
  for (const begunMs = performance.now(); !(await holds()); await setTimeout(50)) {
    if (service.child.exitCode === null && service.child.signalCode === null && performance.now() - begunMs < END_MS) continue;
    throw new Error(`it did not come to its end (exit ${service.child.exitCode}): ${service.lines.join('\n')}`);
  }
}

function differencesOf(is: readonly string[], should: readonly string[]): string[] {
  const at = is.findIndex((line, i) => line !== should[i]);
  if (at < 0 && is.length === should.length) return [];
  const first = at < 0 ? is.length : at;
  return [`record ${first + 1} of ${is.length} (${should.length}) is ${is[first]}, and should be ${should[first]}`];
}

/** The first id of a record is its own. */
function twoContents(lines: readonly string[]): string[] {
  const known = new Map<string, string>();
  return lines.filter(line => {
    // What is resolved names the manifest that it resolves.
    if (line.includes('{"record":"resolved"')) return false;
    const id = /"(manifestId|verdictId|decisionId)":"[^"]*"/.exec(line)?.[0];
    if (id === undefined) return false;
    const other = known.get(id) ?? line;
    known.set(id, line);
    return other !== line;
  }).map(line => `an id with two contents: ${line}`);
}

