// `npm run mutate`: plants faults in the core, one by one, in a copy of the tree, and shows which test catches each. Exit code 0: all are
// caught; 1: one is not; 2: a patch does not fit its code any more, or a test fails without any fault, so nothing is shown.
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

/** True where a test of the file fails, or the file does not even run. */
function fails(copy, [file, name]) {
  const pattern = name === '' ? [] : [`--test-name-pattern=${name}`];
  const { status, stdout } = spawnSync(process.execPath, [...pattern, file], { cwd: copy, encoding: 'utf8', timeout: 300_000 });
  // A name that no test has would pass for ever.
  if (status === 0 && !/^ℹ pass [1-9]|^# pass [1-9]/m.test(stdout)) stop(`${file} has no test named "${name}"`);
  return status !== 0;
}

const titleOf = ([file, name]) => (name === '' ? file : `${file} "${name}"`);

const texts = faults.map(patched);
const copy = copyTree();
let escaped = 0;
try {
  const tests = new Map(faults.flatMap(({ tests }) => tests).map(test => [titleOf(test), test]));
  console.log(`${faults.length} faults, ${tests.size} tests; without a fault:`);
  for (const [title, test] of tests) {
    if (fails(copy, test)) stop(`${title} fails without any fault`);
    console.log(`  passes  ${title}`);
  }
  console.log('\nFAULT → CAUGHT BY');
  faults.forEach((fault, i) => {
    writeFileSync(join(copy, fault.file), texts[i]);
    const by = fault.tests.find(test => fails(copy, test));
    cpSync(join(root, fault.file), join(copy, fault.file));
    if (by === undefined) escaped++;
    console.log(`${fault.name} → ${by === undefined ? 'NOT CAUGHT' : titleOf(by)}`);
  });
  console.log(escaped === 0 ? `\nall ${faults.length} caught` : `\n${escaped} of ${faults.length} not caught`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = escaped === 0 ? 0 : 1;
