// Each hint from values that earn it, and none from values that merely differ. Values come through the decoder, as in a run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintFor } from '../../processors/hints.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import type { ColumnType } from '../../schemas/pair.ts';
import { connectRow, decodeColumn, settingsOf, typed } from '../schemas/formats/records.ts';
import type { Wish } from '../schemas/formats/records.ts';

const zoned = (zone: string): ColumnType => typed('instant-text', 'datetime-text', { sourceZone: zone, targetZone: zone });

const CASES: readonly (readonly [string, string, ColumnType | undefined, string | undefined])[] = [
  ['"2026-01-30T17:34:56Z"', '"2026-01-30 12:34:56"', zoned('UTC'), 'timezone'],
  ['"2026-01-30T17:34:56Z"', '"2026-01-30 12:34:56"', undefined, 'timezone'],
  ['557798400000', '"1987-09-05 01:00:00"', typed('timestamp-millis', 'datetime-text'), 'timezone'],
  ['"2026-10-25T01:30:00Z"', '"2026-10-25 02:30:00"', zoned('Europe/Berlin'), 'dst-fold'],
  ['"2026-01-30T17:34:56Z"', '"2026-01-30 12:34:57"', zoned('UTC'), undefined],
  ['"2026-01-30T17:34:56Z"', '"2026-02-02 17:34:56"', zoned('UTC'), undefined],
  ['9223372036825200000', '"9999-12-31 23:59:59"', typed('timestamp-micros', 'datetime-text'), 'clamped'],
  ['9223372036825199616', '"infinity"', typed('timestamp-micros', 'datetime-text'), undefined],
  ['"15000-12-31 23:40:28+00"', '"9999-12-31T23:40:28Z"', typed('instant-text'), 'clamped'],
  ['"2050-01-01 00:00:00"', '"2038-01-19 03:14:07"', typed('datetime-text'), 'clamped'],
  ['"9999-12-31 23:59:59"', '"9999-12-31 20:59:59"', typed('datetime-text'), 'timezone'],
  ['300', '127', typed('int64'), 'clamped'],
  ['-62133004800000000', '-62133177600000000', typed('timestamp-micros'), 'calendar'],
  ['"1500-03-10"', '"1500-03-01"', typed('date-text'), undefined],
  ['"1500-03-10"', '"1500-03-20"', typed('date-text'), 'calendar'],
  ['12345678901234567.89', '12345678901234568', typed('decimal'), 'precision-loss'],
  ['10.129', '10.12', typed('decimal'), 'precision-loss'],
  ['10.129', '10.13', typed('decimal'), 'precision-loss'],
  ['10.129', '10.22', typed('decimal'), undefined],
  ['73314510714175488', '73314510714175490', typed('int64'), 'precision-loss'],
  ['64.1234', '64.12339782714844', typed('float64'), 'precision-loss'],
  ['"2026-01-30T17:34:56.123456Z"', '"2026-01-30 17:34:56"', zoned('UTC'), 'precision-loss'],
  ['"2026-01-30T17:34:56.123456Z"', '"2026-01-30 17:34:56.123"', zoned('UTC'), 'precision-loss'],
  ['-1', '4294967295', typed('int64'), 'unsigned-wrap'],
  ['-1', '18446744073709551615', typed('int64'), 'unsigned-wrap'],
  ['"2300-01-01 00:00:00"', '"1715-06-13 00:25:26.290448"', typed('datetime-text'), 'ns-overflow'],
  ['"NAN"', 'null', typed('decimal'), 'special-null'],
  ['"infinity"', 'null', typed('instant-text'), 'special-null'],
  ['"NaN"', 'null', typed('text'), undefined],
  ['null', '0', undefined, 'null-default'],
  ['null', '""', undefined, 'null-default'],
  ['null', '"1970-01-01 00:00:00"', typed('datetime-text'), 'null-default'],
  ['null', '7', undefined, undefined],
  ['"caf\\ufffd"', '"café"', undefined, 'lossy-source'],
  ['"cafÃ©"', '"café"', undefined, 'mojibake'],
  ['"â‚¬ 5"', '"€ 5"', undefined, 'mojibake'],
  ['"cafe\\u0301"', '"café"', undefined, 'unicode-form'],
  ['"A "', '"A"', undefined, undefined],
  ['1', '"1"', undefined, undefined],
];

for (const [source, target, rule, hint] of CASES) {
  test(`${source} and ${target}${rule === undefined ? '' : ` as ${rule.source} and ${rule.target}`}: ${hint ?? 'no hint'}`, () => {
    assert.equal(hintOf(source, target, rule === undefined ? {} : { columns: { types: { c: rule } } }), hint);
  });
}

function hintOf(source: string, target: string, wish: Wish): string | undefined {
  const context = createPairContext(settingsOf(wish));
  return hintFor(context, 'c', decodeColumn(source, wish).columns?.['c'], decodeColumn(target, wish, 'target').columns?.['c']);
}

test('a default that a schema declares', () => {
  const wish: Wish = { source: { valueSchema: connectRow([{ type: 'string', optional: true, default: 'web', field: 'c' }]) } };
  assert.equal(hintOf('null', '"web"', wish), 'null-default');
});

test('a stored placeholder', () => {
  assert.equal(hintOf('"x"', '"__debezium_unavailable_value"', { target: { replicaIdentity: 'full' } }), 'placeholder-written');
});

test('a missing value has no hint', () => {
  assert.equal(hintFor(createPairContext(settingsOf()), 'c', undefined, { tag: 0, bytes: Buffer.alloc(0) }), undefined);
});
