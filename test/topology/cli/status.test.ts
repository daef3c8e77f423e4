// `paritas status`: the last word of each task and partition, what an operator has to look at, and the exit code.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { taskSilentMs } from '../../../schemas/limits.ts';
import type { OutputRecord, StatusRecord, TaskRecord } from '../../../schemas/records.ts';
import { formatRecords } from '../../../topology/cli/format-records.ts';
import { orQuiet } from '../../../topology/cli/or-quiet.ts';
import { asHeard, createPicture, problemsOf } from '../../../topology/cli/status-picture.ts';
import { createStyle } from '../../../topology/cli/text.ts';
import { paritas } from '../../support/run-process.ts';
import { runStub } from '../../support/stub-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NOON_MS = Date.UTC(2026, 10, 30, 12);
const task = (name: string, more: Partial<TaskRecord> = {}): TaskRecord => ({ record: 'task', pair: name.split('/')[0], task: name, state: 'running', owner: 'h:1', at: '2026-11-30T12:00:00.000000Z', ...more });
const partition = (pair: string, side: 'source' | 'target', number: number, more: Partial<StatusRecord> = {}): StatusRecord =>
  ({ record: 'status', pair, side, topic: `${side}.t`, partition: number, stalled: false, reason: '', ...more });

void test('of each task and partition the last record, in the order of the pairs; of other pairs none', () => {
  const picture = createPicture(['b', 'a']);
  picture.take([partition('a', 'target', 2), partition('a', 'target', 10), partition('a', 'source', 3), task('a/0'), task('b/0', { state: 'restoring' }), task('gone/0'), partition('gone', 'source', 0)]);
  picture.take([task('b/0'), partition('a', 'target', 2, { stalled: true })]);
  assert.deepEqual(picture.records(), [
    task('b/0'), task('a/0'), partition('a', 'source', 3), partition('a', 'target', 2, { stalled: true }), partition('a', 'target', 10),
  ]);
});

const PROBLEMS: readonly (readonly [what: string, record: OutputRecord, problem: RegExp | undefined])[] = [
  ['a task that runs', task('a/0'), undefined],
  ['one that is restored', task('a/0', { state: 'restoring' }), undefined],
  ['one that was closed', task('a/0', { state: 'closed' }), /^a\/0: nobody runs it; it was closed by h:1$/],
  ['one whose state is damaged', task('a/0', { state: 'corrupt' }), /^a\/0: its state is damaged/],
  ['one not heard of for a while', task('a/0', { at: '2026-11-30T11:59:00.000000Z' }), /^a\/0: not heard of for 60 s; h:1 is gone or stands still$/],
  ['one heard of just now', task('a/0', { at: new Date(NOON_MS - taskSilentMs).toISOString().replace('Z', '000Z') }), undefined],
  ['a partition that goes on', partition('a', 'target', 2), undefined],
  ['one that is stalled', partition('a', 'target', 2, { stalled: true, since: '2026-11-30T11:00:00.000000Z', reason: 'no heartbeat' }), /^a: target target\.t-2 holds its windows since 2026-11-30T11:00:00.000000Z: no heartbeat$/],
];
for (const [what, record, problem] of PROBLEMS) {
  void test(`${problem === undefined ? 'no problem' : 'a problem'}: ${what}`, () => {
    const found = problemsOf([record], NOON_MS);
    assert.equal(found.length, problem === undefined ? 0 : 1);
    if (problem !== undefined) assert.match(found[0], problem);
  });
}

/** The word of a task, so many milliseconds old, as it is told: age, whether it is stale, and STATE and HEARD of the table. */
const WORDS: readonly (readonly [what: string, state: TaskRecord['state'], ageMs: number, stale: boolean, shown: string, heard: string])[] = [
  ['of just now', 'running', 1234, false, 'running', '1.2 s ago'],
  ['at the bound', 'running', taskSilentMs, false, 'running', '30 s ago'],
  ['beyond it', 'running', taskSilentMs + 1, true, 'stale, was running', '30 s ago'],
  ['of a process that went away in its restoration', 'restoring', 7_200_000, true, 'stale, was restoring', '7,200 s ago'],
  ['that it is closed: nothing is to follow', 'closed', 7_200_000, false, 'closed', '7,200 s ago'],
  ['by a clock that is ahead of ours', 'running', -5000, false, 'running', '0.0 s ago'],
];
for (const [what, state, ageMs, stale, shown, heard] of WORDS) {
  void test(`how old a word is: ${what}`, async () => {
    const told = asHeard([task('a/0', { state }), partition('a', 'source', 0)], NOON_MS + ageMs);
    assert.deepEqual(told, [{ ...task('a/0', { state }), ageMs: String(Math.max(0, ageMs)), stale }, partition('a', 'source', 0)]);
    const style = createStyle({ isTerminal: false, noColor: true, env: {} });
    let table = '';
    for await (const piece of formatRecords(told, 'table', { style })) table += piece;
    assert.match(table, new RegExp(`^TASK +STATE +OWNER +SINCE +HEARD .*\na/0 +${shown} +h:1 +- +${heard} `, 'm'));
  });
}

void test('a word without a time has no age, and is never stale', () => {
  const timeless: TaskRecord = { record: 'task', pair: 'a', task: 'a/0', state: 'running', owner: 'h:1' };
  assert.deepEqual(asHeard([timeless], NOON_MS), [{ ...timeless, stale: false }]);
});

void test('a task that becomes stale is told once, and once more when it was heard of in between', () => {
  const picture = createPicture(['a']);
  const at = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
  picture.take([task('a/0'), task('a/1', { at: at(NOON_MS + taskSilentMs) })]);
  assert.deepEqual(picture.turnedStale(NOON_MS + taskSilentMs), []);
  assert.deepEqual(picture.turnedStale(NOON_MS + taskSilentMs + 1), [task('a/0')]);
  assert.deepEqual(picture.turnedStale(NOON_MS + taskSilentMs + 2), []);
  picture.take([task('a/0', { at: at(NOON_MS + taskSilentMs) })]);
  assert.deepEqual(picture.turnedStale(NOON_MS + taskSilentMs + 2), []);
  assert.deepEqual(picture.turnedStale(NOON_MS + 2 * taskSilentMs + 1).length, 2);
});

void test('silences: each is told, what comes is lost in none, and who leaves in one is not held', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isClosed = false;
  async function* items(): AsyncGenerator<number> {
    try {
      yield 1;
      await promise;
      yield 2;
      yield 3;
    } finally {
      isClosed = true;
    }
  }
  const seen: (number | undefined)[] = [];
  for await (const item of orQuiet(items(), 1, resolve)) {
    seen.push(item);
    if (item === undefined) resolve();
  }
  assert.deepEqual(seen.filter(item => item !== undefined), [1, 2, 3]);
  assert.ok(seen.includes(undefined) && isClosed);

  const left = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<number> {
    await left.promise;
    isClosed = true;
  }
  isClosed = false;
  for await (const item of orQuiet(endless(), 1, left.resolve)) if (item === undefined) break;
  assert.ok(isClosed);
});

void test('a service that runs, and one that has gone: the examples of the help as printed', async (t) => {
  const folder = tempFolder(t);
  cpSync(join(import.meta.dirname, '../../../deploy/demo'), join(folder, 'deploy/demo'), { recursive: true });
  const config = join(folder, 'deploy/demo/paritas.yaml');
  const before = await runStub(['status', '--config', config]);
  assert.equal(before.code, 2);
  assert.match(before.err, /there is no log; paritas run makes it/);

  const running = paritas('run', '--config', config);
  while ((running.said().match(/: running/g) ?? []).length < 8) await new Promise(resolve => setTimeout(resolve, 20));
  // It is said before it is written.
  while (!/\norders\/reconcile\/0 +running/.test((await runStub(['status', '--config', config, '-o', 'table'])).out)) await new Promise(resolve => setTimeout(resolve, 20));
  const examples = (await runStub(['status', '--help'])).out.split('\n').filter(line => line.startsWith('  $ npx paritas status '));
  assert.equal(examples.length, 2);
  for (const example of examples) {
    const ran = await runStub(example.slice('  $ npx paritas '.length).split(' '), { cwd: folder });
    assert.equal(ran.code, 0, `${example}: ${ran.err}`);
  }
  const table = await runStub(['status', '--config', config, '-o', 'table']);
  assert.match(table.out, new RegExp(`^Tasks\nTASK +STATE +OWNER [^]*\norders/reconcile/0 +running +[^ ]+:${running.child.pid} +[^ ]+ +[0-9.]+ s ago `));
  running.child.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);

  const after = await runStub(['status', '--config', config, '--pair', 'orders', '-o', 'jsonl']);
  assert.equal(after.code, 3);
  assert.match(after.err, new RegExp(`^orders/reconcile/0: nobody runs it; it was closed by .*:${running.child.pid}$`, 'm'));
  const records = after.out.trimEnd().split('\n').map(line => JSON.parse(line) as OutputRecord);
  assert.deepEqual(records.map(({ record, pair }) => `${record} ${pair}`), [...Array<string>(2).fill('task orders'), ...Array<string>(records.length - 2).fill('status orders')]);
  assert.ok(records.some(record => record.record === 'status' && record.watermark !== undefined && Number(record.lagMs) > 0));
});

void test('--follow: what there is, then every record as it is written; the last word of a pair ends no reader', async (t) => {
  const folder = tempFolder(t);
  cpSync(join(import.meta.dirname, '../../../deploy/demo'), join(folder, 'deploy/demo'), { recursive: true });
  const config = join(folder, 'deploy/demo/paritas.yaml');
  const running = paritas('run', '--config', config);
  while (!running.said().includes('orders/merge: running')) await new Promise(resolve => setTimeout(resolve, 20));
  const following = paritas('status', '--config', config, '--pair', 'orders', '--follow', '-o', 'jsonl');
  running.child.kill('SIGTERM');
  await running.ended;
  const deadlineMs = Date.now() + 20_000;
  let out = '';
  following.child.stdout?.on('data', (chunk: Buffer) => { out += chunk.toString(); });
  while (!out.includes('"state":"closed"') && Date.now() < deadlineMs) await new Promise(resolve => setTimeout(resolve, 20));
  following.child.kill('SIGINT');
  const { code } = await following.ended;
  assert.equal(code, 130);
  assert.ok(out.includes('"state":"closed"'), out);
});
