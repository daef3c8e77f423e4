// A real pipeline: what PostgreSQL sent, and what a PostgreSQL and a MariaDB target sent of the same changes, is equal column by column.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ConnectSchema } from '../../../schemas/pair.ts';
import { createPairContext } from '../../../schemas/pair-context.ts';
import { createDecoder } from '../../../schemas/formats/registry.ts';
import { compareColumn } from '../../../schemas/canonical/compare.ts';
import { rawRecord, say, settingsOf, typed } from './records.ts';
import type { Row, Said, Wish } from './records.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/captures');
const ORIGIN = ['origin_lsn', 'origin_seq', 'origin_tx', 'origin_us', 'origin_part', 'origin_off'];
const match = { by: 'origin', source: ['source.lsn'], target: ['after.origin_lsn'] } as const;

function rows(topic: string): Row[] {
  const text = gunzipSync(readFileSync(join(fixtures, 'main', `${topic}.jsonl.gz`))).toString();
  return text.trim().split('\n').map((line) => JSON.parse(line) as Row);
}

function schemaOf(table: string): ConnectSchema {
  return JSON.parse(readFileSync(join(fixtures, 'schemas', `${table === 'orders' ? 'orders.v2' : table}.value.json`), 'utf8')) as ConnectSchema;
}

interface Found { pairs: number; compared: number; differences: string[]; unknown: Map<string, number> }

/** Joins source and target changes that have an image, by key and origin, and compares what both know. */
function compare(table: string, target: string, types: NonNullable<Wish['columns']>['types']): Found {
  const valueSchema = schemaOf(table);
  const context = createPairContext(settingsOf({ match, source: { valueSchema }, target: { valueSchema }, columns: { ignore: ORIGIN, types: types ?? {} } }));
  const said = (['source', 'target'] as const).map((side) => {
    const decoder = createDecoder(context, side);
    return rows(side === 'source' ? `src.public.${table}` : target).map((row) => {
      decoder.decode(rawRecord(row));
      return say(decoder.event);
    });
  });
  const byIdentity = new Map<string, Said>();
  for (const event of said[0]) byIdentity.set(`${JSON.stringify(event.key)} ${event.origin}`, event);
  const found: Found = { pairs: 0, compared: 0, differences: [], unknown: new Map() };
  for (const event of said[1]) {
    assert.equal(event.dead, '');
    if (event.columns === undefined) continue;
    const cause = byIdentity.get(`${JSON.stringify(event.key)} ${event.origin}`);
    assert.ok(cause?.columns !== undefined, `no source change for ${JSON.stringify(event.key)} ${event.origin}`);
    found.pairs++;
    for (const name of event.unavailable) found.unknown.set(name, (found.unknown.get(name) ?? 0) + 1);
    for (const [name, value] of Object.entries(event.columns)) {
      const other = cause.columns[name];
      if (other === undefined) continue;
      found.compared++;
      if (!compareColumn(context, name, other.tag, other.bytes, value.tag, value.bytes)) found.differences.push(`${name}: ${other.print} / ${value.print}`);
    }
  }
  return found;
}

for (const table of ['orders', 'customers']) {
  test(`${table}: PostgreSQL against PostgreSQL with the value schema alone`, () => {
    const { pairs, compared, differences, unknown } = compare(table, `tgt.public.${table}`, {});
    assert.deepEqual(differences, []);
    assert.deepEqual([...unknown], []);
    assert.ok(pairs > 200 && compared > pairs * 4, `${pairs} pairs, ${compared} columns`);
  });
}

test('orders: PostgreSQL against MariaDB needs one rule, the scale of the unscaled numeric', () => {
  const { pairs, differences, unknown } = compare('orders', 'tgtm.shop.orders', { ratio: typed('decimal', 'decimal(65,30)') });
  assert.deepEqual(differences, []);
  assert.deepEqual([...unknown.keys()], []);
  assert.ok(pairs > 200, `${pairs} pairs`);
});

test('orders: without that rule the numeric cannot be known on MariaDB and nothing else is lost', () => {
  const { differences, unknown } = compare('orders', 'tgtm.shop.orders', {});
  assert.deepEqual(differences, []);
  assert.deepEqual([...unknown.keys()], ['ratio']);
  assert.ok((unknown.get('ratio') ?? 0) > 50);
});

test('customers: PostgreSQL against MariaDB with the value schema alone', () => {
  const { pairs, differences, unknown } = compare('customers', 'tgtm.shop.customers', {});
  assert.deepEqual(differences, []);
  assert.deepEqual([...unknown], []);
  assert.ok(pairs > 200, `${pairs} pairs`);
});
