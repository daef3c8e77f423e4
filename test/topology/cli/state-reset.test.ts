// `paritas state reset` as it is used: over a log directory that a service has written, refused while it runs, said beforehand, done, and the two chains
// read, verified and replayed beside each other.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse, stringify } from 'yaml';

import { explainKey, runCheck, runReplay } from '../../../topology/cli/check-engine.ts';
import { paritas, runUntil } from '../../support/run-process.ts';
import { runStub, type Ran } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DEMO = join(import.meta.dirname, '../../../deploy/demo');

void test('refused by a start, said, done; the second chain is verified and replayed beside the first', async t => {
  const folder = tempFolder(t);
  cpSync(DEMO, join(folder, 'deploy/demo'), { recursive: true });
  const config = join(folder, 'deploy/demo/paritas.yaml');
  const log = join(folder, 'data/log');
  const said = (...args: string[]): Promise<Ran> => runStub(args, { cwd: folder, engine: { runCheck, runReplay, explainKey } });
  const ofFile = ['--config', config];
  const ofOrders = [...ofFile, '--pair', 'orders'];
  assert.match((await said('state', 'reset', ...ofFile)).err, /there is no log; paritas run makes it/);

  const withLag = (lag: string): void => {
    const text = parse(readFileSync(config, 'utf8')) as { pairs: object[] };
    writeFileSync(config, stringify({ ...text, pairs: text.pairs.slice(0, 1).map(pair => ({ ...pair, window: { lag, lateness: '1s' } })) }));
  };
  withLag('3s');
  let records = 0;
  /** Until there are nine more verdicts. */
  const run = async (): Promise<void> => {
    const enough = records + 9;
    await runUntil(ofFile, log, ends => (records = ends.get('paritas.verdicts') ?? 0) >= enough);
  };
  await run();
  const first = (await said('verdicts', ...ofOrders, '-o', 'jsonl')).out;
  assert.ok(first.split('\n').length > 5, first);
  // Another lag: refused, with the command as it can be pasted.
  withLag('2s');
  const refused = await paritas('run', ...ofFile).ended;
  assert.equal(refused.code, 2);
  assert.match(refused.err, /window\.lagUs: was 3000000, is 2000000\n/);
  const command = / paritas (state reset --config \S+ --pair \S+ --execute) /.exec(refused.err)?.[1] ?? refused.err;

  const help = await said('state', 'reset', '--help');
  const dry = await runStub((/\$ npx paritas (state reset .*orders)\n/.exec(help.out)?.[1] ?? help.out).split(' '), { cwd: folder });
  assert.equal(dry.code, 0, dry.err);
  assert.match(dry.err, /^Nothing was changed\. To do it, with the service stopped: npx paritas state reset --config deploy\/demo\/paritas\.yaml --pair orders --execute\n$/);
  const table = await said('state', 'reset', ...ofOrders, '-o', 'table');
  assert.equal(table.out, `orders: chain 1 would end, and the next start begin chain 2
  deletes  topic shop-parity-orders-reconcile-changelog
  deletes  topic shop-parity-orders-merge-changelog
  deletes  topic shop-parity-orders-windows
  forgets  positions of shop-parity/orders/reconcile/0
  forgets  positions of shop-parity/orders/merge
  wipes    local state of orders, merge
  wipes    local state of orders, reconcile-0
  keeps    paritas.verdicts, paritas.manifests, paritas.dead-letters, paritas.audit: what was said stays
`);
  assert.equal((await said('verdicts', ...ofOrders, '-o', 'jsonl')).out, first);
  const done = await said(...command.split(' '), '-o', 'jsonl');
  assert.equal(done.code, 0, done.err);
  assert.equal((JSON.parse(done.out) as { executed: boolean }).executed, true);
  const again = await said('state', 'reset', ...ofOrders, '--execute', '-o', 'table');
  assert.match(again.out, /^orders: chain 2 has not begun yet; what is left of earlier ones goes\n {2}wiped/);

  await run();
  const chains = async (...more: string[]): Promise<string[]> => (await said('verdicts', ...ofOrders, '-o', 'jsonl', ...more)).out.split('\n').filter(line => line !== '');
  assert.deepEqual((await chains('--chain', '1')).join('\n') + '\n', first);
  const second = await chains('--chain', '2');
  assert.ok(second.length > 5 && second.every(line => line.includes('"pair":"orders","chain":2')));
  assert.equal((await chains()).length, second.length + first.split('\n').length - 1);
  assert.match((await said('verdicts', ...ofOrders, '-o', 'table')).out, /\norders +2026[^]*\norders \(chain 2\) +2026/);

  const verified = await said('audit', '--verify', ...ofOrders, '-o', 'table');
  assert.equal(verified.code, 0, verified.out);
  assert.match(verified.out, /^orders \(configuration \w+\): .*unbroken.*\norders \(chain 2, configuration \w+\): .*unbroken/);
  const replayed = await said('replay', ...ofOrders, '-o', 'table');
  assert.equal(replayed.code, 0, replayed.out + replayed.err);
  assert.match(replayed.out, /^orders \(chain 2\): equal, byte by byte\./);
  assert.match(replayed.err, /chain 1 is left out: .* was judged under configuration/);
  // With the configuration of then the first one is.
  const then = await said('replay', ...ofOrders, '--lag', '3s', '--chain', '1', '-o', 'table');
  assert.equal(then.code, 0, then.out + then.err);
  assert.match(then.out, /^orders: equal, byte by byte\./);
  assert.equal((await said('state', 'verify', ...ofFile)).code, 0);
});

void test('while the service runs, its process is named and nothing is touched', async t => {
  const folder = tempFolder(t);
  cpSync(DEMO, join(folder, 'deploy/demo'), { recursive: true });
  const config = join(folder, 'deploy/demo/paritas.yaml');
  const running = paritas('run', '--config', config);
  while (!running.said().includes('customers-mariadb/merge: running')) await new Promise(resolve => setTimeout(resolve, 20));
  const ran = await runStub(['state', 'reset', '--config', config, '--execute'], { cwd: folder });
  assert.equal(ran.code, 2);
  assert.match(ran.err, new RegExp(`held by process ${running.child.pid} on `));
  assert.equal((await runStub(['state', 'reset', '--config', config], { cwd: folder })).code, 0, 'what it would do may be asked');
  running.child.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);
});
