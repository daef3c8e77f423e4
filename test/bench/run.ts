// The whole of `run` on a durable log with RocksDB and changelog: its events per CPU-second beside those of a `check` of the same topics, and what it
// writes for them. Two ways: catching up, as fast as it goes; and at live pace, where it commits once a second of event time.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { openLogView, type LogView } from '../../topology/log/durable/log-view.ts';
import { groupOf } from '../../topology/runtime/task-id.ts';
import { fillLog } from './fill-log.ts';
import { metered, type Metered, type Used } from './metered.ts';

const PARTITIONS = 4;
const MAIN = join(import.meta.dirname, '../../topology/cli/paritas.mjs');
const PACED = join(import.meta.dirname, 'paced-run.ts');
/** Of both sides, as the captures have them. */
const EVENTS_PER_SECOND = 2000;
const [SOURCE, TARGET] = ['source.shop.orders', 'target.shop.orders'];
const CONFIG = `application: bench
log: { embedded: { directory: ./log } }
state: { directory: ./state }
commit: { interval: INTERVAL }
pairs:
  - name: orders
    source: { topic: ${SOURCE}, format: debezium-json, replicaIdentity: full }
    target: { topic: ${TARGET}, format: debezium-json, replicaIdentity: full }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin_lsn }
    window: { size: 1s, lateness: 500ms, lag: 2s, skew: 100ms }
    columns: { ignore: [origin_lsn] }
`;

type Figures = Readonly<Record<string, number | undefined>>;
export interface RunFigures { readonly check: Figures; readonly catchUp: Figures; readonly livePace: Figures }

/** `folder`: one with nothing else of importance; the log is made in it. Each figure is of the median run. */
export async function measureRun(folder: string, capture: Parameters<typeof fillLog>[1], repeat: number): Promise<RunFigures> {
  mkdirSync(folder, { recursive: true });
  const filled = join(folder, 'filled');
  await fillLog(filled, capture, PARTITIONS);
  const runs: { check: Figures; catchUp: Figures; livePace: Figures }[] = [];
  for (let n = 0; n < repeat; n++) {
    const events = capture.sourceRecords + capture.targetRecords;
    const inPlace = async (interval: string, what: (configFile: string) => Promise<Figures>): Promise<Figures> => {
      rmSync(join(folder, 'log'), { recursive: true, force: true });
      rmSync(join(folder, 'state'), { recursive: true, force: true });
      cpSync(filled, join(folder, 'log'), { recursive: true });
      const configFile = join(folder, 'paritas.yaml');
      writeFileSync(configFile, CONFIG.replace('INTERVAL', interval));
      return what(configFile);
    };
    const service = (start: (configFile: string) => Metered) => async (configFile: string): Promise<Figures> => figuresOf(folder, filled, events, await serve(folder, start(configFile)));
    const check = await inPlace('500ms', async configFile => usedFor(events, await metered(MAIN, ['check', '--config', configFile, '-o', 'jsonl']).ended));
    const catchUp = await inPlace('500ms', service(configFile => metered(MAIN, ['run', '--config', configFile])));
    // A task reads two windows of a second in one slice, 250 ms of its own records each: with more than that every other commit would be left out.
    const livePace = await inPlace('200ms', service(configFile => metered(PACED, [configFile, String(EVENTS_PER_SECOND)])));
    runs.push({ check, catchUp: { toCheck: ratio(catchUp, check), ...catchUp }, livePace: { toCheck: ratio(livePace, check), ...livePace } });
  }
  const median = (of: keyof RunFigures): Figures => runs.map(run => run[of]).sort((a, b) => rank(a) - rank(b))[Math.floor(repeat / 2)];
  return { check: median('check'), catchUp: median('catchUp'), livePace: median('livePace') };
}

/** Ratios are of one round, in which the machine was one machine. */
function rank({ toCheck, eventsPerCpuSecond }: Figures): number {
  return toCheck ?? eventsPerCpuSecond ?? NaN;
}

function ratio(a: Figures, b: Figures): number {
  return rounded(rank(a) / rank(b), 2);
}

/** Lets it read all there is and say all it has to say, then ends it. */
async function serve(folder: string, { child, ended }: Metered): Promise<Served> {
  // An end before its time is told by `ended`.
  ended.catch(() => undefined);
  const tally = createTally();
  for (let before = ''; child.exitCode === null; await setTimeout(1000)) {
    const now = await withView(join(folder, 'log'), async view => {
      await tally.take(view);
      return endsIn(view);
    });
    if (now !== '' && now === before) break;
    before = now;
  }
  child.kill('SIGTERM');
  const used = await ended;
  await withView(join(folder, 'log'), view => tally.take(view));
  return { used, written: tally.written };
}

/** Where every topic ends but the status, as one line; empty while the inputs are not read to their end. */
async function endsIn(view: LogView): Promise<string> {
  const ends: string[] = [];
  for (const [topic, partition] of await partitionsIn(view)) {
    const at = { topic, partition };
    const end = await view.endOffset(at);
    if (isInput(topic) && await view.committed(groupOf('bench', { pair: 'orders', subTopology: 'reconcile', partition }), at) !== end) return '';
    if (topic !== 'paritas.status') ends.push(`${topic}-${partition}@${end}`);
  }
  return ends.join(' ');
}

function usedFor(events: number, { cpuSeconds, maxRssMb, sliceP50Ms, sliceP99Ms, sliceCpuP99Ms }: Used): Figures {
  return { eventsPerCpuSecond: rounded(events / cpuSeconds), maxRssMb: rounded(maxRssMb), sliceP50Ms: rounded(sliceP50Ms, 1), sliceP99Ms: rounded(sliceP99Ms, 1), sliceCpuP99Ms: rounded(sliceCpuP99Ms, 1) };
}

/** What was written per event, beside what was used. RocksDB is given what the changelog is, key by key; what it makes of it is in its files and in all writes. */
function figuresOf(folder: string, filled: string, events: number, { used, written: { commits, changelog, rest } }: Served): Figures {
  const perEvent = (count: number): number => rounded(count / events, 4);
  return {
    ...usedFor(events, used), eventsPerCommit: rounded((events * PARTITIONS) / commits),
    changelogBytes: perEvent(changelog.bytes), changelogRecords: perEvent(changelog.records), otherBytes: perEvent(rest.bytes), otherRecords: perEvent(rest.records),
    // As they are at the end: compaction has taken what nobody needs any more.
    journalGrewBytes: perEvent(sizeOf(join(folder, 'log')) - sizeOf(filled)), storeFileBytes: perEvent(sizeOf(join(folder, 'state'))),
    ...(used.writtenBytes === undefined ? {} : { allWrittenBytes: perEvent(used.writtenBytes) }),
  };
}

interface Count { records: number; bytes: number }
/** To changelogs, and beside them words, outputs and status. Commits: of the reconcile tasks, which is how often the place of one was written. */
interface Written { commits: number; readonly changelog: Count; readonly rest: Count }
interface Served { readonly used: Used; readonly written: Written }

/** Counts what was appended since it looked last: later, compaction may have taken it. */
function createTally(): { readonly written: Written; take(view: LogView): Promise<void> } {
  const written: Written = { commits: 0, changelog: { records: 0, bytes: 0 }, rest: { records: 0, bytes: 0 } };
  const positions = new Map<string, number>();
  async function takeFrom(view: LogView, topic: string, partition: number): Promise<void> {
    const reader = await view.open({ topic, partition }, positions.get(`${topic}-${partition}`) ?? 0);
    const to = topic.endsWith('-changelog') ? written.changelog : written.rest;
    while (await reader.fill()) {
      while (reader.next()) {
        const { data, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
        to.records++;
        to.bytes += keyEnd - keyStart + valueEnd - valueStart;
        if (topic.endsWith('-reconcile-changelog') && data.toString('latin1', keyStart, keyEnd).endsWith('taskplace')) written.commits++;
      }
    }
    positions.set(`${topic}-${partition}`, reader.position);
    await reader.close();
  }
  return {
    written,
    async take(view) {
      for (const [topic, partition] of await partitionsIn(view)) if (!isInput(topic)) await takeFrom(view, topic, partition);
    },
  };
}

async function withView<T>(directory: string, use: (view: LogView) => Promise<T>): Promise<T> {
  const view = await openLogView(directory);
  try {
    return await use(view);
  } finally {
    await view.close();
  }
}

async function partitionsIn(view: LogView): Promise<[topic: string, partition: number][]> {
  const all: [string, number][] = [];
  for (const topic of await view.topics()) for (let partition = 0; partition < await view.partitions(topic); partition++) all.push([topic, partition]);
  return all;
}

function isInput(topic: string): boolean {
  return topic === SOURCE || topic === TARGET;
}

/** Of the files in a folder and below it. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => statSync(join(folder, name))).filter(stat => stat.isFile()).reduce((sum, { size }) => sum + size, 0);
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

