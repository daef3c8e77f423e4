// `paritas validate` on topics beside the rows: what they prove, and where they are asked for and prove nothing.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import { captureFile } from '../../support/captures.ts';
import { runStub } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function validate(t: TestContext, more: string): Promise<{ code: number | undefined; source: string }> {
  const file = (topic: string): string => captureFile('fault-lost', topic);
  const text = `application: x\npairs:\n  - name: p\n    source: { file: ${file('src.public.orders')}, ${more} }\n    target: { file: ${file('tgt.public.orders')} }\n    match: { by: alignment }\n`;
  const path = join(tempFolder(t, { 'paritas.yaml': text }), 'paritas.yaml');
  const { code, out } = await runStub(['validate', '--config', path]);
  return { code, source: out.split('\n')[1] };
}
const heartbeat = (topic: string): string => `heartbeat: { topic: ${topic}, file: ${captureFile('fault-lost', topic)} }`;

const CASES: readonly (readonly [what: string, more: string, code: number, says: RegExp])[] = [
  ['a heartbeat table', heartbeat('src.public.heartbeat'), 0, /heartbeat src\.public\.heartbeat: \d+ of the first \d+ records prove how far the log is complete/],
  ['a transaction topic', `transactionTopic: tx, transactionFile: ${captureFile('fault-lost', 'src.transaction')}`, 0, /transaction topic tx: 64 of the first 128 records prove/],
  ['a timer', heartbeat('__debezium-heartbeat.src'), 2, /PROBLEM: .*none proves anything; they are a timer's and not the database's/],
  ['a timer beside a capture delay', `${heartbeat('__debezium-heartbeat.src')}, captureDelay: 5s`, 0, /are a timer's; they prove nothing, and tell captureDelay the time of the log/],
  ['a topic that is not there', 'heartbeat: { topic: nowhere }', 2, /PROBLEM: .*nowhere: the captures hold no line of it/],
];
for (const [what, more, code, says] of CASES) {
  void test(`validate: ${what}`, async (t) => {
    const said = await validate(t, more);
    assert.equal(said.code, code);
    assert.match(said.source, says);
  });
}
