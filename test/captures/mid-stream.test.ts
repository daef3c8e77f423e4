// A capture that begins in mid-stream: what the first windows show may have its cause before the start, so they are undecidable and nothing
// is found in them; afterwards a clean capture is clean, and faults are found (semantics.md §11, ruling 4).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { check, type Checked } from '../support/check.ts';
import { generateCapture } from '../support/generate-capture.ts';

/** Fourteen seconds of changes; the first `share` of each partition is cut off, of the target a little less: its first changes have lost their cause. */
async function checkFrom(share: number, options: { complete: boolean; faultsEvery?: number }): Promise<Checked & { faults: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-mid-'));
  try {
    const made = generateCapture({ events: 14000, out: folder, partitions: 2, faultsEvery: options.faultsEvery ?? 0 });
    const { pairs } = parse(readFileSync(made.configFile, 'utf8')) as { pairs: [Record<string, unknown>] };
    const lines = (file: string, cut: number): string[] => {
      const byPartition = Map.groupBy(readFileSync(file, 'utf8').trim().split('\n'), line => (JSON.parse(line) as { partition: number }).partition);
      return [...byPartition.values()].flatMap(part => part.slice(Math.floor(part.length * cut)));
    };
    const checked = await check({ pair: pairs[0] }, lines(made.sourceFiles[0], share), lines(made.targetFiles[0], share * 0.8), { complete: options.complete });
    return { ...checked, faults: made.faults.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const changesOf = ({ records }: Checked): string[] => records.filter(record => record.record === 'verdict').map(verdict => verdict.change);
const manifest = ({ records }: Checked): unknown[] => records.filter(record => record.record === 'manifest');

test('the first windows are undecidable, the others in parity, and nothing is found', async () => {
  const checked = await checkFrom(0.2, { complete: false });
  const changes = changesOf(checked);
  const firstDecided = changes.indexOf('parity');
  assert.ok(firstDecided > 0, changes.join(' '));
  assert.deepEqual(changes, changes.map((_, i) => (i < firstDecided ? 'undecidable' : 'parity')));
  assert.deepEqual(manifest(checked), []);
  assert.equal(checked.exitCode, 3);
});

test('declared complete, the same capture is judged as if nothing had been before it: the first changes have no cause', async () => {
  const checked = await checkFrom(0.2, { complete: true });
  assert.ok(checked.records.some(record => record.record === 'manifest' && record.class === 'unexpected'));
});

test('after the warm-up faults are found', async () => {
  const checked = await checkFrom(0.2, { complete: false, faultsEvery: 500 });
  assert.ok(manifest(checked).length > 0);
  assert.equal(checked.exitCode, 1);
});

test('from offset 0 there is no warm-up', async () => {
  assert.ok(changesOf(await checkFrom(0, { complete: false })).every(change => change === 'parity'));
});
