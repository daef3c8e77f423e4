// Wires one pair: readers of its topics, decoders, the topology's processors over their stores. What a commit is, and where state lies, is
// the caller's: a one-shot check, or the long-running service.
import { createClaim, type PartitionClaim } from '../../processors/claims.ts';
import { endEvidenceUs, sideEvidence, type PairEvidence, type SideEvidence } from '../../processors/evidence.ts';
import type { Publishing, ShardVerdict } from '../../processors/merge-processor.ts';
import type { Processor } from '../../processors/processor.ts';
import type { Memory, ReconcileProcessor } from '../../processors/reconcile-processor.ts';
import { createTransactionCounts, type TransactionCounts } from '../../processors/transaction-counts.ts';
import { SIDES, SOURCE, TARGET } from '../../schemas/change-event.ts';
import { columnEquality } from '../../schemas/canonical/compare.ts';
import type { PairContext } from '../../schemas/decoder.ts';
import { createDecoder } from '../../schemas/formats/registry.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { sideOf, type PairSettings, type SideSettings } from '../../schemas/pair.ts';
import type { WriteOverlay } from '../../stores/write-overlay.ts';
import type { PartitionReader } from '../log/log.ts';
import { reconcile, type OutputTopics } from '../reconcile.ts';
import { auxiliaryMember, type AuxiliaryMember } from '../runtime/auxiliaries.ts';
import { createNodeGraph, type GraphPart } from '../runtime/node-graph.ts';
import type { PairTaskParts } from '../runtime/pair-task.ts';
import type { GroupMember } from '../runtime/partition-group.ts';
import { createRecordCollector, type RecordCollector } from '../runtime/record-collector.ts';
import type { Routing } from '../runtime/record-intake.ts';
import { shardStore } from '../runtime/shard-store.ts';
import type { Topology } from '../topology.ts';

/** Readers of one side: its rows, and the topics beside them. */
export interface SideReaders {
  readonly rows: readonly PartitionReader[];
  readonly beside: readonly PartitionReader[];
  /** A time of the log at which it held no more than these readers give, milliseconds, NaN where it is not known. Left out where they follow the log. */
  readonly readUpToMs?: () => number;
  /** Where they follow it: what its clock says now, milliseconds. */
  readonly nowMs?: () => number;
}

/** What a task is made of, but for what a commit is. */
export interface PairNodes extends Pick<PairTaskParts, 'settings' | 'members' | 'graph' | 'collector' | 'decoders' | 'routing'> {
  readonly auxiliaries: readonly AuxiliaryMember[];
  readonly evidence: PairEvidence;
  readonly noteTime: () => void;
  readonly context: PairContext;
  readonly topology: Topology;
  readonly shards: readonly ReconcileProcessor[];
  readonly counts: TransactionCounts;
}

export interface WireParts {
  readonly outputs: OutputTopics;
  readonly shards: number;
  readonly overlay: WriteOverlay;
  /** When verdicts are published; undefined: each once, at the end. */
  readonly publishing?: Publishing;
  /** How long closed windows are remembered; undefined: for ever. */
  readonly memory?: Memory;
  /** `partition`: each shard has the changes of one partition, as the tasks of a pair have them. */
  readonly routing?: Routing | undefined;
  /** False where other tasks have other shards of the pair. */
  readonly alone?: boolean;
  /** One sub-topology by itself. */
  readonly part?: GraphPart;
}

export function wirePair(settings: PairSettings, sides: readonly [SideReaders, SideReaders], { outputs, shards, overlay, publishing, memory, routing, alone = true, part }: WireParts): PairNodes {
  const context = createPairContext(settings);
  const members = [SOURCE, TARGET].flatMap(side => sides[side].rows.map((reader): GroupMember => ({
    reader, claim: createClaim(side, reader.topic, reader.partition, reader.position),
  })));
  const readUpToUs = sides.map((side, i) => (needsReadTime(sideOf(settings, SIDES[i])) ? (side.readUpToMs?.() ?? NaN) * 1000 : NaN));
  const auxiliaries = [SOURCE, TARGET].flatMap(side => sides[side].beside.map(reader => auxiliaryMember(settings, side, reader, readUpToUs[side])));
  const evidenceOf = (side: number): SideEvidence =>
    sideEvidence(settings, side, auxiliaries.map(({ beats }) => beats).filter(beats => beats.side === side), readUpToUs[side]);
  const evidence: PairEvidence = [evidenceOf(SOURCE), evidenceOf(TARGET)];
  const claims = members.map(({ claim }) => claim);
  const partitionsOf = (shard: number): readonly PartitionClaim[] => (routing === 'partition' ? claims.filter(({ partition }) => partition === shard) : claims);
  const topology = reconcile(context, partitionsOf, columnEquality(context), outputs, { publishing, memory, alone: alone && shards === 1 });
  const collector = createRecordCollector(topology);
  const graph = createNodeGraph(topology, shards, (shard, store) => shardStore(overlay, store, shard), collector, part);
  const instances = graph.instances('reconcile') as unknown as readonly ReconcileProcessor[];
  return {
    settings, members, auxiliaries, evidence, routing, noteTime: () => { noteEnds(settings, evidence, sides); }, graph, collector, context, topology,
    decoders: [createDecoder(context, 'source'), createDecoder(context, 'target')],
    shards: instances,
    counts: createTransactionCounts(instances.map(({ shard }) => shard), claims),
  };
}

/** What a merge task is made of. */
export interface MergeNodes { readonly merge: Processor<ShardVerdict>; readonly collector: RecordCollector; readonly topology: Topology }

export function wireMerge(settings: PairSettings, { outputs, overlay, alone }: Pick<WireParts, 'outputs' | 'overlay'> & { readonly alone: boolean }): MergeNodes {
  const context = createPairContext(settings);
  const topology = reconcile(context, () => [], columnEquality(context), outputs, { publishing: 'at-close', alone });
  const collector = createRecordCollector(topology);
  const onward = (child: string): never => { throw new Error(`the merge passes on to ${child}, which is no sink`); };
  const graph = createNodeGraph(topology, 1, (shard, store) => shardStore(overlay, store, shard), collector, { subTopology: 'merge', onward });
  return { merge: graph.instances('merge')[0] as Processor<ShardVerdict>, collector, topology };
}

/** The clock of a log that is followed comes in here: before the end of its partitions is found, never after it. */
function noteEnds(settings: PairSettings, evidence: PairEvidence, sides: readonly [SideReaders, SideReaders]): void {
  for (const side of [SOURCE, TARGET]) {
    const { nowMs } = sides[side];
    if (nowMs !== undefined) evidence[side].endUs = Math.max(evidence[side].endUs, endEvidenceUs(settings, side, nowMs() * 1000));
  }
}

/** Evidence that counts from the time at which the end of the log was read. */
function needsReadTime({ captureDelayUs, transactions, heartbeat, delivery }: SideSettings): boolean {
  return captureDelayUs !== undefined || (delivery === 'at-least-once' && (transactions ?? heartbeat) !== undefined);
}
