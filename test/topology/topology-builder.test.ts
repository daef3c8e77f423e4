// A topology that could not run is refused when it is built, with the name of the node.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ProcessorFactory } from '../../processors/processor.ts';
import { createTopologyBuilder, TopologyError, type TopologyBuilder } from '../../topology/topology-builder.ts';
import { nodesOf, processorsOf, sinksOf, storesOf } from '../../topology/topology.ts';

const factory: ProcessorFactory<unknown> = () => ({ process: () => undefined });
const begin = (): TopologyBuilder => createTopologyBuilder('orders').subTopology('one');
const source = (builder: TopologyBuilder, name = 'in'): TopologyBuilder => builder.addSource(name, { topic: 't', side: 'source', format: 'auto' });
const processor = (builder: TopologyBuilder, name: string, ...parents: string[]): TopologyBuilder => builder.addProcessor(name, factory, { parents, instances: 'one' });
const sink = (builder: TopologyBuilder, name: string, ...parents: string[]): TopologyBuilder => builder.addSink(name, { topic: name, parents, cleanup: 'delete' });
const whole = (): TopologyBuilder => sink(processor(source(begin()), 'work', 'in'), 'out', 'work');

const REFUSED: readonly (readonly [what: string, build: () => unknown, message: string])[] = [
  ['a name used twice', () => source(source(begin())), 'the name in is used twice'],
  ['a name used twice, of two kinds', () => sink(source(begin()), 'in', 'in'), 'the name in is used twice'],
  ['a name used twice, in two sub-topologies', () => source(whole().subTopology('two')), 'the name in is used twice'],
  ['a sub-topology declared twice', () => begin().subTopology('one'), 'the sub-topology one is declared twice'],
  ['a node before any sub-topology', () => source(createTopologyBuilder('orders')), 'node in is declared before any sub-topology'],
  ['a parent that is not there', () => processor(source(begin()), 'work', 'inn'), 'work names inn, which is not declared before it'],
  ['a parent declared later: a cycle', () => processor(processor(source(begin()), 'a', 'in', 'b'), 'b', 'a'), 'a names b, which is not declared before it'],
  ['its own parent', () => processor(begin(), 'a', 'a'), 'a names a, which is not declared before it'],
  ['a sink as a parent', () => processor(whole(), 'more', 'out'), 'more names out, a sink, as its parent'],
  ['a store as a parent', () => processor(whole().addStateStore('kept', { holds: 'x', processors: ['work'] }), 'more', 'kept'), 'more names kept, a store, as its parent'],
  ['a store of a processor that is not there', () => whole().addStateStore('kept', { holds: 'x', processors: ['wrok'] }), 'kept names wrok, which is not declared before it'],
  ['no sink', () => processor(source(begin()), 'work', 'in').build(), 'the topology has no sink'],
  ['a source that leads nowhere', () => source(whole(), 'in2').build(), 'in2 leads to no other node'],
  ['a processor that leads nowhere', () => processor(whole(), 'idle', 'in').build(), 'idle leads to no other node'],
  ['a processor that leads to its store only', () => processor(whole(), 'idle', 'in').addStateStore('kept', { holds: 'x', processors: ['idle'] }).build(), 'idle leads to no other node'],
];

for (const [what, build, message] of REFUSED) {
  void test(`refused: ${what}`, () => assert.throws(build, (error) => error instanceof TopologyError && error.message === message));
}

void test('a topology is frozen data: nodes in the order of declaration, stores at their processors', () => {
  const topology = whole().addStateStore('kept', { holds: 'x', processors: ['work'] }).subTopology('two').addSink('out2', { topic: 'o', parents: ['work'], cleanup: 'compact' }).build();
  assert.deepEqual(topology.subTopologies.map(({ name, nodes }) => [name, nodes.map((node) => node.name)]), [['one', ['in', 'work', 'out', 'kept']], ['two', ['out2']]]);
  assert.deepEqual(processorsOf(topology).map(({ name, stores }) => [name, stores]), [['work', ['kept']]]);
  assert.deepEqual([storesOf(topology).map(({ name }) => name), sinksOf(topology).map(({ name }) => name)], [['kept'], ['out', 'out2']]);
  for (const part of [topology, ...topology.subTopologies, ...topology.subTopologies.map(({ nodes }) => nodes), ...nodesOf(topology)]) assert.ok(Object.isFrozen(part));
});
