// Whatever the bytes are, decoding ends, throws nothing, and depends on no byte outside of the record.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { KIND, PRINT } from '../../../schemas/change-event.ts';
import type { ConnectSchema } from '../../../schemas/pair.ts';
import { createDecoder } from '../../../schemas/formats/registry.ts';
import type { ChangeEvent } from '../../../schemas/change-event.ts';
import type { RawRecord } from '../../../schemas/raw-record.ts';
import { decoderOf, rawRecord, say, typed } from './records.ts';
import type { Row, Wish } from './records.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/captures');

function rows(capture: string, topic: string): Row[] {
  const text = gunzipSync(readFileSync(join(fixtures, capture, `${topic}.jsonl.gz`))).toString();
  return text.trim().split('\n').map((line) => JSON.parse(line) as Row);
}

const schema = JSON.parse(readFileSync(join(fixtures, 'schemas', 'orders.v2.value.json'), 'utf8')) as ConnectSchema;
const WISHES: readonly Wish[] = [
  {},
  { key: ['id'], source: { valueSchema: schema } },
  { source: { valueSchema: schema, replicaIdentity: 'full' }, columns: { mask: ['note'], maskKey: '00'.repeat(32), types: { status: typed('enum'), doc: typed('json'), due_at: typed('timestamp-micros', 'datetime-text', { sourceZone: 'Europe/Berlin', precision: 3 }), note: typed('text', 'text', { equality: 'nfc' }), weight: typed('decimal', 'decimal', { precision: 1, rounding: 'half-up' }) } } },
];
const decoders = WISHES.map((wish) => decoderOf(wish).decoder);
const samples = [
  ...rows('main', 'src.public.orders').slice(0, 30), ...rows('schemas-enabled', 'src.public.orders').slice(0, 3),
  ...rows('specials-default', 'src.public.specials').slice(0, 2), ...rows('specials-text', 'src.public.specials').slice(0, 1),
].filter((row) => typeof row.value === 'string' && typeof row.key === 'string');

/** Decodes with each decoder; the same record with other bytes around it must say the same. */
function check(record: RawRecord): void {
  for (const decoder of decoders) {
    decoder.decode(record);
    const said = say(decoder.event);
    const alone = { ...record, data: Buffer.from(record.data) };
    alone.data.fill(0x22, 0, Math.max(record.keyStart, 0));
    alone.data.fill(0x7d, record.valueEnd);
    decoder.decode(alone);
    assert.deepEqual(say(decoder.event), said);
  }
}

const PIECES = ['"', '\\', '{', '}', '[', ']', ',', ':', 'null', 'true', '1E999999999', '-', '1e-400', '\\u12', '\\ud800', '\u0000', '9223372036825200000', '"NaN"', '"2026-13-45T99:99:99Z"', '99999999999999999999999999999999999999999999', '0', '"infinity"', '"__debezium_unavailable_value"', '{"scale":99999,"value":"AA=="}', '{"scale":2,"value":"!"}', '[[[[]]]]', '"{\\"a\\":"', '"P1Y"', '"-00:00:00.0000001"', '"9999999-01-01"', '"2026-01-01T00:00:00.123456789+99:99:99"'];

test('what was decoded before changes nothing', () => {
  const changes = [['main', 'tgt.public.orders'], ['main', 'tgtm.shop.orders'], ['main', 'src.public.customers']]
    .map(([capture, topic]) => rows(capture, topic).filter((row) => typeof row.value === 'string'));
  const twist = fc.record({ at: fc.nat(), cut: fc.integer({ min: 0, max: 3 }), put: fc.constantFrom('', ...PIECES), space: fc.constantFrom('', '', '" ', ': ', ', ') });
  fc.assert(fc.property(fc.constantFrom(...WISHES), fc.constantFrom(...changes), fc.nat(), fc.array(fc.option(twist), { minLength: 2, maxLength: 12 }), (wish, topic, first, twists) => {
    const { decoder, context } = decoderOf(wish);
    for (const [n, wanted] of twists.entries()) {
      const row = topic[(first + n) % topic.length];
      const record = rawRecord({ ...row, value: twisted(String(row.value), wanted) });
      const fresh = createDecoder(context, 'source');
      fresh.decode(record);
      for (let again = 0; again < 2; again++) {
        decoder.decode(record);
        assertSame(decoder.event, fresh.event);
      }
    }
  }), { numRuns: 150 });
});

/** A row that was seen after a change is known when it stands before one, so a decoder that has read more may print more. */
function assertSame(old: ChangeEvent, fresh: ChangeEvent): void {
  assert.deepEqual(say(old), say(fresh));
  for (const at of [PRINT.after, PRINT.before]) {
    const [known, print] = [old, fresh].map(({ prints }) => prints.slice(at, at + 3));
    if (print[0] !== PRINT.none) assert.deepEqual(known, print);
  }
}

function twisted(text: string, twist: { at: number; cut: number; put: string; space: string } | null): string {
  if (twist === null) return text;
  const at = twist.at % text.length;
  const spaced = twist.space === '' ? text : text.replaceAll(twist.space.trim(), twist.space);
  return spaced.slice(0, at) + twist.put + spaced.slice(at + twist.cut);
}

test('a record cut at any byte is a dead letter', () => {
  for (const row of [samples[0], samples[31], samples[33]]) {
    const value = Buffer.from(row.value ?? '');
    const step = value.length > 4000 ? 37 : 1;
    for (let length = 0; length < value.length; length += step) {
      const record = rawRecord({ ...row, value: value.subarray(0, length) });
      for (const decoder of decoders) {
        decoder.decode(record);
        assert.equal(decoder.event.kind, KIND.dead, `at ${length}`);
      }
    }
  }
});

test('bytes behind the record do not complete it', () => {
  const values = [samples[0], samples[31]].map((row) => String(row.value)).concat('{"after":{"id":1},"source":{"ts_ms":1},"op":"c","n":null}');
  for (const value of values) {
    for (const { decode, event } of decoders) {
      const whole = rawRecord({ key: '{"id":1}', value });
      decode(whole);
      assert.notEqual(event.kind, KIND.dead);
      for (let back = 1; back < 700 && back < value.length; back++) {
        decode({ ...whole, valueEnd: whole.valueEnd - back });
        assert.equal(event.kind, KIND.dead, `${back} bytes short`);
      }
    }
  }
});

test('strings are UTF-8 exactly where a strict decoder says so', () => {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const lead = fc.constantFrom(0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xee, 0xf0, 0xf3, 0xf4, 0xf5, 0xff, 0x41);
  const more = fc.constantFrom(0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0);
  fc.assert(fc.property(fc.array(fc.tuple(lead, more, more, more, fc.integer({ min: 1, max: 4 })), { maxLength: 2 }), (sequences) => {
    const bytes = Buffer.from(sequences.flatMap(([a, b, c, d, length]) => [a, b, c, d].slice(0, length)));
    const value = Buffer.concat([Buffer.from('{"after":{"id":1,"c":"'), bytes, Buffer.from('"},"source":{"ts_ms":1},"op":"c"}')]);
    decoders[0].decode(rawRecord({ key: '{"id":1}', value }));
    let valid = true;
    try { strict.decode(bytes); } catch { valid = false; }
    assert.equal(decoders[0].event.kind !== KIND.dead, valid);
  }), { numRuns: 2000 });
});

test('a key cut at any byte is no key', () => {
  const { key, value } = samples[0];
  for (let length = 0; length < String(key).length; length++) {
    const { decoder } = decoderOf();
    decoder.decode(rawRecord({ key: String(key).slice(0, length), value: value ?? null }));
    assert.equal(decoder.event.kind, KIND.dead, `at ${length}`);
  }
});

test('mutations of real records', () => {
  const mutation = fc.record({
    sample: fc.constantFrom(...samples), at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.integer({ min: 0, max: 40 }),
    put: fc.oneof(fc.constantFrom(...PIECES).map((piece) => Buffer.from(piece)), fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes))),
    inKey: fc.boolean(),
  });
  fc.assert(fc.property(mutation, ({ sample, at, cut, put, inKey }) => {
    const whole = Buffer.from((inKey ? sample.key : sample.value) ?? '');
    const place = Math.floor(at * whole.length);
    const changed = Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)]);
    check(rawRecord(inKey ? { ...sample, key: changed } : { ...sample, value: changed }));
  }), { numRuns: 1500 });
});

test('values of any JSON in place of a column', () => {
  fc.assert(fc.property(fc.constantFrom('amount', 'ratio', 'weight', 'score', 'gift', 'created_at', 'due_at', 'ship_date', 'ship_time', 'ref', 'attrs', 'payload', 'tags', 'status', 'doc', 'note'),
    fc.oneof(fc.jsonValue().map((value) => JSON.stringify(value)), fc.constantFrom(...PIECES)), (column, json) => {
      const value = `{"before":null,"after":{"id":1,"${column}":${json}},"source":{"connector":"postgresql","ts_ms":1,"lsn":2},"op":"c"}`;
      check(rawRecord({ key: '{"id":1}', value }));
    }), { numRuns: 1000 });
});

test('random bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 10 }), (value, key) => {
    check(rawRecord({ key: Buffer.from(key), value: Buffer.from(value) }));
  }), { numRuns: 1000 });
});

test('what is JSON to JSON.parse is read, and what is not is a dead letter', () => {
  const decoder = decoders[0];
  const text = fc.oneof(fc.json(), fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...PIECES)).map(([json, at, piece]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + piece + json.slice(place);
  }));
  fc.assert(fc.property(text, (json) => {
    decoder.decode(rawRecord({ key: '{"id":1}', value: `{"after":{"id":1},"source":{"ts_ms":1},"op":"c","x":${json}}` }));
    assert.equal(decoder.event.kind !== KIND.dead, isJson(`{"x":${json}}`, json), decoder.event.deadDetail);
  }), { numRuns: 1500 });
});

/** JSON.parse's answer; a member `op` or the like that a broken text brings in is no concern here. */
function isJson(text: string, json: string): boolean {
  try {
    return Object.keys(JSON.parse(text) as object).length === 1 && !json.includes('\ud800');
  } catch {
    return false;
  }
}

