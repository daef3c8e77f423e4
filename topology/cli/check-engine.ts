// The engine of `check`, `start` and `explain`: wires one pair after another (captures, decoders, topology, state store, embedded log)
// and runs it to the end of its input.
import { setImmediate } from 'node:timers/promises';
import { SIDES } from '../../schemas/change-event.ts';
import { overlayBytesMax, recordsInMemoryMax } from '../../schemas/limits.ts';
import type { PairSettings, SideSettings } from '../../schemas/pair.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import type { StoreEngine } from '../../stores/store.ts';
import { openWriteOverlay, type WriteOverlay } from '../../stores/write-overlay.ts';
import type { CheckOptions, CheckResult, ExplainRow, RecordedDecision } from '../check-types.ts';
import { openSideCaptures, type SideCaptures } from '../log/capture-side.ts';
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
import { requireBuilt } from './require-built.ts';
import { wirePair, type SideReaders } from './wire-pair.ts';

export async function runCheck(pairs: readonly PairSettings[], options: CheckOptions): Promise<CheckResult> {
  pairs.forEach(requireBuilt);
  const outcomes: PairOutcome[] = [];
  let before = 0;
  for (const pair of pairs) {
    const outcome = await runPair(pair, options, before, task => task.run(options.complete));
    before += outcome.task.recordsRead;
    outcomes.push(outcome);
  }
  return collectResult(outcomes);
}

/** The records of the pairs that have decisions, under these decisions. */
export async function runReplay(
  pairs: readonly PairSettings[], decisions: ReadonlyMap<string, readonly RecordedDecision[]>, options: CheckOptions,
): Promise<CheckResult> {
  pairs.forEach(requireBuilt);
  const outcomes: PairOutcome[] = [];
  for (const pair of pairs) {
    const recorded = decisions.get(pair.name);
    const before = outcomes.reduce((sum, { task }) => sum + task.recordsRead, 0);
    if (recorded !== undefined) outcomes.push(await runPair(pair, options, before, task => task.replay(recorded)));
  }
  return collectResult(outcomes);
}

/** Both sides' histories of one row key, with what a check of the pair finds about them. */
export function explainKey(pair: PairSettings, key: string, options: CheckOptions): Promise<ExplainRow[]> {
  return explainRowKey(pair, key, options, runCheck);
}

async function runPair(
  settings: PairSettings, options: CheckOptions, recordsBefore: number, run: (task: PairTask) => Promise<void>,
): Promise<PairOutcome> {
  const captures: [SideCaptures, SideCaptures] = [await openSide(settings.source, options), await openSide(settings.target, options)];
  let engine: StoreEngine | undefined;
  try {
    engine = await openEngine(captures, options);
    const log = openEmbeddedLog();
    const task = await wire(settings, captures, engine, log, options, recordsBefore);
    if (options.observer !== undefined) for (const { shard } of task.shards) observe(shard, options.observer);
    await run(task);
    return { settings, task, log, warnings: captures.flatMap((side, i) => absentWarnings(settings.name, i, side)) };
  } finally {
    await engine?.close();
    for (const capture of captures) await capture.close();
  }
}

/** Not an error: the same configuration serves where the topics are read. But what was asked for is not there, and nobody should wait for it. */
function absentWarnings(pair: string, side: number, { absent }: SideCaptures): string[] {
  return absent.map(topic => `pair "${pair}", ${SIDES[side]}: the captures hold no line of the topic ${topic}, so it proves nothing; name its capture with transactionFile or heartbeat.file`);
}

function openSide(side: SideSettings, options: CheckOptions): Promise<SideCaptures> {
  return openSideCaptures(side, { skipBadLines: options.skipBadLines });
}

/** A small capture needs no database; a large one keeps what it remembers out of memory. */
async function openEngine(captures: readonly SideCaptures[], options: CheckOptions): Promise<StoreEngine> {
  const records = captures.reduce((sum, capture) => sum + capture.totalRecords, 0);
  const families = [...STORES];
  if (options.store !== 'rocksdb' && (options.store === 'memory' || records <= recordsInMemoryMax)) return openMemoryStore(families);
  const { openTemporaryState } = await import('./temporary-state.ts');
  return openTemporaryState(families, options.stateDirectory);
}

async function wire(
  settings: PairSettings, captures: readonly [SideCaptures, SideCaptures], engine: StoreEngine, log: Log, options: CheckOptions, recordsBefore: number,
): Promise<PairTask> {
  const total = { records: captures[0].totalRecords + captures[1].totalRecords, bytes: captures[0].totalBytes + captures[1].totalBytes };
  const overlay = openWriteOverlay(engine, 'read-through');
  const nodes = wirePair(settings, [readersOf(captures[0]), readersOf(captures[1])], {
    outputs: DEFAULT_OUTPUTS, shards: options.shards ?? 1, overlay,
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
        totalRecords: recordsBefore + total.records,
        bytes: Math.round((total.bytes * recordsRead) / Math.max(1, total.records)),
        watermarkUs: Math.min(...nodes.members.map(member => member.claim.maxTimeUs - settings.window.latenessUs)),
      });
      await setImmediate();
    },
  });
}

export function readersOf({ rows, transactions, heartbeat, readUpToMs }: SideCaptures): SideReaders {
  return { rows: rows.partitions, beside: [...transactions, ...heartbeat], readUpToMs };
}

/** Outputs first, then state: the store is never ahead of what was published (architecture.md §4). */
async function commit(settings: PairSettings, collector: RecordCollector, overlay: WriteOverlay, engine: StoreEngine, writer: LogWriter): Promise<void> {
  const records = collector.drain();
  if (records.length > 0) await writer.append({ records, positions: [], group: settings.name });
  if (overlay.sizeBytes >= overlayBytesMax) engine.write(overlay.drain());
}
