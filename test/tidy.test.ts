// The architecture as a test: floors, only-one importers, bans with their replacement, and the size of files. Each rule is seen to fail on
// a planted violation below.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const TOP_LEVEL = [
  'topology', 'processors', 'stores', 'schemas', 'test', 'deploy',
  'package.json', 'package-lock.json', 'tsconfig.json', 'eslint.config.js', 'README.md',
];

/** Lowest first. A file belongs to the first floor whose pattern it matches; imports go to the same floor or down. */
const FLOORS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: '0 schemas', pattern: /^schemas\// },
  { name: '1 stores', pattern: /^stores\// },
  { name: '1 processors', pattern: /^processors\// },
  { name: '2 topology', pattern: /^topology\/[^/]+$/ },
  { name: '3 runtime', pattern: /^topology\/(runtime\/|log\/log\.ts$)/ },
  { name: '4 log', pattern: /^topology\/log\// },
  { name: '5 telemetry', pattern: /^topology\/telemetry\// },
  { name: '6 cli', pattern: /^topology\/cli\// },
];

/** Packages and modules that only certain files may import. */
const ONLY_IN: readonly { readonly module: RegExp; readonly files: RegExp; readonly instead: string }[] = [
  { module: /^protobufjs|schemas\/generated\//, files: /^schemas\/codecs\.ts$/, instead: 'schemas/codecs.ts' },
  { module: /^@nxtedition\/rocksdb/, files: /^stores\/(rocksdb-nxtedition\.ts|nxtedition-binding\.d\.ts)$/, instead: 'stores/rocksdb-store.ts' },
  { module: /^rocksdb-native/, files: /^stores\/(rocksdb-native-thread\.ts|native-binding\.d\.ts)$/, instead: 'stores/rocksdb-store.ts' },
  { module: /@platformatic\/kafka/, files: /^topology\/log\/kafka\//, instead: 'topology/log/kafka/' },
  { module: /^@opentelemetry\//, files: /^topology\/telemetry\//, instead: 'topology/telemetry/' },
  { module: /^zod/, files: /^topology\/config/, instead: 'topology/config.ts' },
  { module: /^(commander|cli-table3|cli-progress)/, files: /^topology\/cli\//, instead: 'topology/cli/' },
];

const CORE = /^(processors|stores|schemas)\//;
const BANS: readonly { readonly files: RegExp; readonly except?: RegExp; readonly text: RegExp; readonly instead: string }[] = [
  { files: CORE, except: /^stores\/(lock-file|state-directory)\.ts$/, text: /\bDate\.now\b|new Date\(|performance\.now/, instead: 'time is an argument (a decision, a commit time)' },
  { files: CORE, text: /Math\.random|randomUUID|randomBytes/, instead: 'ids are derived from content (schemas/hash-text.ts)' },
  { files: CORE, text: /\bset(Timeout|Interval|Immediate)\(/, instead: 'timers belong to topology/runtime' },
  { files: CORE, except: /^stores\/(state-directory|lock-file|remove-at-exit)\.ts$/, text: /process\.env/, instead: 'settings come from topology/config.ts' },
  { files: CORE, text: /\.localeCompare\(|toLocale/, instead: 'compare code units or bytes' },
  { files: CORE, except: /^schemas\/canonical\/zone\.ts$/, text: /\bIntl\./, instead: 'schemas/canonical/zone.ts' },
  { files: CORE, text: /\bcreateHmac\b/, instead: 'put the key in front of a one-shot hash' },
  { files: /^processors\//, text: /\basync\b|\bawait\b/, instead: 'the core is synchronous: fetch before, write after' },
  { files: /^processors\/(?!(enter|truncates)\.ts)/, text: /\.(flags|link)\[[^\]]*\] \|?= /, instead: 'slots.addFlags and slots.setLink: a commit writes what they note' },
  { files: /^(?!test\/|deploy\/|schemas\/generate\.mjs)/, except: /^topology\/cli\//, text: /\bconsole\./, instead: 'output belongs to topology/cli' },
  { files: /./, except: /^test\/tidy\.test\.ts$/, text: /^\s*(export\s+)?(const\s+)?enum\s/m, instead: 'a frozen object of constants' },
  { files: /./, except: /^test\/tidy\.test\.ts$/, text: /\b(FIXME|XXX|TODO)\b/, instead: 'do it, or say in the design notes why not' },
  { files: /./, except: /^test\/tidy\.test\.ts$/, text: /\/work\/|\.\.\/shared\//, instead: 'the project stands by itself' },
];

const LINES_MAX = 260;
/** Longer for a reason. */
const LONG: Readonly<Record<string, string>> = {
  'stores/slot-store.ts': 'one class: its fields, their meaning and the chains over them belong on one page',
};

type Files = ReadonlyMap<string, string>;

function problemsOf(files: Files): string[] {
  return [...files].flatMap(([path, text]) => [...importProblems(path, text), ...banProblems(path, text), ...sizeProblems(path, text)]);
}

function importProblems(path: string, text: string): string[] {
  const problems: string[] = [];
  for (const [, module] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    const target = module.startsWith('.') ? posix.join(posix.dirname(path), module) : module;
    for (const rule of ONLY_IN) {
      if (rule.module.test(target) && !rule.files.test(path) && !path.startsWith('test/')) problems.push(`${path} imports ${target}: only ${rule.instead} may`);
    }
    if (!module.startsWith('.') || path.startsWith('test/')) continue;
    const from = floorOf(path);
    const to = floorOf(target);
    if (to === -1 && target.startsWith('test/')) problems.push(`${path} imports ${target}: nothing of the product imports a test`);
    else if (to > from) problems.push(`${path} (floor ${FLOORS[from]?.name}) imports ${target} (floor ${FLOORS[to].name}): imports go down; hand it a function instead`);
  }
  return problems;
}

function floorOf(path: string): number {
  const log = FLOORS.findIndex(floor => floor.pattern.test(path));
  return log;
}

function banProblems(path: string, text: string): string[] {
  return BANS.filter(ban => ban.files.test(path) && ban.except?.test(path) !== true && ban.text.test(withoutComments(text)))
    .map(ban => `${path} has ${ban.text.source}: ${ban.instead}`);
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
}

function sizeProblems(path: string, text: string): string[] {
  if (path.startsWith('test/')) return [];
  const lines = text.split('\n').length;
  const problems = lines > LINES_MAX && LONG[path] === undefined ? [`${path} has ${lines} lines (at most ${LINES_MAX}): split it by story`] : [];
  if (/(^|\/)(index|mod)\.ts$/.test(path)) problems.push(`${path}: no barrel files`);
  if (!/^\/\/|^\/\*|^#!/.test(text)) problems.push(`${path} does not begin with a comment that says what it is`);
  return problems;
}

function readProject(): Map<string, string> {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!['node_modules', 'generated', 'fixtures', 'golden', 'data'].includes(entry.name)) walk(path);
      } else if (entry.name.endsWith('.ts')) files.set(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8'));
    }
  };
  for (const folder of ['topology', 'processors', 'stores', 'schemas', 'test']) walk(join(root, folder));
  return files;
}

test('floors, only-one importers, bans and sizes hold', () => {
  assert.deepEqual(problemsOf(readProject()), []);
});

test('the top level is fixed', () => {
  const entries = readdirSync(root).filter(name => !name.startsWith('.') && !['node_modules', 'data', 'coverage'].includes(name));
  assert.deepEqual(entries.filter(name => !TOP_LEVEL.includes(name)), []);
});

const PLANTED: readonly { readonly rule: string; readonly path: string; readonly text: string; readonly says: RegExp }[] = [
  { rule: 'an import that goes up', path: 'processors/a.ts', text: "import { x } from '../topology/runtime/y.ts';", says: /imports go down/ },
  { rule: 'stores do not know processors', path: 'stores/a.ts', text: "import { x } from '../processors/y.ts';", says: /imports go down/ },
  { rule: 'the runtime does not know an adapter', path: 'topology/runtime/a.ts', text: "import { x } from '../log/embedded-log.ts';", says: /imports go down/ },
  { rule: 'an import up through import()', path: 'schemas/a.ts', text: "const x = await import('../stores/y.ts');", says: /imports go down/ },
  { rule: 'a product file that imports a test', path: 'topology/cli/a.ts', text: "import { x } from '../../test/support/y.ts';", says: /imports a test/ },
  { rule: 'a second importer of RocksDB', path: 'processors/a.ts', text: "import { RocksLevel } from '@nxtedition/rocksdb';", says: /rocksdb-store/ },
  { rule: 'an importer of the Kafka library outside its folder', path: 'topology/log/a.ts', text: "import { Producer } from '@platformatic/kafka';", says: /topology\/log\/kafka/ },
  { rule: 'the same by file', path: 'topology/cli/a.ts', text: "import { Reader } from '../../node_modules/@platformatic/kafka/dist/protocol/reader.js';", says: /topology\/log\/kafka/ },
  { rule: 'a second importer of protobufjs', path: 'topology/cli/a.ts', text: "import pb from 'protobufjs/minimal.js';", says: /codecs/ },
  { rule: 'a clock in the core', path: 'processors/a.ts', text: 'const now = Date.now();', says: /time is an argument/ },
  { rule: 'randomness in the core', path: 'schemas/a.ts', text: 'const id = Math.random();', says: /derived from content/ },
  { rule: 'a locale in the core', path: 'processors/a.ts', text: 'list.sort((a, b) => a.localeCompare(b));', says: /code units/ },
  { rule: 'await in the core', path: 'processors/a.ts', text: 'export async function f() {}', says: /synchronous/ },
  { rule: 'a flag set behind the back of the commit', path: 'processors/a.ts', text: 'slots.flags[slot] |= FLAG.named;', says: /addFlags/ },
  { rule: 'an enum', path: 'topology/a.ts', text: 'export enum Side { source }', says: /frozen object/ },
  { rule: 'a barrel file', path: 'stores/index.ts', text: '// all\n', says: /barrel/ },
  { rule: 'a long file', path: 'stores/a.ts', text: '// x\n'.repeat(LINES_MAX + 1), says: /split it/ },
];

for (const { rule, path, text, says } of PLANTED) {
  test(`a planted violation is seen: ${rule}`, () => {
    const problems = problemsOf(new Map([[path, text.startsWith('//') ? text : `// planted\n${text}`]]));
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0], says);
  });
}
