import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openTaskDirectory, openTemporaryTaskDirectory } from '../../stores/state-directory.ts';

const IMPORT = `import { openTaskDirectory, openTemporaryTaskDirectory } from './stores/state-directory.ts';`;
const NODE = [process.execPath, '--input-type=module', '-e'] as const;

describe('state directory', () => {
  const root = mkdtempSync(join(tmpdir(), 'state-directory-'));
  after(() => { rmSync(root, { recursive: true, force: true }); });
  const at = (task: string): Parameters<typeof openTaskDirectory>[0] => ({ root, application: 'shop', pair: 'orders', task });
  const lock = (task: string): string => join(root, 'shop', 'orders', task, 'lock');
  const writeLock = (task: string, holder: object | string): void => {
    mkdirSync(dirname(lock(task)), { recursive: true });
    writeFileSync(lock(task), typeof holder === 'string' ? holder : JSON.stringify(holder));
  };

  test('lays out application, pair and task, and leaves nothing but the state', () => {
    const directory = openTaskDirectory(at('0'));
    assert.equal(directory.path, join(root, 'shop', 'orders', '0', 'db'));
    assert.deepEqual(readdirSync(dirname(directory.path)).sort(), ['db', 'lock']);
    directory.close();
    directory.close();
    assert.deepEqual(readdirSync(dirname(directory.path)), ['db']);
  });

  test('names cannot leave the root nor meet each other', () => {
    const names = ['..', '.', 'a/b', 'a%2Fb', 'a\\b', 'ä', 'a b', 'a*b', '.hidden', 'a.b'];
    const paths = names.map((pair) => {
      const directory = openTaskDirectory({ root, application: 'names', pair, task: '0' });
      directory.close();
      return dirname(dirname(directory.path));
    });
    assert.equal(new Set(paths).size, names.length);
    for (const path of paths) assert.equal(dirname(path), join(root, 'names'));
    assert.throws(() => openTaskDirectory({ root, application: 'names', pair: '', task: '0' }), /empty/);
  });

  test('a second holder is refused, in this process and in another', () => {
    const directory = openTaskDirectory(at('held'));
    assert.throws(() => openTaskDirectory(at('held')), { reason: 'locked' });
    const other = spawnSync(NODE[0], [NODE[1], NODE[2], `${IMPORT}
      try { openTaskDirectory(${JSON.stringify(at('held'))}); } catch (error) { console.log(error.reason, error.message); }`], { encoding: 'utf8' });
    assert.match(other.stdout, new RegExp(`^locked .*held by process ${process.pid} on `), other.stderr);
    openTaskDirectory(at('other')).close();
    directory.close();
    openTaskDirectory(at('held')).close();
  });

  test('the lock of a process that was killed is taken over', () => {
    const killed = spawnSync(NODE[0], [NODE[1], NODE[2], `${IMPORT}
      openTaskDirectory(${JSON.stringify(at('killed'))}); process.kill(process.pid, 'SIGKILL');`]);
    assert.equal(killed.signal, 'SIGKILL');
    assert.ok(existsSync(lock('killed')));
    const directory = openTaskDirectory(at('killed'));
    assert.match(readFileSync(lock('killed'), 'utf8'), new RegExp(`"pid":${process.pid},`));
    assert.deepEqual(readdirSync(dirname(directory.path)).sort(), ['db', 'lock']);
    directory.close();
  });

  test('a number that another process has now is no holder', { skip: process.platform !== 'linux' }, () => {
    // Process 1 lives, but began at another time than the lock says.
    writeLock('reused', { pid: 1, host: hostname(), began: 'another-boot/17' });
    openTaskDirectory(at('reused')).close();
    writeLock('own', { pid: process.pid, host: hostname(), began: '' });
    openTaskDirectory(at('own')).close();
  });

  test('what cannot be judged counts as held, and the message says how to go on', () => {
    // No process of ours has that number.
    writeLock('host', { pid: 99_999_999, host: 'elsewhere', began: '' });
    assert.throws(() => openTaskDirectory(at('host')), { reason: 'locked', message: /process 99999999 on elsewhere.*delete this file/ });
    for (const garbage of ['', '{', 'null', '{"pid":"1"}']) {
      writeLock('garbage', garbage);
      assert.throws(() => openTaskDirectory(at('garbage')), { reason: 'locked', message: /unknown process/ });
    }
  });

  test('wipe leaves an empty directory, and what is beside it', () => {
    const directory = openTaskDirectory(at('wiped'));
    writeFileSync(join(directory.path, 'x'), '');
    directory.wipe();
    assert.deepEqual(readdirSync(directory.path), []);
    assert.ok(existsSync(lock('wiped')));
    directory.close();
  });

  test('a root that is no directory is named', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    assert.throws(() => openTaskDirectory({ ...at('0'), root: file }), { reason: 'not-writable', message: /cannot be written/ });
  });

  test('a temporary directory goes at close, at exit, by an exception and by a signal', async () => {
    const own = openTemporaryTaskDirectory();
    writeFileSync(join(own.path, 'x'), '');
    own.close();
    assert.equal(existsSync(dirname(own.path)), false);
    assert.equal(process.listenerCount('SIGTERM'), 0);
    const ends = ['', 'process.exit(7);', `throw new Error('x');`, 'await Promise.reject(new Error());'];
    for (const end of ends) {
      const run = spawnSync(NODE[0], [NODE[1], NODE[2], `${IMPORT} console.log(openTemporaryTaskDirectory().path); ${end}`], { encoding: 'utf8' });
      assert.match(run.stdout, /paritas-task-/, run.stderr);
      assert.equal(existsSync(dirname(run.stdout.trim())), false, end);
    }
    const child = spawn(NODE[0], [NODE[1], NODE[2], `${IMPORT} console.log(openTemporaryTaskDirectory().path); setTimeout(() => {}, 60000);`]);
    const [chunk] = await once(child.stdout, 'data') as [Buffer];
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'exit') as [number | null, string | null];
    assert.deepEqual([code, signal], [null, 'SIGTERM'], 'the signal still does its work');
    assert.equal(existsSync(dirname(chunk.toString().trim())), false);
  });

  test('a temporary directory of a killed process is swept by the next', () => {
    const killed = spawnSync(NODE[0], [NODE[1], NODE[2], `${IMPORT}
      console.log(openTemporaryTaskDirectory().path); process.kill(process.pid, 'SIGKILL');`], { encoding: 'utf8' });
    const left = dirname(killed.stdout.trim());
    assert.ok(existsSync(left));
    const living = openTemporaryTaskDirectory();
    assert.equal(existsSync(left), false);
    openTemporaryTaskDirectory().close();
    assert.ok(existsSync(living.path));
    living.close();
  });
});
