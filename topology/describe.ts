// A topology as a person reads it: as text, in the manner of Kafka Streams' TopologyDescription, and as a Mermaid diagram.
import { nodesOf, type Topology, type TopologyNode } from './topology.ts';
import { unreachable } from '../schemas/unreachable.ts';

export function describeText(topology: Topology): string {
  const lines = [`Topology of pair ${topology.pair}`];
  topology.subTopologies.forEach((sub, i) => {
    lines.push(`  Sub-topology ${i + 1}: ${sub.name}`);
    for (const node of sub.nodes) lines.push(...describeNode(topology, node).map(line => `    ${line}`));
  });
  return lines.join('\n') + '\n';
}

function describeNode(topology: Topology, node: TopologyNode): string[] {
  const children = nodesOf(topology).filter(child => (child.kind === 'processor' || child.kind === 'sink') && child.parents.includes(node.name));
  const onward = `  --> ${children.map(child => child.name).join(', ')}`;
  switch (node.kind) {
    case 'source': return [`Source: ${node.name} (topic ${node.topic}, format ${node.format})`, onward];
    case 'processor': return [
      `Processor: ${node.name} (${node.instances === 'one' ? 'one instance' : 'one per shard'}${node.stores.length === 0 ? '' : `; stores ${node.stores.join(', ')}`})`,
      onward, `  <-- ${node.parents.join(', ')}`,
    ];
    case 'store': return [`Store: ${node.name} (${node.holds})`];
    case 'sink': return [`Sink: ${node.name} (topic ${node.topic}, cleanup ${node.cleanup})`, `  <-- ${node.parents.join(', ')}`];
    default: return unreachable(node);
  }
}

export function describeMermaid(topology: Topology): string {
  const id = (name: string): string => name.replaceAll('-', '_');
  const lines = ['flowchart LR'];
  for (const sub of topology.subTopologies) {
    lines.push(`  subgraph ${id(sub.name)}_topology [${sub.name}]`);
    for (const node of sub.nodes) lines.push(`    ${mermaidNode(id(node.name), node)}`);
    lines.push('  end');
  }
  for (const node of nodesOf(topology)) {
    if (node.kind === 'processor' || node.kind === 'sink') for (const parent of node.parents) lines.push(`  ${id(parent)} --> ${id(node.name)}`);
    if (node.kind === 'store') for (const owner of node.processors) lines.push(`  ${id(owner)} -.- ${id(node.name)}`);
  }
  return lines.join('\n') + '\n';
}

function mermaidNode(id: string, node: TopologyNode): string {
  switch (node.kind) {
    case 'source': return `${id}[/"${node.topic}"/]`;
    case 'processor': return `${id}["${node.name}"]`;
    case 'store': return `${id}[("${node.name}")]`;
    case 'sink': return `${id}[\\"${node.topic}"\\]`;
    default: return unreachable(node);
  }
}
