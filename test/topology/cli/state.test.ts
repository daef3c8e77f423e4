// `paritas state` over what a service has left: equal, rebuilt, damaged and found out, and refused while the service runs.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openRocksdbStore } from '../../../stores/rocksdb-store.ts';
import { STATE_FAMILIES } from '../../../topology/runtime/task-state.ts';
import { paritas, runUntil } from '../../support/run-process.ts';
import { runStub, type Ran } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DEMO = join(import.meta.dirname, '../../../deploy/demo');

interface Place { readonly folder: string; readonly config: string; readonly log: string; state(...args: string[]): Promise<Ran> }

/** The demonstration's files in a folder of their own. */
function placeOf(t: TestContext): Place {
  const folder = tempFolder(t);
  cpSync(DEMO, join(folder, 'deploy/demo'), { recursive: true });
  const config = join(folder, 'deploy/demo/paritas.yaml');
  return { folder, config, log: join(folder, 'data/log'), state: (...args) => runStub(['state', ...args], { cwd: folder }) };
}

void test('after a run: the examples of the help as printed; a rebuilt state is equal; a changed key is named', async (t) => {
  const { folder, config, log, state } = placeOf(t);
  const before = await state('verify', '--config', config);
  assert.equal(before.code, 2);
  assert.match(before.err, /there is no log; paritas run makes it/);

  await runUntil(['--config', config], log, ends => ['customers-mariadb', 'orders'].every(pair => (ends.get(`shop-parity-${pair}-merge-changelog`) ?? 0) > 0));
  for (const command of [[], ['verify'], ['rebuild']]) {
    const help = await runStub(['state', ...command, '--help']);
    const examples = help.out.split('\n').filter(line => line.startsWith('  $ npx paritas state '));
    assert.ok(examples.length > 0);
    for (const example of examples) {
      const ran = await runStub(example.slice('  $ npx paritas '.length).split(' '), { cwd: folder });
      assert.equal(ran.code, 0, `${example}: ${ran.err}`);
    }
  }
  const db = join(folder, 'data/state/shop-parity/orders/reconcile-0/db');
  const engine = await openRocksdbStore(db, STATE_FAMILIES);
  const [key] = engine.range('task')[0];
  engine.write([{ family: 'task', key, value: Buffer.from('damaged') }]);
  await engine.close();
  const damaged = await state('verify', '--config', config, '--pair', 'orders', '-o', 'table');
  assert.equal(damaged.code, 1);
  assert.match(damaged.out, new RegExp(`^orders/reconcile/0: different\\. [^]*FAMILY +KEY +CHANGELOG +STORE\\ntask +${key.toString('hex')} +@\\d+ +differs\\norders/merge: equal\\. [^\\n]*\\n$`));
  assert.match(damaged.err, /stopped, paritas state rebuild --pair orders makes it anew/);
  assert.equal((await state('rebuild', '--config', config, '--pair', 'orders')).code, 0);
  assert.equal((await state('verify', '--config', config)).code, 0);

  for (const name of readdirSync(db)) if (name.endsWith('.sst')) rmSync(join(db, name));
  const unreadable = await state('verify', '--config', config, '--pair', 'orders');
  assert.equal(unreadable.code, 1);
  assert.match(unreadable.out, /"problems":\["[^"]*the state is damaged/);
  rmSync(db, { recursive: true });
  assert.match((await state('verify', '--config', config, '--pair', 'orders')).out, /there is no database here/);
});

void test('while the service runs, its process is named and nothing is touched', async (t) => {
  const { config, state } = placeOf(t);
  const running = paritas('run', '--config', config);
  while (!running.said().includes('customers-mariadb/merge: running')) await new Promise(resolve => setTimeout(resolve, 20));
  for (const command of ['verify', 'rebuild']) {
    const ran = await state(command, '--config', config, '--pair', 'orders');
    assert.equal(ran.code, 2);
    assert.match(ran.err, new RegExp(`held by process ${running.child.pid} on `));
  }
  running.child.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);
  assert.equal((await state('verify', '--config', config)).code, 0);
});
