// The engine of `check`, `start` and `explain`: wires one pair after another (captures, decoders, topology, state store, embedded log)
// and runs it to the end of its input.
import { setImmediate } from 'node:timers/promises';
import { SIDES } from '../../schemas/change-event.ts';
import { overlayBytesMax, recordsInMemoryMax } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import type { StoreEngine } from '../../stores/store.ts';
import { openWriteOverlay, type WriteOverlay } from '../../stores/write-overlay.ts';
import type { CheckOptions, CheckResult, ExplainRow, RecordedDecision } from '../check-types.ts';
import { openEmbeddedLog } from '../log/embedded-log.ts';
import type { Log, LogWriter } from '../log/log.ts';
import { observe } from './observe-key.ts';
import { STORES } from '../runtime/task-state.ts';
import { createPairTask, type PairTask } from '../runtime/pair-task.ts';
import type { RecordCollector } from '../runtime/record-collector.ts';
import { DEFAULT_OUTPUTS } from '../reconcile.ts';
import { sinksOf } from '../topology.ts';
import { collectResult, type PairOutcome } from './check-result.ts';
import { explainRowKey } from './explain-key.ts';
import { openSideInput, readersOf, topicsLog, type SideInput, type TopicsLog } from './side-input.ts';
import { wirePair } from './wire-pair.ts';

export async function runCheck(pairs: readonly PairSettings[], options: CheckOptions): Promise<CheckResult> {
  return runPairs(pairs, options, () => task => task.run(options.complete));
}

/** The records of the pairs that have decisions, under these decisions. */
export async function runReplay(
  pairs: readonly PairSettings[], decisions: ReadonlyMap<string, readonly RecordedDecision[]>, options: CheckOptions,
): Promise<CheckResult> {
  return runPairs(pairs.filter(({ name }) => decisions.has(name)), options, ({ name }) => task => task.replay(decisions.get(name) ?? []));
}

type Running = (task: PairTask) => Promise<void>;

async function runPairs(pairs: readonly PairSettings[], options: CheckOptions, how: (pair: PairSettings) => Running): Promise<CheckResult> {
  const outcomes: PairOutcome[] = [];
  const topics = topicsLog(options.log);
  try {
    for (const pair of pairs) {
      const before = outcomes.reduce((sum, { task }) => sum + task.recordsRead, 0);
      outcomes.push(await runPair(pair, topics, options, before, how(pair)));
    }
  } finally {
    await topics.close();
  }
  return collectResult(outcomes);
}

/** Both sides' histories of one row key, with what a check of the pair finds about them. */
export function explainKey(pair: PairSettings, key: string, options: CheckOptions): Promise<ExplainRow[]> {
  return explainRowKey(pair, key, options, runCheck);
}

async function runPair(
  settings: PairSettings, topics: TopicsLog, options: CheckOptions, recordsBefore: number, run: Running,
): Promise<PairOutcome> {
  const inputs: [SideInput, SideInput] = [await openSideInput(settings.source, topics, options), await openSideInput(settings.target, topics, options)];
  let engine: StoreEngine | undefined;
  try {
    engine = await openEngine(inputs, options);
    const log = openEmbeddedLog();
    const task = await wire(settings, inputs, engine, log, options, recordsBefore);
    if (options.observer !== undefined) for (const { shard } of task.shards) observe(shard, options.observer);
    await run(task);
    return { settings, task, log, warnings: inputs.flatMap((side, i) => absentWarnings(settings.name, i, side)) };
  } finally {
    await engine?.close();
    for (const input of inputs) await input.close();
  }
}

/** Not an error: the same configuration serves where the topics are read. But what was asked for is not there, and nobody should wait for it. */
function absentWarnings(pair: string, side: number, { absent }: SideInput): string[] {
  return absent.map(topic => `pair "${pair}", ${SIDES[side]}: the captures hold no line of the topic ${topic}, so it proves nothing; name its capture with transactionFile or heartbeat.file`);
}

/** A small capture needs no database; a large one keeps what it remembers out of memory. */
async function openEngine(inputs: readonly SideInput[], options: CheckOptions): Promise<StoreEngine> {
  const records = inputs.reduce((sum, input) => sum + input.totalRecords, 0);
  const families = [...STORES];
  if (options.store !== 'rocksdb' && (options.store === 'memory' || records <= recordsInMemoryMax)) return openMemoryStore(families);
  const { openTemporaryState } = await import('./temporary-state.ts');
  return openTemporaryState(families, options.stateDirectory, options.stateEngine);
}

async function wire(
  settings: PairSettings, inputs: readonly [SideInput, SideInput], engine: StoreEngine, log: Log, options: CheckOptions, recordsBefore: number,
): Promise<PairTask> {
  const records = inputs[0].totalRecords + inputs[1].totalRecords;
  const bytes = (inputs[0].totalBytes ?? NaN) + (inputs[1].totalBytes ?? NaN);
  const overlay = openWriteOverlay(engine);
  const split = options.splits?.get(settings.name);
  const nodes = wirePair(settings, [readersOf(inputs[0]), readersOf(inputs[1])], {
    outputs: DEFAULT_OUTPUTS, shards: split ?? options.shards ?? 1, overlay, ...(split === undefined ? {} : { routing: 'partition' }),
    ...(options.publish === undefined ? {} : { publishing: options.publish }), ...(options.memory === undefined ? {} : { memory: options.memory }),
  });
  for (const sink of sinksOf(nodes.topology)) await log.createTopic(sink.topic, { partitions: 1, cleanup: sink.cleanup });
  const writer = await log.writer(settings.name);
  return createPairTask({
    ...nodes,
    commit: () => commit(settings, nodes.collector, overlay, engine, writer),
    async pause(recordsRead) {
      options.signal?.throwIfAborted();
      options.onProgress?.({
        records: recordsBefore + recordsRead,
        totalRecords: recordsBefore + records,
        bytes: Number.isNaN(bytes) ? undefined : Math.round((bytes * recordsRead) / Math.max(1, records)),
        watermarkUs: Math.min(...nodes.members.map(member => member.claim.maxTimeUs - settings.window.latenessUs)),
      });
      await setImmediate();
    },
  });
}

/** Outputs first, then state: the store is never ahead of what was published (architecture.md §4). */
async function commit(settings: PairSettings, collector: RecordCollector, overlay: WriteOverlay, engine: StoreEngine, writer: LogWriter): Promise<void> {
  const records = collector.drain();
  if (records.length > 0) await writer.append({ records, positions: [], group: settings.name });
  if (overlay.sizeBytes >= overlayBytesMax) engine.write(overlay.drain());
}
