// npm run kill: the long form of test/service/kill.test.ts. Prints what it did as JSON; exits with 1 where something differs.
//
//   npm run kill -- --kills 100 --events 200000
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prng } from '../simulation/prng.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { calmRun, killRun } from './kill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' }, events: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' },
    'faults-every': { type: 'string', default: '2000' }, 'commit-interval-ms': { type: 'string', default: '20' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'paritas-kill-'));
try {
  const { configFile, sourceRecords, targetRecords, faults } = generateCapture({ events: Number(values.events), out: join(folder, 'capture'), faultsEvery: Number(values['faults-every']) });
  const commitIntervalMs = Number(values['commit-interval-ms']);
  const calm = await calmRun({ configFile, folder: join(folder, 'undisturbed'), commitIntervalMs });
  const run = await killRun({
    configFile, folder: join(folder, 'killed'), kills: Number(values.kills), random: prng(Number(values.seed)), commitIntervalMs, calm,
    say: line => void process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify({ seed: Number(values.seed), sourceRecords, targetRecords, faults: faults.length, undisturbedSeconds: calm.ms / 1000, ...run }, undefined, 2)}\n`);
  process.exitCode = run.differences.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
