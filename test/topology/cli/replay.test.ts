// `paritas replay` and `--verify` over the demonstration: equal where nothing was touched, and every touch is seen and named.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { DecisionRecord, OutputRecord, VerdictRecord } from '../../../schemas/records.ts';
import { explainKey, runCheck, runReplay } from '../../../topology/cli/check-engine.ts';
import type { Rejudged } from '../../../topology/cli/rejudge.ts';
import { runStub, type Ran } from '../../support/stub-cli.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CONFIG = ['--config', 'deploy/demo/paritas.yaml', '--pair', 'orders'];
let lines: readonly string[] = [];

function run(argv: readonly string[], stdin = ''): Promise<Ran> {
  return runStub(argv, { cwd: ROOT, stdin, engine: { runCheck, runReplay, explainKey } });
}

before(async () => {
  lines = (await run(['check', ...CONFIG, '--complete', '-o', 'jsonl'])).out.trimEnd().split('\n');
});

const replay = (recorded: readonly string[], ...more: string[]): Promise<Ran> => run(['replay', ...CONFIG, '--from', '-', ...more], recorded.join('\n'));
const verify = (recorded: readonly string[], ...more: string[]): Promise<Ran> => run(['audit', '--verify', '--from', '-', ...more], recorded.join('\n'));
const objects = (out: string): Record<string, unknown>[] => out.trimEnd().split('\n').map(line => JSON.parse(line) as Record<string, unknown>);
const placeOf = (kind: string, which = 0): number => lines.map((line, i) => [line, i] as const).filter(([line]) => line.startsWith(`{"record":"${kind}"`)).at(which)?.[1] ?? assert.fail(`no ${kind}`);

void test('what was printed is recomputed byte by byte, in another time zone and locale too', async () => {
  const { code, out, err } = await replay(lines);
  assert.equal(code, 0, err);
  assert.deepEqual(objects(out).map(({ equal, differing, missing, extra }) => [Number(equal) > 50, differing, missing, extra]), [[true, '0', '0', '0']]);
  const abroad = spawnSync(process.execPath, ['topology/cli/main.ts', 'replay', ...CONFIG, '--from', '-'], {
    cwd: ROOT, input: lines.join('\n'), encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  });
  assert.deepEqual([abroad.status, abroad.stdout], [0, out], abroad.stderr);
});

/** Another value of the same kind. */
function changed(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('7') ? '8' : '7'}`;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : [changed(value[0]), ...value.slice(1)];
  const [name, first] = Object.entries(value as object)[0] as [string, unknown];
  return { ...(value as object), [name]: changed(first) };
}

function mutations(line: string): string[] {
  const record = JSON.parse(line) as Record<string, unknown>;
  const fields = Object.keys(record).filter(name => name !== 'record' && name !== 'pair');
  return [...fields.map(name => JSON.stringify({ ...record, [name]: changed(record[name]) })), JSON.stringify({ ...record, more: 1 }), line.replace('{', '{ ')];
}

for (const [kind, which] of [['verdict', 0], ['verdict', 3], ['verdict', -1], ['decision', 0], ['decision', 5], ['decision', -1]] as const) {
  void test(`every field of ${kind} ${which}, changed, is seen by --verify`, async () => {
    const at = placeOf(kind, which);
    for (const mutation of mutations(lines[at])) {
      const recorded = lines.with(at, mutation);
      const { code, out } = await verify(recorded);
      assert.equal(code, 1, `--verify did not see ${mutation.slice(0, 300)}`);
      assert.ok(objects(out).some(({ unbroken, broken }) => unbroken === false && /^-:\d+$/.test((broken as { at: string }).at)));
    }
  });
}

void test('replay names a changed verdict, a manifest record that is gone and one that is extra', async () => {
  const [verdict, gone, twin] = [placeOf('verdict', 3), placeOf('manifest', 0), placeOf('manifest', 1)];
  const recorded = lines.with(verdict, lines[verdict].replace('"matched":"', '"matched":"1')).with(twin, lines[twin].replace(/"manifestId":"../, '"manifestId":"zz')).toSpliced(gone, 1);
  const { code, out } = await replay(recorded);
  assert.equal(code, 1);
  const of = (state: string): unknown[] => objects(out).filter(d => d['state'] === state).map(({ kind, at, field }) => [kind, at, field]);
  assert.deepEqual(of('differs'), [['verdict', `-:${verdict}`, 'counts.matched']]);
  assert.deepEqual(of('missing'), [['manifest', undefined, undefined], ['manifest', undefined, undefined]]);
  assert.deepEqual(of('extra'), [['manifest', `-:${twin}`, undefined]]);
  const table = await replay(recorded, '-o', 'table');
  assert.match(table.out, /^PAIR +KIND +STATE +RECORDED AT +WINDOW +FIRST FIELD/);
  assert.match(table.out, /\norders: not equal: 1 differ, 2 missing from the recording, 1 extra in it\./);
});

void test('a decision that was edited is said to be; its verdicts are then told apart', async () => {
  const at = placeOf('decision', 4);
  const decision = JSON.parse(lines[at]) as DecisionRecord;
  const { code, out } = await replay(lines.with(at, JSON.stringify({ ...decision, takenAt: '2030-01-01T00:00:00.000000Z' })));
  assert.equal(code, 1);
  assert.deepEqual(objects(out).slice(0, 1).map(({ kind, at: where, field }) => [kind, where, field]), [['decision', `-:${at + 1}`, 'decisionId']]);
});

void test('links: a verdict taken out, two exchanged, a decision behind its verdict, an end cut off', async () => {
  const [first, third, last] = [placeOf('verdict', 0), placeOf('verdict', 2), placeOf('verdict', -1)];
  const used = lines.findIndex(line => (JSON.parse(line) as { decisionId?: string }).decisionId === (JSON.parse(lines[third]) as VerdictRecord).decisionId);
  const table: [recorded: string[], what: RegExp][] = [
    [lines.toSpliced(first, 1), /the chain does not begin here/],
    [lines.toSpliced(third, 1), /previousVerdictHash is not the hash of the verdict before it/],
    [lines.with(first, lines[third]).with(third, lines[first]), /the chain does not begin here/],
    [[...lines.toSpliced(used, 1), lines[used]], /the decision [0-9a-f]{16} does not stand before the verdict that rests on it/],
    [lines.toSpliced(last, 1), /the summary names another last verdict/],
  ];
  for (const [recorded, what] of table) {
    const { code, out } = await verify(recorded, '-o', 'table');
    assert.equal(code, 1);
    assert.match(out, what);
  }
  const { code, out } = await verify(lines, '-o', 'table');
  assert.deepEqual([code, /^orders \(configuration [0-9a-f]{16}\): 14 verdicts, \d+ decisions, unbroken\. Head of the chain: [0-9a-f]{64}\n$/.test(out)], [0, true], out);
});

void test('what cannot be replayed or verified', async () => {
  const only = (...kinds: string[]): string => lines.filter(line => kinds.includes((JSON.parse(line) as OutputRecord).record)).join('\n');
  const table: [argv: string[], stdin: string, code: number, err: RegExp][] = [
    [['replay', ...CONFIG], '', 2, /^paritas: nothing to compare with: give --from FILE/],
    [['replay', ...CONFIG, '--lag', '29s', '--from', '-'], lines.join('\n'), 2, /^paritas: -:\d+: pair "orders" was judged under configuration [0-9a-f]{16}, and this one is [0-9a-f]{16}: replay with the configuration of then/],
    [['replay', ...CONFIG, '--lag', '29s', '--from', '-'], only('decision'), 2, /was judged under another configuration/],
    [['replay', '--config', 'deploy/demo/paritas.yaml', '--from', '-'], lines.join('\n').replaceAll('"pair":"orders"', '"pair":"order"'), 2, /-:1: the recording speaks of pair "order", which the configuration has not; did you mean "orders"\?/],
    [['replay', ...CONFIG, '--from', '-'], only('summary'), 3, /^$/],
    [['audit', '--verify', '--from', '-'], only('summary'), 2, /nothing to verify/],
    [['audit', '--verify', '--from', '-', '--since', '1h'], '', 2, /--verify is about whole chains: leave out --since/],
    [['audit', '--verify', '--from', '-'], only('decision'), 2, /has decisions and no verdict that names their configuration: give it with --config/],
    [['audit', '--verify', ...CONFIG, '--from', '-'], only('decision'), 0, /^$/],
  ];
  for (const [argv, stdin, code, err] of table) {
    const ran = await run(argv, stdin);
    assert.equal(ran.code, code, `${argv.join(' ')}: ${ran.err}${ran.out.slice(0, 500)}`);
    assert.match(ran.err, err);
  }
});

void test('--diff: judged again under another configuration, told by window and discrepancy', async () => {
  const same = await replay(lines, '--diff');
  assert.deepEqual([same.code, objects(same.out).map(({ record, changed: count }) => [record, count])], [0, [['rejudging', '0']]], same.err);
  const { code, out } = await replay(lines, '--diff', '--lag', '200ms');
  assert.equal(code, 1);
  const windows = objects(out).filter(({ record }) => record === 'rejudged') as unknown as Rejudged[];
  // A lag too short: what was applied after it is missing first, and nothing of it was missing in the recording.
  const late = windows.find(({ appeared }) => appeared.some(found => found.class === 'missing')) ?? assert.fail(out);
  assert.deepEqual([late.before?.change, late.after?.change], ['parity', 'diverged']);
  assert.ok(late.appeared.every(found => found.class === 'missing' || found.class === 'late_applied'));
  // The same repeats, in another window.
  const found = (side: 'appeared' | 'gone'): string[] => windows.flatMap(window => window[side]).filter(one => one.class === 'duplicate').map(one => JSON.stringify(one)).sort();
  assert.ok(found('gone').length > 0);
  assert.deepEqual(found('appeared'), found('gone'));
  const rejudging = objects(out).at(-1) ?? {};
  assert.notEqual(rejudging['before'], rejudging['after']);
  assert.equal(rejudging['changed'], String(windows.length));
});
