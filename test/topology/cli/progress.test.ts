import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';

import { createProgress } from '../../../topology/cli/progress.ts';
import type { CliIo } from '../../../topology/cli/io.ts';

function io(isTTY: boolean): { io: CliIo; written: () => string } {
  let text = '';
  const stderr = Object.assign(new Writable({ decodeStrings: false, write(chunk: string, _e, done) { text += chunk; done(); } }), {
    isTTY, columns: 100, cursorTo: () => true, clearLine: () => true, moveCursor: () => true,
  });
  return { io: { stderr } as unknown as CliIo, written: () => text };
}
const half = { records: 500_000, totalRecords: 1_000_000, bytes: 24e6, watermarkUs: 1_796_073_488_716_957 };

void test('elsewhere than on a terminal: a line every 10 s, none for a quick run', async () => {
  const { io: to, written } = io(false);
  let now = 0;
  const progress = await createProgress(to, () => now);
  for (now of [1, 5000, 9999]) progress.update(half);
  assert.equal(written(), '');
  for (now of [12_000, 13_000, 21_999]) progress.update(half);
  assert.equal(written(), 'progress: 500,000/1,000,000 records, 2.0 MB/s, watermark 2026-11-30T21:18:08.716957Z, 12 s left\n');
  now = 22_001;
  progress.update({ records: 7, totalRecords: undefined, bytes: 0, watermarkUs: NaN });
  progress.stop();
  assert.ok(written().endsWith('progress: 7 records, 0.0 MB/s, watermark -, ? left\n'));
});

void test('on a terminal: a bar, none for a quick run', async () => {
  const { io: to, written } = io(true);
  let now = 0;
  const progress = await createProgress(to, () => now);
  now = 300;
  progress.update(half);
  progress.stop();
  assert.equal(written(), '');
  now = 500;
  progress.update(half);
  progress.stop();
  assert.match(written(), /50% \| 500,000\/1,000,000 records \| 48\.0 MB\/s \| watermark 2026-11-30T21:18:08\.716957Z \| 1 s left/);
});
