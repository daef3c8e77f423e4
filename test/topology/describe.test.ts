// The real topology as `paritas describe` prints it, against golden files: a change of the topology is seen in review. To accept one:
// npx paritas describe --config deploy/demo/paritas.yaml --pair orders [--mermaid] > test/golden/topology.txt|.mmd
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { createPairContext } from '../../schemas/pair-context.ts';
import { columnEquality } from '../../schemas/canonical/compare.ts';
import { loadConfig } from '../../topology/config.ts';
import { describeMermaid, describeText } from '../../topology/describe.ts';
import { DEFAULT_OUTPUTS, reconcile } from '../../topology/reconcile.ts';
import { nodesOf } from '../../topology/topology.ts';
import { runStub } from '../support/stub-cli.ts';

const DEMO = fileURLToPath(new URL('../../deploy/demo/paritas.yaml', import.meta.url));
const context = createPairContext(loadConfig(DEMO).pairs[0]);
const topology = reconcile(context, () => [], columnEquality(context), DEFAULT_OUTPUTS);
const golden = (name: string): string => readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8');

void test('as text', () => assert.equal(describeText(topology), golden('topology.txt')));
void test('as a Mermaid diagram', () => assert.equal(describeMermaid(topology), golden('topology.mmd')));

void test('the command prints the same', async () => {
  for (const [flags, name] of [[[], 'topology.txt'], [['--mermaid'], 'topology.mmd']] as const) {
    const { code, out } = await runStub(['describe', '--config', DEMO, '--pair', 'orders', ...flags]);
    assert.deepEqual([code, out], [0, golden(name)]);
  }
});

void test('every node and every edge is in both', () => {
  const edges = nodesOf(topology).flatMap((node) => (node.kind === 'processor' || node.kind === 'sink' ? node.parents.map((parent) => [parent, node.name]) : []));
  const mermaid = describeMermaid(topology);
  for (const [parent, child] of edges) assert.ok(mermaid.includes(`  ${parent.replaceAll('-', '_')} --> ${child.replaceAll('-', '_')}\n`), `${parent} --> ${child}`);
  for (const { name } of nodesOf(topology)) assert.match(describeText(topology), new RegExp(`: ${name} \\(`));
});
