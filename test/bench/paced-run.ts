// A service whose time is that of the events: so much of it goes by as they took. What it does per event is what it does at that pace, and the waiting
// between is left out. A process: `node paced-run.ts CONFIG EVENTS_PER_SECOND`, ended by SIGTERM; the configuration says how often it commits.
import { setTimeout } from 'node:timers/promises';

import '../../topology/cli/give-back.mjs';
import { openLogToWrite } from '../../topology/cli/open-log.ts';
import { runShare } from '../../topology/cli/run-share.ts';
import { loadConfig } from '../../topology/config.ts';
import type { Log, PartitionReader } from '../../topology/log/log.ts';
import type { Clock } from '../../topology/runtime/pacer.ts';

const config = loadConfig(process.argv[2]);
const eventsPerMs = Number(process.argv[3]) / 1000;
const inputs = config.pairs.flatMap(({ source, target }) => [source.topic, target.topic]);
const readers: PartitionReader[] = [];
let [total, readAtMs] = [0, NaN];

/** Once all is read, time goes on by itself, so that it is committed. */
function nowMs(): number {
  const read = readers.reduce((sum, { position }) => sum + position, 0);
  if (read < total || total === 0) return read / eventsPerMs;
  if (Number.isNaN(readAtMs)) readAtMs = performance.now();
  return read / eventsPerMs + performance.now() - readAtMs;
}

const stop = new AbortController();
process.on('SIGTERM', () => { stop.abort(); });
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const clock: Clock = { nowMs, sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined) };
const log = await openLogToWrite(config.log, { clock, say, signal: stop.signal });
const watched: Log = {
  ...log,
  async open(at, offset, options) {
    const reader = await log.open(at, offset, options);
    if (!inputs.includes(at.topic)) return reader;
    readers.push(reader);
    total += await log.endOffset(at);
    return reader;
  },
};
await runShare({ config, pairs: config.pairs, log: watched, clock, signal: stop.signal, say });
await log.close();
