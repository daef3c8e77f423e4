// What a reconcile task is made of: its inputs, its nodes, its state, and the words that it appends beside them.
import type { ShardVerdict } from '../../processors/merge-processor.ts';
import type { SideSettings } from '../../schemas/pair.ts';
import { outputBytesMax, overlayBytesMax } from '../../schemas/limits.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import type { AppendRecord } from '../log/log.ts';
import { verifyPlaces } from '../runtime/co-partitioning.ts';
import { createReconcileTask, type ReconcileTask } from '../runtime/reconcile-task.ts';
import { windowsTopicOf } from '../runtime/task-id.ts';
import { openTaskState, positionsOf } from '../runtime/task-state.ts';
import { toRecords } from '../runtime/words.ts';
import type { OpenedTask, TaskContext } from './run-task.ts';
import { openInputs, topicIdsOf } from './service-inputs.ts';
import { wirePair, type SideReaders } from './wire-pair.ts';

export async function openReconcile({ task: { partition }, plan: { pair, reconcileTasks }, parts, group, engine, wake, onEnd }: TaskContext): Promise<OpenedTask> {
  const { log, outputs, application, sliceRecords } = parts;
  const isOneOfSeveral = reconcileTasks > 1;
  const open = async (side: SideSettings): Promise<SideReaders> => {
    const inputs = await openInputs(pair, side, { log, group, wake, logNowMs: parts.logNowMs, signal: parts.signal, partition: isOneOfSeveral ? partition : undefined });
    onEnd(() => inputs.close());
    return inputs.readers;
  };
  const heard: ShardVerdict[] = [];
  const overlay = openWriteOverlay(engine);
  const nodes = wirePair(pair, [await open(pair.source), await open(pair.target)], {
    outputs, shards: 1, overlay, memory: 'window.retain', alone: !isOneOfSeveral,
    part: { subTopology: 'reconcile', onward: (_, value) => void heard.push(value as ShardVerdict) },
  });
  const claims = nodes.members.map(({ claim }) => claim);
  const positions = (): ReturnType<typeof positionsOf> => positionsOf(claims, nodes.auxiliaries);
  const state = openTaskState({ ...nodes, engine, overlay, claims, topicIds: await topicIdsOf(log, positions()) });
  let words: AppendRecord[] = [];
  let running: ReconcileTask | undefined;
  return {
    restored: state.positions, topology: nodes.topology,
    watched: { shards: nodes.shards, members: nodes.members, evidence: nodes.evidence, get recordsRead() { return running?.recordsRead ?? state.restored?.recordsRead ?? 0; } },
    isFull: () => overlay.sizeBytes >= overlayBytesMax || nodes.collector.sizeBytes >= outputBytesMax,
    committable: {
      inputPositions: positions,
      sealState: () => (running === undefined ? [] : state.seal(running.place())),
      expired: () => state.expired(),
      drainOutputs() {
        const said = words;
        words = [];
        return [...nodes.collector.drain(), ...said];
      },
    },
    follow(pacer) {
      running = createReconcileTask({
        ...nodes, shard: nodes.shards[0], heard, from: state.restored, commit: () => pacer.commitIfDue(), pause: () => pacer.turn(running?.gateUs ?? -Infinity),
        say: word => void words.push(...toRecords({ topic: windowsTopicOf(application, pair.name, pair), partition }, word)),
        several: isOneOfSeveral ? { isFirst: partition === 0, verify: verifyPlaces(pair, reconcileTasks) } : undefined,
        ...(sliceRecords === undefined ? {} : { sliceRecords }),
      });
      return running.follow(() => pacer.more());
    },
  };
}
