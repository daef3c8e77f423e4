// The command line as a whole: every command's help, its examples as printed, and the process around it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { classify, ParitasError } from '../../../schemas/errors.ts';
import { createProgram } from '../../../topology/cli/program.ts';
import { runStub, stubEngine } from '../../support/stub-cli.ts';
import type { CliContext } from '../../../topology/cli/context.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMANDS = [
  'check', 'run', 'state', 'start', 'verdicts', 'manifests', 'dead-letters', 'audit', 'status', 'explain', 'replay', 'describe', 'config', 'init', 'validate',
  'doctor', 'topics',
];
const row = { side: 'source', op: 'create', position: '1', origin: '', commitTime: '2026-11-30T12:00:00Z', topic: 't', partition: 0, offset: '0', findings: [] } as const;

void test('every command of the contract is there, and each is found by its name alone', async () => {
  const context = { io: { stdout: {}, stderr: {} } } as unknown as CliContext;
  const named = async (word?: string): Promise<string[]> => (await createProgram(context, '0', word)).commands.map((command) => command.name());
  assert.deepEqual((await named()).sort(), [...COMMANDS].sort());
  for (const command of COMMANDS) assert.ok((await named(command)).includes(command), command);
  assert.deepEqual(await named('check'), ['check']);
});

for (const command of COMMANDS) {
  void test(`${command} --help has examples that work as printed`, async () => {
    const { code, out } = await runStub([command, '--help']);
    assert.equal(code, 0);
    const examples = out.split('\n').filter((line) => line.startsWith('  $ ')).map((line) => line.slice(4).split(' | ')[0]);
    assert.ok(examples.length > 0, out);
    for (const example of examples) {
      // They do not end by themselves, want what a run has left (state.test.ts, status.test.ts), or leave something behind.
      if (example === 'npm start' || /^npx paritas (run|state|status|topics apply) /.test(example)) continue;
      const [npx, paritas, ...argv] = example.split(' ');
      assert.deepEqual([npx, paritas], ['npx', 'paritas']);
      for (const word of argv) if (word.startsWith('deploy/')) assert.ok(existsSync(ROOT + word), word);
      const ran = await runStub(argv, { cwd: ROOT, engine: stubEngine([], 0, { rows: [row] }) });
      assert.equal(ran.code, 0, `${example}: ${ran.err}`);
    }
  });
}

void test('errors are classified, whatever is thrown', () => {
  const table: [unknown, string, number][] = [
    [new ParitasError('config', 'x'), 'config', 2], ['text', 'internal', 70], [undefined, 'internal', 70],
    [Object.assign(new Error('x'), { exitCode: 2 }), 'input', 2], [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable', 4],
    [Object.assign(new Error('x'), { code: 'EWHATEVER' }), 'internal', 70], [Object.assign(new Error('x'), { name: 'AbortError' }), 'interrupted', 130],
  ];
  for (const [thrown, code, exitCode] of table) {
    const classified = classify(thrown);
    assert.deepEqual([classified.code, classified.exitCode], [code, exitCode]);
  }
});

void test('the process: version, usage error, a reader that goes away', () => {
  const main = `${ROOT}topology/cli/paritas.mjs`;
  const version = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  assert.deepEqual([version.status, version.stdout, version.stderr], [0, '0.1.0\n', '']);
  assert.equal(spawnSync(process.execPath, [main, 'chekc'], { encoding: 'utf8' }).status, 2);
  const piped = spawnSync('bash', ['-c', `set -o pipefail; "${process.execPath}" "${main}" config --schema | true; echo "\${PIPESTATUS[0]}"`], { encoding: 'utf8' });
  assert.equal(piped.stderr, '');
});

void test('the process: Ctrl-C ends it with 130', async () => {
  const child = spawn(process.execPath, [`${ROOT}topology/cli/paritas.mjs`, 'verdicts', '--from', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => { err += chunk.toString(); });
  child.stdin.write('{"record":"verdict"}\n');
  // The handler is in place once the first line could be read; until then, SIGINT would end Node itself.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  child.kill('SIGINT');
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => child.on('exit', (...ended) => resolve(ended)));
  assert.deepEqual([code, signal, err], [130, null, '\ninterrupted\n']);
});
