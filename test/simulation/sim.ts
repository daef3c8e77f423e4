// `npm run sim -- --seed N --count M`: the simulator over many seeds, in all profiles or in one. Exit code 0: nothing failed; 1: a seed
// failed, told on standard output with the commands that repeat it; 2: wrong usage.
import { availableParallelism } from 'node:os';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { add, coverageTable } from './coverage.ts';
import { PROFILES } from './profiles.ts';
import { parseRegression } from './regressions.ts';
import type { Share, Tried } from './sim-worker.ts';
import { describeFailure, type Failure, noTotals, told, type Totals } from './sweep.ts';

const USAGE = `npm run sim -- [--seed N] [--count M] [--profile NAME[,NAME]] [--events N] [--each] [--jobs N] [--all] | --plan FILE
  --seed N      first seed (1)
  --count M     number of seeds (1000); each is tried in one profile, in turn
  --profile     only these:
${Object.entries(PROFILES).map(([name, { about }]) => `                  ${name.padEnd(15)} ${about}`).join('\n')}
  --events N    source changes of a plan, about (what the profile has: 80 to 150)
  --each        every seed in every profile
  --jobs N      workers (one less than the machine has cores)
  --all         do not stop at the first failure: list every seed that fails, and make the first one small
  --plan FILE   one plan, as a failure or test/simulation/regressions has it
`;

function main(): Promise<number> | number {
  let values;
  try {
    const text = { type: 'string' } as const;
    ({ values } = parseArgs({ options: { seed: text, count: text, profile: text, jobs: text, plan: text, events: text, all: { type: 'boolean' }, each: { type: 'boolean' }, help: { type: 'boolean' } } }));
  } catch (error) {
    return misused((error as Error).message);
  }
  if (values.help === true) return out(USAGE, 0);
  if (values.plan !== undefined) return runPlan(values.plan);
  const profiles = values.profile?.split(',') ?? Object.keys(PROFILES);
  const unknown = profiles.find(name => !Object.hasOwn(PROFILES, name));
  if (unknown !== undefined) return misused(`there is no profile "${unknown}"`);
  const [first, count, jobs] = [values.seed ?? '1', values.count ?? '1000', values.jobs ?? String(Math.max(1, availableParallelism() - 1))].map(Number);
  const isNumber = Number.isSafeInteger(first) && first >= 0 && Number.isSafeInteger(count) && count > 0 && Number.isSafeInteger(jobs) && jobs > 0 && Number(values.events ?? 1) > 0;
  if (!isNumber) return misused('--seed, --count, --events and --jobs are whole numbers; count and jobs at least 1');
  return sweep({ profiles, each: values.each === true, first, end: first + count, step: Math.min(jobs, count), events: values.events === undefined ? undefined : Number(values.events) }, values.all === true);
}

function misused(what: string): number {
  process.stderr.write(`sim: ${what}\n${USAGE}`);
  return 2;
}

function out(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

async function runPlan(file: string): Promise<number> {
  const { why, complete, profile, plan } = parseRegression(file, readFileSync(file, 'utf8'));
  const lines = await told(PROFILES[profile], plan, complete);
  return lines.length === 0 ? out(`${file} (${why}): nothing wrong\n`, 0) : out(`${file} (${why}):\n${lines.map(line => `  ${line}\n`).join('')}`, 1);
}

async function sweep(share: Share, all: boolean): Promise<number> {
  const startedMs = performance.now();
  const failures: Failure[] = [];
  const totals = await runWorkers(share, failures, all);
  const range = `seeds ${share.first} to ${share.end - 1}`;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const amount = `${totals.seeds} seeds in ${share.profiles.join(', ')}${share.each ? ' each' : ''}; ${totals.runs} runs, ${totals.sourceEvents} source and ${totals.targetEvents} target events, ${seconds} s`;
  out(coverageTable(totals.covered), 0);
  if (failures.length === 0) return out(`${range}: nothing failed. ${amount}\n`, 0);
  failures.sort((a, b) => a.seed - b.seed);
  out(`${range}: FAILED after ${amount}\n`, 1);
  if (all) out(failures.map(({ profile, seed, lines }) => `  ${profile} ${seed}: ${lines[0]}\n`).join(''), 1);
  return out(`${await describeFailure(failures[0])}\n`, 1);
}

/** Adds what fails to `failures`; ends at the first one unless `all` is set. */
async function runWorkers(share: Share, failures: Failure[], all: boolean): Promise<Totals> {
  const totals: Totals[] = [];
  const progress = createProgress(share.end - share.first);
  const workers = Array.from({ length: share.step }, (_, i) => new Worker(new URL('./sim-worker.ts', import.meta.url), { workerData: { ...share, first: share.first + i } }));
  await Promise.all(workers.map((worker, i) => new Promise<void>((resolve, reject) => {
    worker.on('message', (tried: Tried) => {
      totals[i] = tried.totals;
      failures.push(...tried.failures);
      // At once, beside the progress: a long run that is broken off has said what it found.
      for (const { profile, seed, lines } of tried.failures) process.stderr.write(`\n${profile} ${seed}: ${lines[0]}\n`);
      progress(sum(totals).seeds, failures.length);
      if (tried.failures.length > 0 && !all) for (const other of workers) void other.terminate();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  })));
  return sum(totals);
}

function sum(totals: readonly Totals[]): Totals {
  const all = noTotals();
  for (const part of totals.filter(some => some !== undefined)) {
    for (const name of ['seeds', 'runs', 'sourceEvents', 'targetEvents'] as const) all[name] += part[name];
    for (const [profile, covered] of Object.entries(part.covered)) add(all.covered[profile] ??= {}, covered);
  }
  return all;
}

/** On standard error: a line that is written over on a terminal, else one every ten seconds. */
function createProgress(count: number): (done: number, failed: number) => void {
  const { stderr } = process;
  const everyMs = stderr.isTTY ? 200 : 10_000;
  let lastMs = performance.now();
  return (done, failed) => {
    if (performance.now() - lastMs < everyMs && done < count) return;
    lastMs = performance.now();
    const line = `${done} of ${count} seeds${failed > 0 ? `, ${failed} failed` : ''}`;
    stderr.write(stderr.isTTY ? `\r${line}${done >= count ? '\n' : ''}` : `${line}\n`);
  };
}

process.exitCode = await main();
