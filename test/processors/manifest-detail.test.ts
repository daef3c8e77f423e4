// Beyond the bound of a window a manifest record tells class, key and ids; what is hashed and counted does not change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundDetail } from '../../processors/manifest-detail.ts';
import { decodeRecord, encodeRecord } from '../../schemas/codecs.ts';
import { manifest } from '../support/sample-records.ts';

const records = [...Array.from({ length: 8 }, (_, i) => manifest(1, { manifestId: `m${i}`, class: 'missing' })), ...Array.from({ length: 2 }, (_, i) => manifest(1, { manifestId: `x${i}`, class: 'mismatch' }))];

void test('within the bound nothing is cut', () => assert.deepEqual(boundDetail(records, 10), { records, cut: 0 }));

void test('every class keeps its share; what is cut has class, key and ids, and goes over the wire', () => {
  for (const [max, kept] of [[6, ['m0', 'm1', 'm2', 'm3', 'x0', 'x1']], [2, ['m0', 'x0']], [1, ['m0']], [0, []]] as const) {
    const bounded = boundDetail(records, max);
    assert.deepEqual(bounded.records.filter(record => record.source !== undefined).map(record => record.manifestId), kept);
    assert.equal(bounded.cut, records.length - max);
  }
  const [cut] = boundDetail(records, 0).records;
  assert.deepEqual(Object.keys(cut), ['record', 'manifestId', 'verdictId', 'pair', 'window', 'class', 'key']);
  assert.equal(JSON.stringify(decodeRecord('manifest', encodeRecord(cut))), JSON.stringify(cut));
});
