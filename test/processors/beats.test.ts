// Which records prove that the log was read so far, and up to when: the one before the last, less the lateness.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { beatsReach, beatWatermarkUs, createBeats, isBeat, noteBeat, type Beats } from '../../processors/beats.ts';
import { KIND, OP, SOURCE, TARGET, type ChangeEvent } from '../../schemas/change-event.ts';
import type { SideSettings } from '../../schemas/pair.ts';
import { auxiliaryDecoder } from '../../topology/runtime/auxiliaries.ts';
import { rawRecord, settingsOf } from '../schemas/formats/records.ts';

const WINDOW = { sizeUs: 10, latenessUs: 2, lagUs: 5, skewUs: 1, retainUs: 0 };
const beatsOf = (source: Partial<SideSettings>, readUpToUs = NaN): Beats => createBeats({ ...settingsOf({ source }), window: WINDOW }, SOURCE, 'b', 0, readUpToUs);

const SEQUENCES: readonly (readonly [what: string, timesUs: readonly number[], watermarkUs: number])[] = [
  ['none', [], -Infinity],
  ['one proves nothing yet', [100], -Infinity],
  ['the second proves the first', [100, 110], 98],
  ['each the one before', [100, 110, 120], 108],
  ['the same again proves no more: an END that a restarted connector sends twice', [100, 110, 110, 110], 98],
  ['a rewind does not go back', [100, 110, 120, 100, 110], 108],
  ['whole seconds: equal times are one beat', [100, 100, 100], -Infinity],
];
for (const [what, timesUs, expected] of SEQUENCES) {
  void test(`beats: ${what}`, () => {
    const beats = beatsOf({ delivery: 'exactly-once' });
    for (const timeUs of timesUs) noteBeat(beats, timeUs, -1);
    assert.equal(beatWatermarkUs(beats, WINDOW), expected);
  });
}

void test('a beat reaches a window where the one before it reaches the horizon', () => {
  const beats = beatsOf({ delivery: 'exactly-once' });
  for (const timeUs of [118, 119]) noteBeat(beats, timeUs, -1);
  assert.deepEqual([beatsReach(beats, 110, WINDOW), beatsReach(beats, 111, WINDOW)], [true, false]);
});

void test('at least once: a beat counts where the log was read a grace after it, and one without a timestamp never', () => {
  const beats = beatsOf({ delivery: 'at-least-once', deliveryGraceUs: 3000 }, 20_000);
  for (const [timeUs, timestampMs] of [[100, 16], [110, 17], [120, 18], [130, -1]] as const) noteBeat(beats, timeUs, timestampMs);
  assert.deepEqual([beats.previousUs, beats.latestUs], [100, 110]);
  const unknown = beatsOf({ delivery: 'at-least-once', deliveryGraceUs: 0 });
  noteBeat(unknown, 100, 5);
  assert.equal(unknown.latestUs, -Infinity, 'when the log was read is not known');
});

const source = (more: string): string => `"source":{"connector":"postgresql","ts_us":5000000,"snapshot":"false","lsn":1,"txId":7${more}}`;
const RECORDS: readonly (readonly [what: string, value: string, key: string | null, proves: boolean])[] = [
  ['a row of a heartbeat table', `{"op":"u","after":{"id":1},${source('')}}`, '{"id":1}', true],
  ['the same of a table without a key', `{"op":"u","after":{"id":1},${source('')}}`, null, true],
  ['its removal', `{"op":"d","before":{"id":1},${source('')}}`, '{"id":1}', true],
  ['a row read by a snapshot', `{"op":"r","after":{"id":1},${source('').replace('"false"', '"last"')}}`, '{"id":1}', false],
  ['a row read by an incremental snapshot', `{"op":"r","after":{"id":1},${source('').replace('"false"', '"incremental"')}}`, '{"id":1}', false],
  ['a transactional message', `{"op":"m",${source('')},"message":{"prefix":"p","content":""}}`, '{"prefix":"p"}', true],
  ['a message outside of a transaction: its time is that of the last commit', `{"op":"m",${source('').replace('7', 'null')},"transaction":null,"message":{}}`, '{"prefix":"p"}', false],
  ['the END of a transaction', '{"status":"END","id":"1:2","event_count":0,"data_collections":[],"ts_ms":5000}', '{"id":"1:2"}', true],
  ['its BEGIN', '{"status":"BEGIN","id":"1:2","event_count":null,"data_collections":null,"ts_ms":5000}', '{"id":"1:2"}', false],
  ['a heartbeat without an action query', '{"ts_ms":5000}', '{"serverName":"src"}', false],
  ['a row without a commit time', '{"op":"u","after":{"id":1},"source":{"connector":"postgresql","lsn":1}}', '{"id":1}', false],
  ['what is no record of Debezium', '{"id":1}', null, false],
];
const decoder = auxiliaryDecoder(settingsOf({ key: ['order_no'], columns: { mask: ['id'] } }), 'source');
for (const [what, value, key, proves] of RECORDS) {
  void test(`${proves ? 'a beat' : 'no beat'}: ${what}`, () => {
    decoder.decode(rawRecord({ key, value }));
    assert.equal(isBeat(decoder.event), proves);
    if (proves) assert.equal(decoder.event.commitTimeUs, 5_000_000);
  });
}

void test('a side that is read at its target has the horizon of a target', () => {
  const beats = createBeats({ ...settingsOf({ target: { delivery: 'exactly-once' } }), window: WINDOW }, TARGET, 'b', 0, NaN);
  for (const timeUs of [117, 118]) noteBeat(beats, timeUs, -1);
  assert.equal(beatsReach(beats, 110, WINDOW), true);
});

void test('a change of a row is a beat whatever the operation, a load never', () => {
  const event = { kind: KIND.change, snapshot: false, commitTimeUs: 1, op: OP.truncate } as ChangeEvent;
  assert.deepEqual([isBeat(event), isBeat({ ...event, op: OP.read })], [true, false]);
});
