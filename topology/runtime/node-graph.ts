// Makes the declared nodes run: one object per processor (per shard where so declared), wired parent to child, with the stores that were
// attached to it and no others.
import type { KeyValueStore } from '../../processors/key-value.ts';
import type { Decision } from '../../processors/decision.ts';
import type { Processor, ProcessorContext } from '../../processors/processor.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { processorsOf, sinksOf, type ProcessorNode, type Topology } from '../topology.ts';
import type { RecordCollector } from './record-collector.ts';

export interface NodeGraph {
  /** The instances of a processor, by shard. */
  instances(name: string): readonly Processor<unknown>[];
  punctuate(decision: Decision): void;
  finish(): void;
}

/** One sub-topology alone. `onward` takes what it passes to a node of another one. */
export interface GraphPart { readonly subTopology: string; readonly onward: (child: string, value: unknown) => void }

/** `openStore(shard, store)`: the store of one instance; instances that exist once are shard 0. */
export function createNodeGraph(
  topology: Topology, shards: number, openStore: (shard: number, store: string) => KeyValueStore, collector: RecordCollector, part?: GraphPart,
): NodeGraph {
  const graph = new Map<string, Processor<unknown>[]>();
  const order = processorsOf(topology, part?.subTopology);
  const sinks = new Set(sinksOf(topology).map(sink => sink.name));

  for (const node of order) {
    const count = node.instances === 'one' ? 1 : shards;
    graph.set(node.name, Array.from({ length: count }, (_, shard) => node.factory(contextOf(node, shard)) as Processor<unknown>));
  }

  function contextOf(node: ProcessorNode, shard: number): ProcessorContext {
    return {
      forward(child, value) {
        if (sinks.has(child)) return collector.collect(child, value as OutputRecord);
        const instances = graph.get(child);
        if (instances === undefined && part !== undefined) return part.onward(child, value);
        if (instances === undefined) throw new Error(`${node.name} forwards to ${child}, which is not in the topology`);
        instances[instances.length === 1 ? 0 : shard].process(value);
      },
      store(name) {
        if (!node.stores.includes(name)) throw new Error(`${node.name} asks for the store ${name}, which is not attached to it`);
        return openStore(shard, name);
      },
    };
  }

  const each = (call: (processor: Processor<unknown>) => void): void => order.forEach(node => graph.get(node.name)?.forEach(call));
  return {
    instances: name => graph.get(name) ?? [],
    punctuate: decision => each(processor => processor.punctuate?.(decision)),
    finish: () => each(processor => processor.finish?.()),
  };
}
