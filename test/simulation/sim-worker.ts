// One worker of `npm run sim`: every `jobs`-th seed, told one by one.
import { parentPort, workerData } from 'node:worker_threads';
import { type Failure, noTotals, type Totals, trySeed } from './sweep.ts';

export interface Share { readonly profiles: readonly string[]; readonly each: boolean; readonly first: number; readonly end: number; readonly step: number; readonly events: number | undefined }
/** What a worker says after each seed: its totals so far, and the failures of that seed. */
export interface Tried { readonly totals: Totals; readonly failures: readonly Failure[] }

const { profiles, each, first, end, step, events } = workerData as Share;
const totals = noTotals();
for (let seed = first; seed < end; seed += step) {
  const failures = await trySeed(profiles, each, seed, totals, events);
  parentPort?.postMessage({ totals, failures } satisfies Tried);
}
