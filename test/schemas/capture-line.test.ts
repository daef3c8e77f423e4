import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newCaptureLine, placeRecordLine, readEventLine, readRecordLine } from '../../schemas/capture-line.ts';
import type { CaptureLine } from '../../schemas/capture-line.ts';

interface Read {
  ok: boolean; error: string; topic: string | null; partition: number; offset: number; timestampMs: number; key: Buffer | null; value: Buffer | null; headers: string | null;
}

/** Reads a line that stands in the middle of a buffer. */
function read(text: string | Buffer, by: typeof readEventLine = readRecordLine): Read {
  const bytes = Buffer.from(text);
  const data = Buffer.concat([Buffer.from('x\n'), bytes, Buffer.from('\n{"')]);
  const line = newCaptureLine();
  const ok = by(line, data, 2, 2 + bytes.length);
  const span = (start: number, end: number): Buffer | null => (start < 0 ? null : Buffer.from(data.subarray(start, end)));
  return {
    ok, error: ok ? '' : line.error, topic: span(line.topicStart, line.topicEnd)?.toString() ?? null, partition: line.partition, offset: line.offset,
    timestampMs: line.timestampMs, key: span(line.keyStart, line.keyEnd), value: span(line.valueStart, line.valueEnd),
    headers: span(line.headersStart, line.headersEnd)?.toString() ?? null,
  };
}

test('form 1: fields in the order of the contract', () => {
  const got = read('{"topic":"t","partition":3,"offset":12,"timestamp":1700000000000,"key":"k","value":"{\\"a\\":1}","headers":[["k","v"]]}');
  assert.deepEqual(got, {
    ok: true, error: '', topic: 't', partition: 3, offset: 12, timestampMs: 1700000000000, key: Buffer.from('k'), value: Buffer.from('{"a":1}'), headers: '[["k","v"]]',
  });
});

test('form 2, any order, white space, unknown fields', () => {
  const got = read(' { "payload" : "v" , "tstype":"create", "broker":[1,{"x":null}], "ts":-1 ,\t"key" : null, "offset": 9007199254740991, "partition":0 ,"topic": "a\\u00e9" }\r');
  assert.equal(got.error, '');
  assert.deepEqual([got.topic, got.partition, got.offset, got.timestampMs, got.key, got.value], ['aé', 0, 9007199254740991, -1, null, Buffer.from('v')]);
});

const GOOD: readonly (readonly [string, Partial<Read>])[] = [
  ['{"offset":0,"value":null}', { value: null, key: null, partition: -1, topic: null }],
  ['{"offset":0,"payload":null}', { value: null }],
  ['{"offset":0,"value":""}', { value: Buffer.alloc(0) }],
  ['{"offset":0,"valueBase64":"AAH/"}', { value: Buffer.from([0, 1, 255]) }],
  ['{"offset":0,"valueBase64":"AAE="}', { value: Buffer.from([0, 1]) }],
  ['{"offset":0,"valueBase64":"AA=="}', { value: Buffer.from([0]) }],
  ['{"offset":0,"valueBase64":"AA"}', { value: Buffer.from([0]) }],
  ['{"offset":0,"valueBase64":"\\/\\/8="}', { value: Buffer.from([255, 255]) }],
  ['{"offset":0,"valueBase64":""}', { value: Buffer.alloc(0) }],
  ['{"offset":0,"keyBase64":"a2V5","key":null,"value":"x"}', { key: Buffer.from('key') }],
  ['{"offset":0,"value":null,"valueBase64":"eA=="}', { value: Buffer.from('x') }],
  ['{"offset":0,"value":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\uDE00"}', { value: Buffer.from('"\\/\b\f\n\r\tA😀') }],
  ['{"offset":0,"value":"\\ud800x\\udc00\\ud800\\u0041\\ud800\\ud83d\\ude00"}', { value: Buffer.from('\ufffdx\ufffd\ufffdA\ufffd😀') }],
  ['{"offset":0,"value":"x","headers":null}', { headers: null }],
  ['{"offset":0,"value":"x","headers":["k","v\\"]"]}', { headers: '["k","v\\"]"]' }],
  ['{"offset":0,"value":"x","timestamp":null}', { timestampMs: -1 }],
];
for (const [text, fields] of GOOD) {
  test(`good: ${text}`, () => {
    const got = read(text);
    assert.equal(got.error, '');
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(got[name as keyof Read], value, name);
  });
}

test('bytes that are not UTF-8 pass through', () => {
  assert.deepEqual(read(Buffer.from('{"offset":0,"value":"\xff\xc3"}', 'latin1')).value, Buffer.from([0xff, 0xc3]));
});

const BAD: readonly (readonly [string, RegExp])[] = [
  ['', /not a JSON object/], ['null', /not a JSON object/], ['[]', /not a JSON object/], ['hello', /not a JSON object/], ['{}', /no "offset"/],
  ['{"offset":0}', /no "value"/], ['{"value":"x"}', /no "offset"/], ['{"offset":0,"value":5}', /neither a string nor null/],
  ['{"offset":0,"value":{"a":1}}', /neither a string nor null/], ['{"offset":"0","value":"x"}', /offset is not a whole number/],
  ['{"offset":-1,"value":"x"}', /offset is not/], ['{"offset":1.5,"value":"x"}', /offset is not/], ['{"offset":1e3,"value":"x"}', /offset is not/],
  ['{"offset":01,"value":"x"}', /offset is not/], ['{"offset":9007199254740993,"value":"x"}', /offset is not/], ['{"offset":null,"value":"x"}', /offset is not/],
  ['{"partition":-1,"offset":0,"value":"x"}', /partition is not/], ['{"offset":0,"timestamp":"1","value":"x"}', /timestamp is not/],
  ['{"offset":0,"value":"x"', /closing brace/], ['{"offset":0,"value":"x', /does not end/], ['{"offset":0,"value":"x\\', /no such escape/],
  ['{"offset":0,"value":"x"}}', /something follows/], ['{"offset":0,"value":"x"} {}', /something follows/], ['{"offset":0,"value":"x",}', /a string is expected/],
  ['{"offset":0 "value":"x"}', /comma or the closing brace/], ['{"offset":0,"value" "x"}', /colon/], ['{"offset":0,"value":"\\x"}', /no such escape/],
  ['{"offset":0,"value":"\\u12g4"}', /no such escape/], ['{"offset":0,"value":"a\tb"}', /control character/], ['{"offset":0,"valueBase64":"A"}', /Base64/],
  ['{"offset":0,"valueBase64":"AA=A"}', /Base64/], ['{"offset":0,"valueBase64":"A-_="}', /Base64/], ['{"offset":0,"valueBase64":"A==="}', /Base64/],
  ['{"offset":0,"value":"x","valueBase64":"eA=="}', /two values/], ['{"offset":0,"value":"x","value":"y"}', /two values/],
  ['{"offset":0,"offset":1,"value":"x"}', /twice/], ['{"offset":0,"value":"x","headers":{}}', /headers are not a list/], ['{"offset":0,"value":"x","headers":[["k"}', /comma or a closing/],
  ['{"offset":0,"value":"x","more":nul}', /value is expected/], ['{"offset":0,"value":"x","more":01}', /not a number/], ['{"offset":0,"value":"x","more":{"a":}}', /value is expected/],
  [`{"offset":0,"value":"x","more":${'['.repeat(100)}${']'.repeat(100)}}`, /nested deeper/],
];
for (const [text, error] of BAD) {
  test(`bad: ${text.slice(0, 60)}`, () => assert.match(read(text).error, error));
}

test('no cut of a line is a line', () => {
  const whole = '{"topic":"t","partition":0,"offset":12,"key":"{\\"id\\":1}","value":"{\\"a\\":\\"\\u00e9\\"}","headers":[["k",null]]}';
  assert.equal(read(whole).ok, true);
  for (let length = 0; length < whole.length; length++) assert.equal(read(whole.slice(0, length)).ok, false, whole.slice(0, length));
});

test('placing looks at partition, offset and topic, and at the closing brace', () => {
  const place = (withTopic: boolean) => (line: CaptureLine, data: Buffer, start: number, end: number) => placeRecordLine(line, data, start, end, withTopic);
  const ok = read('{"partition":2,"offset":7,"topic":"t","value":"x"} \r', place(true));
  assert.deepEqual([ok.ok, ok.partition, ok.offset, ok.topic], [true, 2, 7, 't']);
  assert.equal(read('{"partition":2,"offset":7,"topic":"t","value":"x"', place(false)).ok, false);
  assert.equal(read('{"partition":2,"topic":"t","value":"x"}', place(true)).error, 'it has no "offset"');
  assert.deepEqual(read('{"offset":7,"value":"x"}', place(true)).ok, true);
});

test('form 3: an object or null', () => {
  for (const [text, value] of [['{"a":1}', '{"a":1}'], [' {"a":"}"}\t\r', '{"a":"}"}'], ['null', null], [' null ', null], ['{}', '{}']] as const) {
    const got = read(text, readEventLine);
    assert.deepEqual([got.error, got.value?.toString() ?? null], ['', value]);
  }
  for (const text of ['{', '{"a":1', 'nul', 'nulll', '5', '"x"', '[]', '}']) assert.equal(read(text, readEventLine).ok, false, text);
});

/** A JSON string of the text in which any character may be escaped, as `choices` say. */
function written(text: string, choices: readonly number[]): string {
  let at = 0;
  const units = text.split('');
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${units.map((unit) => {
    const choice = choices.length === 0 ? 0 : choices[at++ % choices.length];
    if (choice % 5 === 0) return choice % 2 === 0 ? escaped(unit) : escaped(unit).toUpperCase().replace('\\U', '\\u');
    // A surrogate of a pair whose other half is escaped has no UTF-8 of its own.
    if (/[\ud800-\udfff]/.test(unit)) return escaped(unit);
    if (unit === '/' && choice % 3 === 0) return '\\/';
    return JSON.stringify(unit).slice(1, -1);
  }).join('')}"`;
}

const SPACES = ['', ' ', '\t', '  ', '\r'];

test('property: any text and bytes, any order, any spacing, any escapes', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), fc.json(), fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)));
  const bytes = fc.uint8Array({ maxLength: 40 });
  const field = fc.record({
    key: fc.option(fc.oneof(anyText, bytes)), value: fc.option(fc.oneof(anyText, bytes)), topic: fc.option(anyText), partition: fc.nat(), offset: fc.maxSafeNat(),
    timestamp: fc.option(fc.maxSafeInteger()), kcat: fc.boolean(), order: fc.infiniteStream(fc.nat()), choices: fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), spaces: fc.array(fc.constantFrom(...SPACES), { minLength: 1, maxLength: 12 }),
    more: fc.dictionary(fc.string().filter((name) => !/^(key|value|topic|partition|offset|ts|timestamp|payload|headers|keyBase64|valueBase64)$/.test(name)), fc.jsonValue(), { maxKeys: 3 }),
  });
  fc.assert(fc.property(field, (f) => {
    const part = (name: string, what: string | Uint8Array | null, base64: string): [string, string] =>
      what instanceof Uint8Array ? [base64, `"${Buffer.from(what).toString('base64')}"`] : [name, what === null ? 'null' : written(what, f.choices)];
    const members: [string, string][] = [
      part('key', f.key, 'keyBase64'), part(f.kcat ? 'payload' : 'value', f.value, 'valueBase64'), ['topic', f.topic === null ? 'null' : written(f.topic, f.choices)],
      ['partition', String(f.partition)], ['offset', String(f.offset)], [f.kcat ? 'ts' : 'timestamp', f.timestamp === null ? 'null' : String(f.timestamp === 0 ? 0 : f.timestamp)],
      ...Object.entries(f.more).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
    ];
    const ranks = members.map(() => f.order.next().value as number);
    const shuffled = members.map((member, i) => ({ member, rank: ranks[i] })).sort((a, b) => a.rank - b.rank).map(({ member }) => member);
    let at = 0;
    const space = (): string => f.spaces[at++ % f.spaces.length];
    const text = `${space()}{${shuffled.map(([name, value]) => `${space()}${written(name, f.choices)}${space()}:${space()}${value}${space()}`).join(',')}}${space()}`;
    const got = read(text);
    assert.equal(got.error, '', text);
    const expected = (what: string | Uint8Array | null): Buffer | null => (what === null ? null : Buffer.from(typeof what === 'string' ? Buffer.from(what) : what));
    assert.deepEqual(got.key, expected(f.key));
    assert.deepEqual(got.value, expected(f.value));
    assert.deepEqual([got.topic, got.partition, got.offset, got.timestampMs], [f.topic === null ? null : Buffer.from(f.topic).toString(), f.partition, f.offset, f.timestamp ?? -1]);
  }), { numRuns: 500 });
});

test('property: what JSON.parse refuses is refused', () => {
  const line = '{"topic":"t","partition":0,"offset":12,"key":"{\\"id\\":1}","value":"{\\"a\\":[1,2.5e3,true]}","headers":[["k","v"],["x",null]],"more":{"a":[1.5,-2e-3,false,{}]}}';
  fc.assert(fc.property(fc.nat(line.length - 1), fc.integer({ min: 0x20, max: 0x7e }), fc.boolean(), (at, code, remove) => {
    const text = line.slice(0, at) + (remove ? '' : String.fromCharCode(code)) + line.slice(at + 1);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    const got = read(text);
    if (parsed === undefined) assert.equal(got.ok, false, text);
    else if (got.ok) assert.deepEqual(got.value?.toString() ?? null, (parsed as { value: string | null }).value, text);
  }), { numRuns: 2000 });
});
