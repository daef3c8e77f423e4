import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { formatBytes, formatDurationUs, parseDurationUs, parseSizeBytes } from '../../topology/units.ts';

void test('durations', () => {
  const table: [string, number | undefined][] = [
    ['500ms', 500_000], ['5s', 5_000_000], ['2m', 120_000_000], ['1h', 3_600_000_000], ['1d', 86_400_000_000], ['0s', 0], ['7us', 7],
    ['0.5s', 500_000], ['0.1ms', 100], ['1.5h', 5_400_000_000], ['0.0001ms', undefined], ['5', undefined], ['5 s', undefined], ['-5s', undefined],
    ['5S', undefined], ['s', undefined], ['', undefined], ['1e3s', undefined], ['9007199254740992us', undefined], ['99999999999999999999999999s', undefined],
  ];
  for (const [text, us] of table) assert.equal(parseDurationUs(text), us, text);
});

void test('sizes', () => {
  const table: [string, number | undefined][] = [
    ['64MiB', 67_108_864], ['1kB', 1000], ['1KiB', 1024], ['12B', 12], ['1.5GiB', 1_610_612_736], ['64M', undefined], ['0.3B', undefined], ['', undefined],
  ];
  for (const [text, bytes] of table) assert.equal(parseSizeBytes(text), bytes, text);
  assert.equal(formatBytes(1_234_567), '1.2 MB');
  assert.equal(formatBytes(999), '999 B');
});

void test('a printed duration reads back as itself', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (us) => parseDurationUs(formatDurationUs(us)) === us));
  assert.equal(formatDurationUs(60_000_000), '1m');
});
