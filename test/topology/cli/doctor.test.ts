// `doctor` and `topics` over a log directory. (Over a Kafka cluster: test/service/kafka-errors.test.ts.)
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { exitCodeOf, fail, ok, warn } from '../../../topology/cli/doctor-finding.ts';
import { openDurableLog } from '../../../topology/log/durable/durable-log.ts';
import { appendTo } from '../../support/append.ts';
import { runStub } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function value(id: number, op: 'c' | 'u'): Buffer {
  const image = { id, origin: id };
  return Buffer.from(JSON.stringify({ before: null, after: image, op, ts_ms: 1, source: { connector: 'postgresql', ts_ms: 1_700_000_000_000, lsn: id, sequence: `[null,"${id}"]`, snapshot: 'false' } }));
}

async function folderWith(t: TestContext, op: 'c' | 'u', key: (id: number) => string, side = ''): Promise<string> {
  const folder = tempFolder(t, {
    'paritas.yaml': `application: shop
log: { embedded: { directory: ./log } }
pairs:
  - name: orders
    source: { topic: s, format: debezium-json${side} }
    target: { topic: t, format: debezium-json }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin }
    columns: { ignore: [origin] }
`,
  });
  const log = await openDurableLog({ directory: `${folder}/log`, fsync: 'never' });
  for (const topic of ['s', 't']) await log.createTopic(topic, { partitions: 2, cleanup: 'delete' });
  const records = ['s', 't'].flatMap(topic => Array.from({ length: 10 }, (_, id) => ({ topic, partition: id % 2, key: Buffer.from(key(id)), value: value(id, op) })));
  await appendTo(log, { records, positions: [], group: 'g' });
  await log.close();
  return folder;
}

const said = async (cwd: string, ...argv: string[]): Promise<{ code: number; out: string; err: string }> => runStub([...argv, '--config', 'paritas.yaml', '-o', 'jsonl'], { cwd });

void test('topics: planned, made, made again; then there', async t => {
  const folder = await folderWith(t, 'c', id => `{"id":${id}}`);
  for (const [command, state] of [['plan', 'missing'], ['apply', 'made'], ['apply', 'there'], ['plan', 'there']] as const) {
    const { code, out } = await said(folder, 'topics', command);
    assert.equal(code, 0);
    assert.deepEqual([...new Set(out.trimEnd().split('\n').map(line => (JSON.parse(line) as { state: string }).state))], [state], command);
  }
});

void test('records are looked at: what they are, where their keys place them', async t => {
  const { code, out } = await said(await folderWith(t, 'c', id => `{"id":${id}}`), 'doctor');
  assert.equal(code, 0, out);
  assert.match(out, /"subject":"orders source","state":"ok","text":"10 records in 2 partitions; first ones: change 10; 10 of 10 changes carry the origin"/);
  assert.match(out, /"check":"partitioning","subject":"orders source","state":"warn","text":"s-\d@\d+: by its key it belongs into partition \d of 2/);
});

void test('a declared before image that is not there, as validate says it too', async t => {
  const noImage = await said(await folderWith(t, 'u', id => `{"id":${id}}`, ', replicaIdentity: full'), 'doctor');
  assert.equal(noImage.code, 2);
  assert.match(noImage.out, /replicaIdentity: full is declared, and none of 10 updates or deletes carries the row before it/);
});

void test('of several failures the exit code is the first of 2, 4, 5; warnings are none', () => {
  const code = (...codes: ('config' | 'unreachable' | 'not-authorised')[]): number => exitCodeOf([ok('', '', ''), warn('', '', '', ''), ...codes.map(one => fail('', '', '', undefined, one))]);
  assert.deepEqual([code(), code('not-authorised'), code('not-authorised', 'unreachable'), code('unreachable', 'config', 'not-authorised')], [0, 5, 4, 2]);
});
