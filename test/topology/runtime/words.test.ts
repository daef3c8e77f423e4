// A word on its way through the log: cut into parts, read back whole, from where it is still needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createClaim } from '../../../processors/claims.ts';
import { createTally } from '../../../processors/tally.ts';
import type { Word } from '../../../processors/word.ts';
import { wordPartBytes } from '../../../schemas/limits.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import { createWordReader, toRecords } from '../../../topology/runtime/words.ts';
import { appendTo } from '../../support/append.ts';

const AT = { topic: 'windows', partition: 0 };

function word(gateUs: number, keyBytes: number): Word {
  const tally = createTally();
  tally[0] = 3;
  const result = {
    window: 4, tally, sums: BigUint64Array.of(1n, (1n << 64n) - 1n), resolved: [{ key: Buffer.of(1), window: 3, finding: undefined }], amended: new Map([[2, 1]]), schema: [], undecidable: false, loads: 0,
    openDivergences: 1, targetElides: false, transactions: [],
    findings: [{ class: 'missing' as const, window: 4, key: Buffer.alloc(keyBytes, 7), source: undefined, target: undefined, columns: [], hint: undefined, attribution: 'origin' as const }],
  };
  return { gateUs, upToUs: gateUs + 1, claims: [{ ...createClaim(0, 's', 2), maxTimeUs: 9 }], bounds: [[{ tier: 'heartbeat-grace', watermarkUs: 5 }], []], endsUs: [gateUs], results: [{ closeUpToUs: gateUs, result }] };
}

void test('a large word is in several records, and comes back as it was; a reader that begins between two words begins with the next', async () => {
  const log = openEmbeddedLog();
  await log.createTopic(AT.topic, { partitions: 1, cleanup: 'delete' });
  const words = [word(10, 5), word(20, 2 * wordPartBytes), word(30, 0)];
  const records = words.map(one => toRecords(AT, one));
  assert.deepEqual(records.map(({ length }) => length), [1, 3, 1]);
  for (const one of records) await appendTo(log, { records: one, positions: [], group: '' });
  const reader = createWordReader(await log.open(AT, 0));
  const places: number[][] = [];
  for (const one of words) {
    assert.ok(await reader.next());
    assert.deepEqual(reader.word, one);
    places.push([reader.begin, reader.end]);
  }
  assert.deepEqual(places, [[0, 1], [1, 4], [4, 5]]);
  assert.equal(await reader.next(), false);
  const later = createWordReader(await log.open(AT, 4));
  assert.deepEqual([later.begin, later.end], [4, 4]);
  assert.ok(await later.next());
  assert.deepEqual(later.word, words[2]);
});

void test('a part of a later version is refused with its place', async () => {
  const log = openEmbeddedLog();
  await log.createTopic(AT.topic, { partitions: 1, cleanup: 'delete' });
  await appendTo(log, { records: [{ ...AT, key: null, value: Buffer.of(99, 0, 123) }], positions: [], group: '' });
  await assert.rejects(createWordReader(await log.open(AT, 0)).next(), /^ParitasError: windows-0@0 is of format 99/);
});
