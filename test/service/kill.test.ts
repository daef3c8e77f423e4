// The service as a process on a real disk: killed, asked to end, asked twice, and with no space left. Whatever happens, the next start goes on
// from the last commit, and what is in the output topics is what an undisturbed service puts there. The long form: npm run kill.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prng } from '../simulation/prng.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { calmRun, killRun, runOn, type Calm } from './kill.ts';
import { outputsIn } from './outputs.ts';
import { logDirectory, signalAfter, startService, type Place } from './process.ts';

const folder = mkdtempSync(join(tmpdir(), 'paritas-service-'));
after(() => { rmSync(folder, { recursive: true, force: true }); });
let configFile: string;
let calm: Calm;
const place = (name: string): Place => ({ configFile, folder: join(folder, name), commitIntervalMs: 40 });

before(async () => {
  ({ configFile } = generateCapture({ events: 10_000, out: join(folder, 'capture'), faultsEvery: 1000 }));
  calm = await calmRun(place('undisturbed'));
  ok(calm.outputs.length > 20, `only ${calm.outputs.length} records: they say little`);
});

test('killed with -9 at random moments it says what an undisturbed one says, and wipes nothing', async () => {
  const run = await killRun({ ...place('killed'), kills: 5, random: prng(5), calm });
  deepEqual(run.differences, []);
  deepEqual(run.notices.filter(line => line.includes('wiped')), []);
  ok(run.advanced > 0, 'no life came to a commit: the kills say little');
});

test('SIGTERM: what was read is committed, and it exits with 0; a second one ends it at once, and nothing is lost', async () => {
  const asked = startService(place('asked'));
  ok(await asked.running, asked.lines.join('\n'));
  await signalAfter(asked, 60, 'SIGTERM');
  deepEqual(await asked.gone, { code: 0, signal: null });
  deepEqual(asked.lines.filter(line => line.endsWith(': closed')).sort(), ['orders/merge: closed', 'orders/reconcile/0: closed']);
  const twice = startService(place('asked'));
  ok(await twice.running, twice.lines.join('\n'));
  // After a quiet end there is nothing to restore and no lock to take over.
  deepEqual(twice.lines.filter(line => !/^orders\/(reconcile\/0|merge): (restoring|running)$/.test(line)), []);
  twice.child.kill('SIGTERM');
  await signalAfter(twice, 2, 'SIGTERM');
  ok([0, 143].includes((await twice.gone).code ?? -1), twice.lines.join('\n'));
  deepEqual((await runOn(place('asked'), calm)).differences, []);
});

for (const what of ['log', 'state'] as const) {
  test(`a full disk under the ${what}: it stops and says so; with space again it goes on`, async t => {
    const at = place(`full-${what}`);
    const small = what === 'log' ? logDirectory(at.folder) : join(at.folder, 'state');
    mkdirSync(small, { recursive: true });
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=700k', 'tmpfs', small]).status !== 0) return t.skip('needs the right to mount a small disk');
    t.after(() => spawnSync('umount', [small]));
    const service = startService(at);
    deepEqual(await service.gone, { code: 2, signal: null });
    match(service.lines.at(-1) ?? '', /no space left/);
    const soFar = await outputsIn(at);
    equal(soFar.every(line => calm.outputs.includes(line)), true);
    equal(spawnSync('mount', ['-o', 'remount,size=64m', small]).status, 0);
    deepEqual((await runOn(at, calm)).differences, []);
  });
}
