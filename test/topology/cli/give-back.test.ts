// What a service's process is started again with, and when it is left as it was: each start says who it is and what it was started with.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../topology/cli/paritas.mjs', import.meta.url));
const SAY = `data:text/javascript,${encodeURIComponent(`
const { pid, env: { MALLOC_MMAP_THRESHOLD_: mmap, MALLOC_TRIM_THRESHOLD_: trim }, execArgv, argv } = process;
process.stderr.write('START ' + JSON.stringify({ pid, mmap, trim, young: execArgv.filter(one => one.startsWith('--max-semi')), args: argv.slice(2) }) + '\\n');`)}`;

interface Start { readonly pid: number; readonly mmap?: string; readonly trim?: string; readonly young: readonly string[]; readonly args: readonly string[] }
interface Seen { readonly pid: number | undefined; readonly starts: readonly Start[]; readonly code: number | null; readonly out: string }
interface Way { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv; readonly flags?: readonly string[]; readonly ipc?: boolean }

async function start({ args = ['run', '--help'], env = {}, flags = [], ipc = false }: Way): Promise<Seen> {
  const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(MALLOC_|GLIBC_TUNABLES|LD_PRELOAD|NODE_OPTIONS)/.test(name)));
  const child = spawn(process.execPath, [...flags, '--import', SAY, MAIN, ...args], { env: { ...bare, ...env }, stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc' as const] : [])] });
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => { out += text; });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => { err += text; });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  const starts = err.split('\n').filter(line => line.startsWith('START ')).map(line => JSON.parse(line.slice(6)) as Start);
  return { pid: child.pid, starts, code, out };
}

const hasGlibc = process.platform === 'linux' && (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime !== undefined;

void test('a service is started again in its place, with the same arguments and what makes glibc give memory back', { skip: !hasGlibc }, async () => {
  const { pid, starts, code, out } = await start({});
  assert.deepEqual(starts, [
    { pid, young: [], args: ['run', '--help'] },
    { pid, mmap: '32768', trim: '65536', young: ['--max-semi-space-size=16'], args: ['run', '--help'] },
  ]);
  assert.equal(code, 0);
  assert.match(out, /long-running topology/);
});

void test('a size of the young generation that was chosen stays', { skip: !hasGlibc }, async () => {
  for (const [way, young] of [[{ flags: ['--max-semi-space-size=32'] }, ['--max-semi-space-size=32']], [{ env: { NODE_OPTIONS: '--max-semi-space-size=32' } }, []]] as const) {
    const { starts } = await start(way);
    assert.deepEqual(starts.map(one => [one.mmap, one.young]), [[undefined, young], ['32768', young]]);
  }
});

void test('it is not started again: another command, sizes or an allocator of the operator, a parent that talks to it', async () => {
  const ways: readonly Way[] = [
    { args: ['check', '--help'] }, { args: ['--version'] }, { env: { MALLOC_MMAP_THRESHOLD_: '1000000' } }, { env: { MALLOC_TRIM_THRESHOLD_: '1000000' } },
    { env: { GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=1000000' } }, { env: { LD_PRELOAD: '/nowhere/libjemalloc.so.2' } }, { ipc: true },
  ];
  for (const way of ways) {
    const { pid, starts, code } = await start(way);
    assert.deepEqual([starts.map(one => one.pid), starts[0].young, starts[0].mmap, code], [[pid], [], way.env?.['MALLOC_MMAP_THRESHOLD_'], 0], JSON.stringify(way));
  }
});

void test('a usage error of a service ends with 2', async () => {
  assert.equal((await start({ args: ['run', '--nonsense'] })).code, 2);
});
