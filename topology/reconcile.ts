// THE STORY. One pair's topology: the source's and the target's change log are joined in event time, per shard; each shard says of every
// window what it found; the shards' words are merged to one verdict, chained, and published.
//
//   source topic ─┐
//                 ├─ reconcile (one per shard) ── merge ──┬── decisions (audit)
//   target topic ─┘     │                                 ├── verdicts
//                       ├── dead letters                  └── manifests
//                       └── status
//
// `check` runs it in one task. `run` has a task for each shard, and one for the merge; between them lies the topic APPLICATION-PAIR-windows
// (runtime/reconcile-task.ts says words, runtime/merge-task.ts composes decisions of them).
//
// Beside its rows a side may have a transaction topic and a heartbeat topic: evidence of how far its log is complete, never judged.
//
// A record that cannot be judged (unreadable, without a row, late) is a dead letter, never lost. What is decided from outside the events
// (how far each partition was read when a window closed) is a decision, written to the audit topic before the verdicts that rest on it.
import { SIDES, type Side } from '../schemas/change-event.ts';
import type { PairContext } from '../schemas/decoder.ts';
import { sideOf, type SideSettings } from '../schemas/pair.ts';
import type { ColumnEquality } from '../processors/comparator.ts';
import type { PartitionClaim } from '../processors/claims.ts';
import { MERGE_STORE } from '../processors/merge-memory.ts';
import { createMergeProcessor, type Publishing } from '../processors/merge-processor.ts';
import { createReconcileProcessor, type Memory } from '../processors/reconcile-processor.ts';
import { createTopologyBuilder, type TopologyBuilder } from './topology-builder.ts';
import type { Topology } from './topology.ts';

/** Names of the output topics. */
export interface OutputTopics { readonly verdicts: string; readonly manifests: string; readonly deadLetters: string; readonly audit: string; readonly status: string }

export const DEFAULT_OUTPUTS: OutputTopics = {
  verdicts: 'paritas.verdicts', manifests: 'paritas.manifests', deadLetters: 'paritas.dead-letters', audit: 'paritas.audit', status: 'paritas.status',
};

export function reconcile(
  context: PairContext, partitionsOf: (shard: number) => readonly PartitionClaim[], columnEquals: ColumnEquality, outputs: OutputTopics,
  { publishing, memory = 'for-ever', alone = true }: { publishing?: Publishing | undefined; memory?: Memory | undefined; alone?: boolean | undefined } = {},
): Topology {
  const { settings } = context;
  const builder = createTopologyBuilder(settings.name).subTopology('reconcile');
  const sources = SIDES.flatMap(side => addSources(builder, side, sideOf(settings, side)));
  return builder
    .addProcessor('reconcile', createReconcileProcessor(context, partitionsOf, columnEquals, memory, alone), { parents: sources, instances: 'per-shard' })
    .addStateStore('history', { holds: 'identities and versions of closed windows, one blob per window', processors: ['reconcile'] })
    .addStateStore('ghosts', { holds: 'changes reported missing and snapshot rows not loaded, until they are', processors: ['reconcile'] })
    .addStateStore('divergences', { holds: 'row keys whose last versions differ', processors: ['reconcile'] })
    .addStateStore('findings', { holds: 'the last finding of each row key that has one', processors: ['reconcile'] })
    .addStateStore('rows', { holds: 'what the last change of each row key left behind, one blob per window and side', processors: ['reconcile'] })
    .addStateStore('carried', { holds: 'the last known values of carried columns, as prints, by side and row key', processors: ['reconcile'] })
    .addSink('dead-letters', { topic: outputs.deadLetters, parents: ['reconcile'], cleanup: 'delete' })
    .addSink('status', { topic: outputs.status, parents: ['reconcile'], cleanup: 'compact' })
    .subTopology('merge')
    .addProcessor('merge', createMergeProcessor(settings, publishing, alone), { parents: ['reconcile'], instances: 'one' })
    .addStateStore(MERGE_STORE, { holds: 'head of the chain of verdicts, windows that may yet be amended, and of several tasks what they said of transactions', processors: ['merge'] })
    .addSink('audit', { topic: outputs.audit, parents: ['merge'], cleanup: 'delete' })
    .addSink('verdicts', { topic: outputs.verdicts, parents: ['merge'], cleanup: 'delete' })
    .addSink('manifests', { topic: outputs.manifests, parents: ['merge'], cleanup: 'delete' })
    .build();
}

/** A side's rows, and the topics beside them that say how far its log is complete. Their names. */
function addSources(builder: TopologyBuilder, side: Side, { topic, format, transactions, heartbeat }: SideSettings): string[] {
  const beside = [[`${side}-transactions`, transactions], [`${side}-heartbeat`, heartbeat]] as const;
  const sources = [[side, topic] as const, ...beside.flatMap(([name, auxiliary]) => (auxiliary === undefined ? [] : [[name, auxiliary.topic] as const]))];
  for (const [name, of] of sources) builder.addSource(name, { topic: of, side, format });
  return sources.map(([name]) => name);
}
