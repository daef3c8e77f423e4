// What a merge task is made of: the words of its pair's reconcile tasks, the merge processor over its store, and its state.
import { outputBytesMax, overlayBytesMax } from '../../schemas/limits.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import type { PartitionReader } from '../log/log.ts';
import { openMergeState } from '../runtime/merge-state.ts';
import { createMergeTask } from '../runtime/merge-task.ts';
import { windowsTopicOf } from '../runtime/task-id.ts';
import type { OpenedTask, TaskContext } from './run-task.ts';
import { openFollowing, topicIdsOf } from './service-inputs.ts';
import { wireMerge } from './wire-pair.ts';

export async function openMerge({ plan: { pair, reconcileTasks }, parts: { application, log, outputs, signal }, group, engine, wake, onEnd }: TaskContext): Promise<OpenedTask> {
  const topic = windowsTopicOf(application, pair.name, pair);
  const readers: PartitionReader[] = [];
  for (let partition = 0; partition < reconcileTasks; partition++) {
    const reader = await openFollowing(pair, { topic, partition }, { log, group, wake, signal });
    onEnd(() => reader.close());
    readers.push(reader);
  }
  const overlay = openWriteOverlay(engine);
  const { merge, collector, topology } = wireMerge(pair, { outputs, overlay, alone: reconcileTasks === 1 });
  const state = openMergeState({ engine, overlay, pair, topicIds: await topicIdsOf(log, readers) });
  const task = createMergeTask({ settings: pair, readers, merge, collector, from: state.restored?.place });
  return {
    restored: state.restored?.positions, topology,
    isFull: () => overlay.sizeBytes >= overlayBytesMax || collector.sizeBytes >= outputBytesMax,
    committable: { inputPositions: () => task.positions(), sealState: () => state.seal(task.place(), task.positions()), drainOutputs: () => collector.drain() },
    follow: pacer => task.follow({ more: () => pacer.more(), pause: () => pacer.turn(task.place().gateUs ?? -Infinity) }),
  };
}
