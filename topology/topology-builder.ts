// Builds a topology and refuses one that could not run: a name used twice, a parent or store that is not there, a node that leads nowhere.
// A parent must be declared before its child, so there are no cycles.
import type { ProcessorFactory } from '../processors/processor.ts';
import type { Side } from '../schemas/change-event.ts';
import { processorsOf, sinksOf, nodesOf, type ProcessorNode, type SinkNode, type StateStoreNode, type SubTopology, type Topology, type TopologyNode } from './topology.ts';

/** A topology that cannot run. A programming error, found when the topology is built, never while it runs. */
export class TopologyError extends Error {
  override name = 'TopologyError';
}

export interface TopologyBuilder {
  /** Begins the next sub-topology; the nodes that follow belong to it. */
  subTopology(name: string): TopologyBuilder;
  addSource(name: string, options: { topic: string; side: Side; format: string }): TopologyBuilder;
  addProcessor<In>(name: string, factory: ProcessorFactory<In>, options: { parents: readonly string[]; instances: ProcessorNode['instances'] }): TopologyBuilder;
  addStateStore(name: string, options: { holds: string; processors: readonly string[] }): TopologyBuilder;
  addSink(name: string, options: { topic: string; parents: readonly string[]; cleanup: SinkNode['cleanup'] }): TopologyBuilder;
  build(): Topology;
}

export function createTopologyBuilder(pair: string): TopologyBuilder {
  const subs: { name: string; nodes: TopologyNode[] }[] = [];

  function add(node: TopologyNode): TopologyBuilder {
    const sub = subs.at(-1);
    if (sub === undefined) throw new TopologyError(`node ${node.name} is declared before any sub-topology`);
    if (all().some(known => known.name === node.name)) throw new TopologyError(`the name ${node.name} is used twice`);
    for (const parent of parentsOf(node)) expectNode(node.name, parent);
    sub.nodes.push(Object.freeze(node));
    return builder;
  }

  const all = (): TopologyNode[] => subs.flatMap(sub => sub.nodes);

  function expectNode(child: string, parent: string): void {
    const node = all().find(known => known.name === parent);
    if (node === undefined) throw new TopologyError(`${child} names ${parent}, which is not declared before it`);
    if (node.kind === 'sink' || node.kind === 'store') throw new TopologyError(`${child} names ${parent}, a ${node.kind}, as its parent`);
  }

  const builder: TopologyBuilder = {
    subTopology(name) {
      if (subs.some(sub => sub.name === name)) throw new TopologyError(`the sub-topology ${name} is declared twice`);
      subs.push({ name, nodes: [] });
      return builder;
    },
    addSource: (name, options) => add({ kind: 'source', name, ...options }),
    addProcessor: (name, factory, options) => add({ kind: 'processor', name, factory, ...options, stores: [] }),
    addStateStore: (name, options) => attachStore(subs, builder, add, name, options),
    addSink: (name, options) => add({ kind: 'sink', name, ...options }),
    build: () => seal(pair, subs),
  };
  return builder;
}

function parentsOf(node: TopologyNode): readonly string[] {
  if (node.kind === 'source') return [];
  return node.kind === 'store' ? node.processors : node.parents;
}

/** A store belongs to processors declared before it; each of them then may ask for it by name. */
function attachStore(
  subs: { nodes: TopologyNode[] }[], builder: TopologyBuilder, add: (node: StateStoreNode) => TopologyBuilder, name: string,
  options: { holds: string; processors: readonly string[] },
): TopologyBuilder {
  add({ kind: 'store', name, ...options });
  for (const sub of subs) {
    sub.nodes = sub.nodes.map(node =>
      node.kind === 'processor' && options.processors.includes(node.name) ? Object.freeze({ ...node, stores: [...node.stores, name] }) : node);
  }
  return builder;
}

function seal(pair: string, subs: readonly SubTopology[]): Topology {
  const topology: Topology = Object.freeze({ pair, subTopologies: subs.map(sub => Object.freeze({ name: sub.name, nodes: Object.freeze([...sub.nodes]) })) });
  if (sinksOf(topology).length === 0) throw new TopologyError('the topology has no sink');
  for (const node of [...nodesOf(topology).filter(n => n.kind === 'source'), ...processorsOf(topology)]) {
    if (!nodesOf(topology).some(child => child.kind !== 'source' && parentsOf(child).includes(node.name) && child.kind !== 'store')) {
      throw new TopologyError(`${node.name} leads to no other node`);
    }
  }
  return topology;
}
