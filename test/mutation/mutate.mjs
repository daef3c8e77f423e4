// `npm run mutate`: plants faults in the core, one by one, in a copy of the tree, and shows which test catches each. Exit code 0: all are
// caught; 1: one is not; 2: a patch does not fit its code any more, or a test fails without any fault, so nothing is shown. Caught is a fault of
// which a test says that it fails: one that does not end in time, or a file that does not run, shows nothing of what the fault does.
// Words as arguments narrow the faults by their names.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS } from './faults.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const words = process.argv.slice(2);
const faults = FAULTS.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)));

/** What stands where the faults say; a patch that does not fit stops everything. */
function patched(fault) {
  let text = readFileSync(join(root, fault.file), 'utf8');
  for (const { find, replace } of [fault, ...(fault.extra === undefined ? [] : [fault.extra])]) {
    const places = text.split(find).length - 1;
    if (places !== 1) stop(`"${fault.name}": its code stands ${places} times in ${fault.file}, not once. It has moved or changed: make the patch fit\n${find}`);
    text = text.replace(find, () => replace);
  }
  return text;
}

function stop(why) {
  console.error(`mutate: ${why}`);
  process.exit(2);
}

/** A copy to break. Fixtures are only read, and packages are large: both are linked. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'paritas-mutate-'));
  for (const name of readdirSync(root).filter(name => !['node_modules', '.git', 'data'].includes(name))) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: path => !path.startsWith(join(root, 'test', 'fixtures')) });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  symlinkSync(join(root, 'test', 'fixtures'), join(copy, 'test', 'fixtures'), 'dir');
  return copy;
}

const TIMEOUT_MS = 900_000;

/** How a test ends: 'passes', 'fails', 'does not end' or 'does not run'. */
function outcomeOf(copy, [file, name]) {
  const pattern = name === '' ? [] : [`--test-name-pattern=${name}`];
  const { status, stdout, error } = spawnSync(process.execPath, [...pattern, file], { cwd: copy, encoding: 'utf8', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  if (error?.code === 'ETIMEDOUT') return 'does not end';
  const counted = what => new RegExp(`^(ℹ|#) ${what} [1-9]`, 'm').test(stdout);
  // A name that no test has would pass for ever.
  if (status === 0 && !counted('pass')) stop(`${file} has no test named "${name}"`);
  return status === 0 ? 'passes' : counted('fail') ? 'fails' : 'does not run';
}

const titleOf = ([file, name]) => (name === '' ? file : `${file} "${name}"`);

const texts = faults.map(patched);
const copy = copyTree();
let escaped = 0;
try {
  const tests = new Map(faults.flatMap(({ tests }) => tests).map(test => [titleOf(test), test]));
  console.log(`${faults.length} faults, ${tests.size} tests; without a fault:`);
  for (const [title, test] of tests) {
    const outcome = outcomeOf(copy, test);
    if (outcome !== 'passes') stop(`${title} ${outcome} without any fault`);
    console.log(`  passes  ${title}`);
  }
  console.log('\nFAULT → CAUGHT BY');
  faults.forEach((fault, i) => {
    writeFileSync(join(copy, fault.file), texts[i]);
    const { by, others } = tryTests(fault.tests);
    cpSync(join(root, fault.file), join(copy, fault.file));
    if (by === undefined) escaped++;
    console.log(`${fault.name} → ${by === undefined ? `NOT CAUGHT${others.map(other => `; ${other}`).join('')}` : by}`);
  });
  console.log(escaped === 0 ? `\nall ${faults.length} caught` : `\n${escaped} of ${faults.length} not caught`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = escaped === 0 ? 0 : 1;

/** The first test that catches the planted fault; of those before it the ones that neither pass nor fail. */
function tryTests(tests) {
  const others = [];
  for (const test of tests) {
    const outcome = outcomeOf(copy, test);
    if (outcome === 'fails') return { by: titleOf(test), others };
    if (outcome !== 'passes') others.push(`${titleOf(test)} ${outcome}`);
  }
  return { by: undefined, others };
}
