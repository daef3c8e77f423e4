// Records of the transaction topic: what an END counts, and what is no END.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { KIND } from '../../../schemas/change-event.ts';
import type { TransactionEnd } from '../../../schemas/transaction-end.ts';
import { captureFile } from '../../support/captures.ts';
import { decoderOf, rawRecord, type Row } from './records.ts';

interface Said { kind: number; end: TransactionEnd | undefined; dead: string }

const { decoder } = decoderOf();
function decode(value: string): Said {
  decoder.decode(rawRecord({ key: '{"id":"5:6"}', value }));
  const { kind, transactionEnd, deadDetail } = decoder.event;
  return { kind, end: structuredClone(transactionEnd), dead: deadDetail };
}

void test('an END says its id, its commit time and its counts, in all and per table', () => {
  const said = decode('{"status":"END","id":"949:62065552","event_count":3,"data_collections":[{"data_collection":"public.orders","event_count":2},{"event_count":1,"data_collection":"public.\\u0069tems"}],"ts_ms":1796073216733}');
  assert.equal(said.kind, KIND.transaction);
  assert.deepEqual(said.end, {
    id: '949:62065552', commitTimeUs: 1796073216733000, eventCount: 3,
    collections: [{ name: 'public.orders', eventCount: 2 }, { name: 'public.items', eventCount: 1 }],
  });
});

void test('the order of fields and white space do not matter, and nothing of the record before is left', () => {
  assert.deepEqual(decode('{ "ts_ms" : 5, "data_collections": [ ] ,"event_count":0,"id":"0-77-1", "status":"END"}').end, { id: '0-77-1', commitTimeUs: 5000, eventCount: 0, collections: [] });
  assert.deepEqual(decode('{"status":"END","id":"1","ts_ms":7}').end, { id: '1', commitTimeUs: 7000, eventCount: NaN, collections: [] });
});

void test('a BEGIN is a transaction record without counts', () => {
  const said = decode('{"status":"BEGIN","id":"731:26436480","event_count":null,"data_collections":null,"ts_ms":1796073216733}');
  assert.deepEqual([said.kind, said.end], [KIND.transaction, undefined]);
});

void test('what is no count is a dead letter and no END', () => {
  const wrong = ['{"status":"END","id":"1","event_count":-1}', '{"status":"END","id":"1","event_count":"2"}', '{"status":"ROLLBACK","id":"1"}',
    '{"status":"END","id":"1","event_count":1,"data_collections":["public.orders"]}', '{"status":"END","id":"1","data_collections":[{"data_collection":"a","event_count":1.5}]}'];
  for (const value of wrong) {
    const said = decode(value);
    assert.deepEqual([said.kind, said.end], [KIND.dead, undefined], value);
    assert.match(said.dead, /expected a (count|status|collection)/);
  }
});

void test('real captures: every END is read, and the counts of its tables make up its own', () => {
  for (const [capture, topic, table] of [['main', 'src.transaction', 'public.orders'], ['main', 'tgtm.transaction', 'shop.orders'], ['exactly-once', 'src.transaction', 'public.orders']] as const) {
    let ends = 0;
    let ofTable = 0;
    for (const line of gunzipSync(readFileSync(captureFile(capture, topic))).toString().trim().split('\n')) {
      decoder.decode(rawRecord(JSON.parse(line) as Row));
      const { kind, transactionEnd: end } = decoder.event;
      assert.equal(kind, KIND.transaction);
      if (end === undefined) continue;
      ends++;
      assert.equal(end.eventCount, end.collections.reduce((sum, { eventCount }) => sum + eventCount, 0));
      assert.ok(end.commitTimeUs > 1.79e15);
      ofTable += end.collections.find(({ name }) => name === table)?.eventCount ?? 0;
    }
    assert.ok(ends > 50 && ofTable > 50, `${capture} ${topic}: ${ends} ENDs, ${ofTable} changes of ${table}`);
  }
});
