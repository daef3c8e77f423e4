// What is declared: frozen nodes, as data. They can be described, compared and tested without running anything.
import type { ProcessorFactory } from '../processors/processor.ts';
import type { Side } from '../schemas/change-event.ts';

export interface SourceNode { readonly kind: 'source'; readonly name: string; readonly topic: string; readonly side: Side; readonly format: string }

export interface ProcessorNode {
  readonly kind: 'processor';
  readonly name: string;
  /** Number of instances: one per shard, or one for all. */
  readonly instances: 'per-shard' | 'one';
  readonly factory: ProcessorFactory<never>;
  readonly parents: readonly string[];
  readonly stores: readonly string[];
}

/** A state store: a column family of its task's database, with a changelog topic where it must survive the machine. */
export interface StateStoreNode { readonly kind: 'store'; readonly name: string; readonly holds: string; readonly processors: readonly string[] }

export interface SinkNode { readonly kind: 'sink'; readonly name: string; readonly topic: string; readonly parents: readonly string[]; readonly cleanup: 'delete' | 'compact' }

export type TopologyNode = SourceNode | ProcessorNode | StateStoreNode | SinkNode;

export interface SubTopology { readonly name: string; readonly nodes: readonly TopologyNode[] }

export interface Topology { readonly pair: string; readonly subTopologies: readonly SubTopology[] }

export function nodesOf(topology: Topology): TopologyNode[] {
  return topology.subTopologies.flatMap(sub => sub.nodes);
}

/** The topology's processors, or those of one sub-topology; parents before children. */
export function processorsOf(topology: Topology, subTopology?: string): ProcessorNode[] {
  const nodes = subTopology === undefined ? nodesOf(topology) : topology.subTopologies.flatMap(sub => (sub.name === subTopology ? sub.nodes : []));
  return nodes.filter(node => node.kind === 'processor');
}

export function storesOf(topology: Topology): StateStoreNode[] {
  return nodesOf(topology).filter(node => node.kind === 'store');
}

export function sinksOf(topology: Topology): SinkNode[] {
  return nodesOf(topology).filter(node => node.kind === 'sink');
}
