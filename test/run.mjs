// Run by `npm test`: the compiler, the linter, then every test under Node's own runner. Plain JavaScript, so that it starts on any Node; the
// tests run under the Node that the package brings. Words after `--` narrow the test files: `npm test -- config` runs those with that in their path.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };

function run(command, args) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  return signal === null && error === undefined ? status : 1;
}

function testFiles(folder) {
  return readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.ts')).map((file) => join(folder, file)).sort();
}

const words = process.argv.slice(2).filter((word) => word !== '--');
const files = testFiles(join(root, 'test')).map((file) => relative(root, file)).filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exit(1);
}

const checks = words.length > 0 ? [] : [['tsc', ['--noEmit']], ['eslint', ['.']]];
let failed = false;
for (const [command, args] of checks) {
  console.log(`# ${command} ${args.join(' ')}`);
  failed = run(command, args) !== 0 || failed;
}
console.log(`# node --test (${files.length} files)`);
// The tests run even where a check has failed: one run tells everything. The runner's own closing lines are the last that is printed.
// As many files at once as there are processors: the runner's own default leaves one idle, half of a machine with two.
// A file that waits for ever fails, and does not hold up the rest: a quarter of an hour, where the slowest takes two minutes.
failed = run('node', ['--test', `--test-concurrency=${availableParallelism()}`, '--test-timeout=900000', ...files]) !== 0 || failed;
process.exit(failed ? 1 : 0);
