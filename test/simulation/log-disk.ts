// The log that outlives the service: in memory, or the durable one over files that die with their process, in the middle of an append too, and lose
// power. Whoever opens it anew finds every append that was acknowledged, and of the last one all or nothing.
import { openDurableLog, type DurableLog } from '../../topology/log/durable/durable-log.ts';
import { openEmbeddedLog } from '../../topology/log/embedded-log.ts';
import type { Log } from '../../topology/log/log.ts';
import { simulatedFiles } from '../support/simulated-files.ts';
import type { Kind } from './coverage.ts';
import type { Prng } from './prng.ts';

export interface LogDisk {
  /** As the present life has it. */
  readonly log: Log;
  /** Whether its process died while it wrote to its files. */
  readonly died: boolean;
  /** A life begins: it may be one that dies so. */
  begin(random: Prng, chance: number): void;
  /** A life is over, however it ended. */
  openAnew(random: Prng, covers: (kind: Kind) => void): Promise<void>;
}

export function memoryLogDisk(): LogDisk {
  return { log: openEmbeddedLog(), died: false, begin: () => undefined, openAnew: () => Promise.resolve() };
}

/** Calls of the file system within which a life that is to die at one dies: while it opens its tasks, or later. */
const CALLS = [20, 100, 400];

export async function durableLogDisk(): Promise<LogDisk> {
  const files = simulatedFiles();
  let torn = false;
  const open = (): Promise<DurableLog> => openDurableLog({ directory: 'log', fsync: 'always', segmentBytes: 32 << 10 }, {
    files, lock: () => () => { /* one process */ }, newId: () => Buffer.alloc(16, 7), notice: () => { torn = true; },
  });
  let log = await open();
  return {
    get log() { return log; },
    get died() { return (files.faults.crashIn ?? 0) < 0; },
    begin(random, chance) {
      files.faults = random.chance(chance) ? { crashIn: random.int(random.pick(CALLS)), crashShare: random.next() } : {};
    },
    async openAnew(random, covers) {
      const losesPower = random.chance(0.3);
      if (losesPower) files.losePower(() => random.next());
      else files.kill();
      torn = false;
      log = await open();
      covers('log opened anew');
      if (losesPower) covers('log power lost');
      if (torn) covers('log torn append cut off');
      if (!random.chance(0.2)) return;
      await log.maintain(0);
      covers('log compacted');
    },
  };
}
