// What a pair of several tasks stands on, record by record: where a key must lie, and that both sides write it alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionOfKey } from '../../../schemas/murmur2.ts';
import type { RawRecord } from '../../../schemas/raw-record.ts';
import { verifyPlaces } from '../../../topology/runtime/co-partitioning.ts';
import { decoderOf, rawRecord } from '../../schemas/formats/records.ts';

const PARTITIONS = 3;
const { decoder, context: { settings } } = decoderOf();

function change(topic: string, id: number, { key = `{"id":${id}}`, aside = 0, op = 'c' }: { key?: string; aside?: number; op?: string } = {}): RawRecord {
  const bytes = Buffer.from(key);
  const value = JSON.stringify({ before: null, after: { id }, source: { connector: 'postgresql', ts_ms: 1000, snapshot: 'false', sequence: '[null,"24"]', lsn: 24, txId: 1 }, op });
  return { ...rawRecord({ key, value, offset: 7, partition: (partitionOfKey(bytes, 0, bytes.length, PARTITIONS) + aside) % PARTITIONS }), topic };
}

/** The first refusal of the records, or nothing. */
function refusal(records: readonly RawRecord[]): string | undefined {
  const verify = verifyPlaces(settings, PARTITIONS);
  for (const record of records) {
    decoder.decode(record);
    try {
      verify(record, decoder.event);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return undefined;
}

const both = (id: number): RawRecord[] => [change('src', id), change('tgt', id)];

void test('keys where the partitioner puts them, written alike on both sides', () => {
  assert.equal(refusal([1, 2, 3, 2, 1].flatMap(both)), undefined);
});

void test('a key in another partition is named with its place and the remedy', () => {
  const said = refusal([...both(1), change('tgt', 2, { aside: 1 })]) ?? '';
  assert.match(said, /tgt-\d@7: the key \{"id":"2"\} belongs to partition \d of 3.*set partitioning: repartition/);
});

void test('a truncate speaks of all partitions', () => {
  const truncate = { ...rawRecord({ value: '{"before":null,"after":null,"source":{"connector":"postgresql","ts_ms":1000,"snapshot":"false","sequence":"[null,\\"24\\"]","lsn":24,"txId":1},"op":"t"}' }), topic: 'src' };
  assert.match(refusal([truncate]) ?? '', /src-0@0: a truncate speaks of the rows of every partition/);
});

void test('a key that the other side writes in other bytes, in the right partition on both sides: equal keys lie apart, and the first that do not by chance tell', () => {
  const spaced = (id: number): RawRecord => change('tgt', id, { key: `{"id": ${id}}` });
  assert.match(refusal([change('src', 5), spaced(5)]) ?? '', /tgt-\d@7: the key \{"id":"5"\} stands there in other bytes than on the other side/);
  // One topic may have both forms, as where a connector was set up anew: what counts is the other side.
  assert.equal(refusal([change('src', 5), { ...spaced(5), topic: 'src' }]), undefined);
});
