// Equal database values are equal bytes, distinct ones distinct, whatever type, engine and spelling they came in (semantics.md §12, 18).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareColumn } from '../../../schemas/canonical/compare.ts';
import { createPairContext } from '../../../schemas/pair-context.ts';
import type { ColumnType, ConnectSchema } from '../../../schemas/pair.ts';
import { connectRow, decodeColumn, settingsOf, typed } from '../formats/records.ts';
import type { Wish } from '../formats/records.ts';

const big = '9223372036825200000';

/** JSON of the source, JSON of the target, the rule, whether they are equal. */
const RULED: readonly (readonly [string, string, ColumnType, boolean])[] = [
  ['2001000009664553892', '2001000009664553892', typed('int64'), true],
  ['2001000009664553892', '2001000009664553893', typed('int64'), false],
  ['-1', '18446744073709551615', typed('uint64'), true],
  ['-1', '4294967295', typed('uint32'), true],
  ['-1', '4294967295', typed('int64'), false],
  ['"-0.19"', '-0.190', typed('decimal', 'decimal(10,2)'), true],
  ['0.00', '"-0"', typed('decimal'), true],
  ['{"scale":2,"value":"7Q=="}', '"-0.19"', typed('decimal', 'decimal(10,2)'), true],
  ['{"value":"7Q==","scale":2}', '"7Q=="', typed('decimal', 'decimal(10,2)'), true],
  ['1E3', '1000', typed('decimal'), true],
  ['1E300', '10.0E299', typed('decimal'), true],
  ['1E300', '1E301', typed('decimal'), false],
  ['12345678901234567.89', '12345678901234568', typed('decimal'), false],
  ['"NAN"', '"NaN"', typed('decimal'), true],
  ['"POSITIVE_INFINITY"', '"Infinity"', typed('decimal'), true],
  ['"NAN"', '"NaN"', typed('text'), false],
  ['"NaN"', 'null', typed('float64'), false],
  ['-0.0', '0', typed('float64'), true],
  ['0.1', '0.1000000000000000055511151231257827', typed('float64'), true],
  ['64.1234', '64.12339782714844', typed('float32', 'float64'), true],
  ['64.12339782714844', '64.1234', typed('float32', 'float64'), true],
  ['64.1234', '64.12339782714844', typed('float64'), false],
  ['1.17549435E-38', '1.1754943508222875E-38', typed('float32'), true],
  ['true', '1', typed('boolean'), true],
  ['-1', 'true', typed('boolean'), true],
  ['"t"', 'true', typed('boolean'), true],
  ['false', 'true', typed('boolean'), false],
  ['"ab   "', '"ab"', typed('char(5)'), true],
  ['"ab "', '"ab"', typed('text'), false],
  ['"A\\u0062"', '"Ab"', typed('text'), true],
  ['"\\ud83e\\udd84"', '"🦄"', typed('text'), true],
  ['"\\ud83e"', '"\\ud83f"', typed('text'), false],
  ['"\\ud83e\\ue000"', '"\\ud83e\ue000"', typed('text'), true],
  ['"Straße"', '"STRASSE"', typed('text', 'text', { equality: 'ci' }), true],
  ['"Ab1"', '"AB1"', typed('text', 'text', { equality: 'ci' }), true],
  ['"cafe\\u0301"', '"café"', typed('text', 'text', { equality: 'nfc' }), true],
  ['"cafe\\u0301"', '"café"', typed('text'), false],
  ['"{\\"b\\":1.50,\\"a\\":{\\"y\\":2,\\"x\\":\\"\\\\u00e9\\"}}"', '"{ \\"a\\": {\\"x\\":\\"é\\",\\"y\\":2E0}, \\"b\\": 1.5}"', typed('json'), true],
  ['"[1,2]"', '"[2,1]"', typed('json'), false],
  ['{"b":1,"a":[true,null]}', '"{\\"a\\":[true,null],\\"b\\":1}"', typed('json'), true],
  ['"{\\"a\\":1,\\"a\\":2}"', '"{\\"a\\":2}"', typed('json'), true],
  ['2', '"b"', typed('enum(a,b)', 'text'), true],
  ['"b"', '"c"', typed('enum(a,b)', 'enum(a,c)'), false],
  ['["b","a"]', '"a,b"', typed('set'), true],
  ['""', '[]', typed('set'), true],
  ['""', 'null', typed('set'), false],
  ['"AgE="', '"0000000100000010"', typed('bits(16)', 'bits-text'), true],
  ['"AgE="', '"0000001000000001"', typed('bits(16)', 'bits-text'), false],
  ['true', '"1"', typed('bits(1)', 'bits-text'), true],
  ['5', '"0101"', typed('bits(4)', 'bits-text'), true],
  ['"AP8="', '"AP8="', typed('bytes'), true],
  ['"6F1F9F3E-0D0C-4F4C-9A59-8D0A4D1F2C3B"', '"6f1f9f3e-0d0c-4f4c-9a59-8d0a4d1f2c3b"', typed('uuid'), true],
  ['19782', '"2024-02-29"', typed('date-days', 'date-text'), true],
  ['"0002-11-30 BC"', '"-0001-11-30"', typed('date-text'), true],
  ['-2147472692', '"infinity"', typed('date-days', 'date-text'), true],
  ['"-5877611-06-22Z"', '"-infinity"', typed('date-text'), true],
  ['1772323200100', '"2026-03-01T00:00:00.100000Z"', typed('timestamp-millis', 'instant-text'), true],
  ['1772323200100000', '"2026-03-01 00:00:00.1"', typed('timestamp-micros', 'datetime-text'), true],
  ['1772323200100000001', '"2026-03-01 00:00:00.100000001"', typed('timestamp-nanos', 'datetime-text'), true],
  ['-1', '"1969-12-31 23:59:59.999999"', typed('timestamp-micros', 'datetime-text'), true],
  ['253402300799999999', '"9999-12-31T23:59:59.999999Z"', typed('timestamp-micros', 'instant-text'), true],
  ['-62133004800000000', '"0001-01-31 00:00:00"', typed('timestamp-micros', 'datetime-text'), true],
  [big, '"infinity"', typed('timestamp-micros', 'datetime-text'), true],
  ['9223372036825200', '"infinity"', typed('timestamp-millis', 'datetime-text'), true],
  ['"+294247-01-10T04:00:25.2Z"', big, typed('datetime-text', 'timestamp-micros'), true],
  ['"-290308-12-21T19:59:27.6Z"', '"-infinity"', typed('datetime-text', 'instant-text'), true],
  ['9223372036825199616', '"infinity"', typed('timestamp-micros', 'datetime-text'), false],
  ['"0001-12-31 23:40:28+00 BC"', '"0000-12-31T23:40:28Z"', typed('instant-text'), true],
  ['"2010-12-01T23:12:56.788000-12:44"', '"2010-12-02T11:56:56.788Z"', typed('instant-text'), true],
  ['"2023-01-11T00:34:10.123Z"', '"2023-01-11T00:34:10.1234Z"', typed('instant-text'), false],
  ['"2023-01-11T00:34:10.123Z"', '"2023-01-11T00:34:10.1239Z"', typed('instant-text', 'instant-text', { precision: 3, rounding: 'truncate' }), true],
  ['"2023-01-11T00:34:10.124Z"', '"2023-01-11T00:34:10.1239Z"', typed('instant-text', 'instant-text', { precision: 3, rounding: 'half-up' }), true],
  ['"2023-01-11T00:34:10.124Z"', '"2023-01-11T00:34:10.1239Z"', typed('instant-text', 'instant-text', { precision: 3, rounding: 'either' }), true],
  ['"2023-01-11T00:34:10.1239Z"', '"2023-01-11T00:34:10.123Z"', typed('instant-text', 'instant-text', { precision: 3, rounding: 'either' }), true],
  ['"2023-01-11T00:34:10.1239Z"', '"2023-01-11T00:34:10.125Z"', typed('instant-text', 'instant-text', { precision: 3, rounding: 'either' }), false],
  ['"2023-01-11T00:34:10.1239Z"', '"2023-01-11T00:34:10.1238Z"', typed('instant-text', 'instant-text', { precision: 3, rounding: 'either' }), false],
  ['1.005', '1.01', typed('decimal', 'decimal', { precision: 2, rounding: 'half-up' }), true],
  ['-1.009', '-1', typed('decimal', 'decimal', { precision: 2, rounding: 'truncate' }), true],
  ['"2026-01-30T17:34:56Z"', '"2026-01-30 12:34:56"', typed('instant-text', 'datetime-text', { targetZone: 'US/Eastern', sourceZone: 'US/Eastern' }), true],
  ['"1987-09-04T15:00:00Z"', '"1987-09-05 00:00:00"', typed('instant-text', 'datetime-text', { targetZone: 'Asia/Shanghai', sourceZone: 'Asia/Shanghai' }), true],
  ['"2022-01-29 23:21:12"', '"2022-01-29 15:21:12"', typed('datetime-text', 'datetime-text', { sourceZone: '+08:00', targetZone: 'UTC' }), true],
  // The hour that occurs twice must stay two in wall clocks of one zone.
  ['"2026-10-25 02:30:00"', '"2026-10-25 01:30:00"', typed('datetime-text', 'datetime-text', { sourceZone: 'Europe/Berlin', targetZone: 'Europe/Berlin' }), false],
  [big, '"9999-12-31 23:59:59"', typed('timestamp-micros', 'datetime-text', { equate: [{ source: 'infinity', target: '9999-12-31 23:59:59' }] }), true],
  ['"0000-00-00 00:00:00"', 'null', typed('datetime-text', 'datetime-text', { equate: [{ source: '0000-00-00 00:00:00', target: null }] }), true],
  ['"0000-00-00 00:00:00"', 'null', typed('datetime-text'), false],
  ['-1238000000', '"-00:20:38"', typed('time-micros', 'time-text'), true],
  ['-1238000000', '"23:39:22"', typed('time-micros', 'time-text'), false],
  ['3020399000000', '"838:59:59"', typed('time-micros', 'time-text'), true],
  ['0', '"-00:00:00.000000"', typed('time-micros', 'time-text'), true],
  ['86400000000', '"24:00:00"', typed('time-micros', 'time-text'), true],
  ['37091106780000', '"P1Y2M3DT4H5M6.78S"', typed('interval-micros', 'interval-text'), true],
  ['"P0Y0M-1DT0H0M0S"', '"-1 days"', typed('interval-text'), true],
];

for (const [source, target, rule, equal] of RULED) {
  test(`property 18: ${source} as ${rule.source} ${equal ? 'equals' : 'differs from'} ${target} as ${rule.target}`, () => {
    const wish: Wish = { columns: { types: { c: rule } } };
    assert.equal(sameColumn(source, target, wish), equal);
  });
}

function sameColumn(source: string, target: string, wish: Wish): boolean {
  const a = decodeColumn(source, wish, 'source');
  const b = decodeColumn(target, wish, 'target');
  assert.equal(a.dead + b.dead, '');
  const [x, y] = [a.columns?.['c'], b.columns?.['c']];
  assert.ok(x !== undefined && y !== undefined, 'both are known');
  return compareColumn(createPairContext(settingsOf(wish)), 'c', x.tag, x.bytes, y.tag, y.bytes);
}

const connect = (type: string, name?: string, parameters?: Record<string, string>): ConnectSchema =>
  ({ type, optional: true, ...(name === undefined ? {} : { name }), ...(parameters === undefined ? {} : { parameters }) });

/** JSON, its Connect schema, the canonical print; undefined: it cannot be known. */
const PRINTED: readonly (readonly [string, ConnectSchema | undefined, string | null | undefined])[] = [
  ['null', undefined, null],
  ['1.50', undefined, '1.5'],
  ['true', undefined, '1'],
  ['{"x":1.0,"a":"b"}', undefined, '{"a":"b","x":1}'],
  ['{"scale":6,"value":"Df4H"}', undefined, '0.916999'],
  ['[1,null,"x"]', undefined, '["1",null,"x"]'],
  ['"AJY="', connect('bytes', 'org.apache.kafka.connect.data.Decimal', { scale: '2' }), '1.5'],
  ['1.50', connect('bytes', 'org.apache.kafka.connect.data.Decimal', { scale: '2' }), '1.5'],
  ['"1.50"', connect('bytes', 'org.apache.kafka.connect.data.Decimal', { scale: '2' }), '1.5'],
  ['"AQ=="', connect('bytes', 'org.apache.kafka.connect.data.Decimal', { scale: '-3' }), '1000'],
  ['"////////////"', connect('bytes', 'org.apache.kafka.connect.data.Decimal', { scale: '2' }), '-0.01'],
  ['"AQ=="', connect('struct', 'io.debezium.data.VariableScaleDecimal'), undefined],
  ['"1000"', connect('struct', 'io.debezium.data.VariableScaleDecimal'), undefined],
  ['"-1.25"', connect('struct', 'io.debezium.data.VariableScaleDecimal'), '-1.25'],
  ['1.25', connect('struct', 'io.debezium.data.VariableScaleDecimal'), '1.25'],
  ['2', connect('string', 'io.debezium.data.Enum'), undefined],
  ['2', connect('string', 'io.debezium.data.Enum', { allowed: 'x,y' }), 'y'],
  ['"qgo="', connect('bytes', 'io.debezium.data.Bits', { length: '12' }), '101010101010'],
  ['"AP8="', connect('bytes'), 'AP8='],
  ['1772323200100000', connect('string', 'io.debezium.time.ZonedTimestamp'), '2026-03-01T00:00:00.100000Z'],
  ['"2026-03-01T01:00:00.1+01:00"', connect('string', 'io.debezium.time.ZonedTimestamp'), '2026-03-01T00:00:00.100000Z'],
  ['1', connect('int64', 'io.debezium.time.NanoTimestamp'), '1970-01-01T00:00:00.000000001Z'],
  ['-735160', connect('int32', 'io.debezium.time.Date'), '-000043-03-15'],
  ['43200100', connect('int32', 'io.debezium.time.Time'), '12:00:00.1'],
  ['"09:59:59Z"', connect('string', 'io.debezium.time.ZonedTime'), '09:59:59'],
  ['"infinity"', connect('string', 'io.debezium.time.ZonedTimestamp'), 'infinity'],
  ['["AJY=",null]', { type: 'array', optional: true, items: connect('bytes', 'org.apache.kafka.connect.data.Decimal', { scale: '2' }) }, '["1.5",null]'],
  ['"__debezium_unavailable_value"', connect('string'), undefined],
  ['"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="', connect('bytes'), undefined],
  ['["__debezium_unavailable_value"]', { type: 'array', optional: true, items: connect('string') }, undefined],
  [JSON.stringify([...Buffer.from('__debezium_unavailable_value')]), { type: 'array', optional: true, items: connect('int32') }, undefined],
  ['{"__debezium_unavailable_value":"__debezium_unavailable_value"}', connect('map'), undefined],
];

for (const [json, schema, print] of PRINTED) {
  test(`${json.slice(0, 50)} as ${schema?.name ?? schema?.type ?? 'it stands'} prints ${print}`, () => {
    const said = decodeColumn(json, schema === undefined ? {} : { source: { valueSchema: connectRow([{ ...schema, field: 'c' }]) } });
    assert.equal(said.dead, '');
    assert.equal(said.columns?.['c']?.print, print);
    assert.deepEqual(said.unavailable, print === undefined ? ['c'] : []);
  });
}

test('a schema of the other side lends its type where a column has none', () => {
  const wish: Wish = { source: { valueSchema: connectRow([{ ...connect('string', 'io.debezium.time.ZonedTimestamp'), field: 'c' }]) } };
  assert.ok(sameColumn('"2026-03-01T00:00:00.1Z"', '1772323200100000', wish));
});

test('0 of a NOT NULL time from MySQL may be its zero date: not known', () => {
  const wish: Wish = { source: { valueSchema: connectRow([{ type: 'int64', name: 'io.debezium.time.Timestamp', optional: false, field: 'c' }]) } };
  assert.deepEqual(decodeColumn('0', wish, 'source', '"connector":"mysql","file":"b.1","pos":1,"row":0').unavailable, ['c']);
  assert.equal(decodeColumn('0', wish).columns?.['c']?.print, '1970-01-01T00:00:00.000000Z');
});
