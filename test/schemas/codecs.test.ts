// Protobuf records: round trip of every record, pinned wire bytes, generated code against the .proto files, and the lock of their fields.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DEAD_REASONS, SIDES } from '../../schemas/change-event.ts';
import { decodeRecord, encodeRecord, messageName, type RecordKind } from '../../schemas/codecs.ts';
import { CLASSES, type ColumnValue, COUNT_NAMES, HINTS, type OutputRecord, TASK_STATES, TIERS } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';

const SCHEMAS = join(import.meta.dirname, '../../schemas');
const WIRE = join(import.meta.dirname, '../golden/wire');

interface Generator {
  generate(folder: string): Promise<void>;
  describeMessages(): Promise<Lock>;
  incompatibilities(locked: Lock, now: Lock): string[];
  readLock(): Lock;
}
type Lock = Record<string, { fingerprint: string; fields: Record<string, string>; reserved: (string | number[])[] }>;
const generator = await import(join(SCHEMAS, 'generate.mjs')) as Generator;

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const int32 = fc.integer();
// Years 1653 to 2255: where microseconds are exact in a number.
const knownTime = fc.maxSafeInteger().map(formatTime);
const time = fc.oneof({ weight: 9, arbitrary: knownTime }, { weight: 1, arbitrary: fc.constant('') });
const side = fc.constantFrom(...SIDES);
const window = fc.record({ start: time, end: time });
const counts = fc.record(Object.fromEntries(COUNT_NAMES.map((name) => [name, int64])));
const key = fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', '1', 'id')), fc.option(text));
const value: fc.Arbitrary<ColumnValue> = fc.oneof(fc.option(text), fc.constant({ unavailable: true as const }), fc.constant({ absent: true as const }));
const hint = fc.constantFrom(...HINTS);
const tier = fc.constantFrom(...TIERS);

const RECORDS: Record<RecordKind, fc.Arbitrary<object>> = {
  verdict: some({
    verdictId: text, pair: text, window, status: fc.constantFrom('final', 'amended'), change: fc.constantFrom('parity', 'diverged', 'undecidable'),
    state: fc.constantFrom('parity', 'diverged', 'unknown'), confidence: fc.constantFrom('proven', 'assumed'),
    attribution: fc.constantFrom('origin', 'version', 'alignment', 'aligned'), policy: fc.constantFrom('exact', 'collapse', 'replay'),
    notObservable: fc.array(text, { maxLength: 3 }), counts, watermarks: fc.record({ source: time, target: time }),
    evidence: fc.array(fc.record({ side, topic: text, partition: int32, fromOffset: int64, toOffset: int64, tier }), { maxLength: 3 }),
    digests: fc.record({ source: text, target: text }), decisionId: text, configHash: text, previousVerdictHash: text, coreHash: text, evidenceHash: text,
  }, { chain: int32, detailCut: int64, traceparent: text, torn: fc.array(some({ transaction: text, applied: int64, missing: int64, keys: fc.array(key, { maxLength: 3 }) }, { keysCut: int64 }), { minLength: 1, maxLength: 3 }), tornCut: int64 }),
  manifest: some({
    manifestId: text, verdictId: text, pair: text, window, class: fc.constantFrom(...CLASSES), key,
  }, {
    chain: int32, attribution: fc.constantFrom('origin', 'version', 'aligned'), remedy: fc.constantFrom('reapply', 'delete on target', 'investigate'),
    severity: fc.constantFrom('error', 'warning', 'info'), firstSeen: knownTime,
    source: manifestSide(), target: manifestSide(), linkedKey: key.filter((columns) => Object.keys(columns as object).length > 0), hint, traceparent: text,
    columns: fc.array(some({ name: text, source: value, target: value }, { hint }), { maxLength: 3 }),
  }),
  resolved: some({ pair: text, key, window }, { chain: int32, manifestId: text }),
  schema: some({ pair: text, side, column: text, window, detail: text }, { chain: int32 }),
  'dead-letter': some({ pair: text, side, reason: fc.constantFrom(...DEAD_REASONS), detail: text }, {
    chain: int32, topic: text, partition: int32, offset: int64, file: text, line: int64, valueBase64: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  }),
  decision: some({
    decisionId: text, pair: text, closeUpTo: time, takenAt: time, overrides: fc.array(text, { maxLength: 3 }),
    frontiers: fc.array(fc.record({ side, topic: text, partition: int32, fromOffset: int64, offset: int64 }), { maxLength: 3 }),
    claims: fc.array(fc.record({ side, topic: text, partition: int32, watermark: time, tier }), { maxLength: 3 }),
  }, { chain: int32 }),
  status: some({ pair: text, side, topic: text, partition: int32, stalled: fc.boolean(), reason: text }, { watermark: knownTime, lagMs: int64, since: knownTime }),
  task: some({ pair: text, task: text, state: fc.constantFrom(...TASK_STATES), owner: text }, {
    chain: int32, since: knownTime, at: knownTime, recordsRead: int64, openWindows: int64, eventsBuffered: int64, openDivergences: int64,
    restoring: fc.record({ done: int64, total: int64, recordsPerSecond: int64, remainingMs: int64 }),
  }),
  summary: some({ pair: text, windows: fc.record({ parity: int64, diverged: int64, undecidable: int64, open: int64 }), counts, exitCode: int32 }, { lastVerdictHash: text }),
};

function manifestSide(): fc.Arbitrary<object> {
  return some({ op: text, commitTime: time, topic: text, partition: int32, offset: int64 }, { position: text, origin: text, transaction: text });
}

/** Each optional field there or not. */
function some(required: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
}

const KINDS = Object.keys(RECORDS) as RecordKind[];

describe('codecs', () => {
  for (const kind of KINDS) {
    test(`${kind}: decoding gives the JSON form back, and its bytes again`, () => {
      fc.assert(fc.property(RECORDS[kind], (fields) => {
        const record = { record: kind, ...fields } as unknown as OutputRecord;
        const bytes = encodeRecord(record);
        const decoded = decodeRecord(kind, bytes);
        assert.deepEqual(JSON.parse(JSON.stringify(decoded)), JSON.parse(JSON.stringify(record)));
        assert.deepEqual(encodeRecord(decoded), bytes);
      }), { numRuns: 60 });
    });

    test(`${kind}: wire bytes and order of fields are as pinned`, () => {
      const json = readFileSync(join(WIRE, `${kind}.json`), 'utf8').trim();
      const hex = readFileSync(join(WIRE, `${kind}.hex`), 'utf8').replace(/\s/g, '');
      assert.equal(encodeRecord(JSON.parse(json) as OutputRecord).toString('hex'), hex);
      assert.equal(JSON.stringify(decodeRecord(kind, Buffer.from(hex, 'hex'))), json);
    });
  }

  test('the bounds of 64 bits and of the calendar', () => {
    const verdict = JSON.parse(readFileSync(join(WIRE, 'resolved.json'), 'utf8')) as Record<string, unknown>;
    const times = [
      '1970-01-01T00:00:00.000000Z', '1969-12-31T23:59:59.999999Z', '0000-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z',
      '2000-02-29T12:00:00.000001Z', '1900-03-01T00:00:00.000000Z', '-000001-12-31T00:00:00.000000Z', '+010000-01-01T00:00:00.000000Z',
    ];
    for (const start of times) {
      const record = { ...verdict, window: { start, end: start } } as unknown as OutputRecord;
      assert.deepEqual(decodeRecord('resolved', encodeRecord(record)), record);
    }
  });

  test('what a field cannot hold is refused, naming the field and not the value', () => {
    const golden = (kind: RecordKind): Record<string, unknown> => JSON.parse(readFileSync(join(WIRE, `${kind}.json`), 'utf8')) as Record<string, unknown>;
    const cases: [RecordKind, object, RegExp][] = [
      ['verdict', { change: 'maybe' }, /^change: not one of parity/], ['verdict', { pair: undefined }, /^pair: not a text/],
      ['verdict', { detailCut: '9223372036854775808' }, /^detailCut: not a 64-bit/], ['verdict', { detailCut: '007' }, /^detailCut/],
      ['verdict', { detailCut: 7 }, /^detailCut/], ['verdict', { windows: {} }, /a field "windows"/], ['verdict', { evidence: {} }, /^evidence: not a list/],
      ['resolved', { window: { start: 'secret', end: '' } }, /^window: start: not a time/], ['resolved', { key: null }, /^key/],
      ['resolved', { window: { start: '2026-02-29T00:00:00.000000Z', end: '' } }, /^window: start: not a time of the calendar/],
      ['resolved', { window: { start: '2026-01-01T00:00:00Z', end: '' } }, /^window: start/], ['status', { partition: 2 ** 31 }, /^partition/],
      ['status', { stalled: 'true' }, /^stalled/], ['dead-letter', { valueBase64: 'AAA' }, /^valueBase64/], ['dead-letter', { reason: 'secret' }, /^reason/],
    ];
    for (const [kind, change, message] of cases) {
      assert.throws(() => encodeRecord({ ...golden(kind), ...change } as unknown as OutputRecord), (error: Error) => {
        assert.match(error.message, message);
        assert.ok(!error.message.includes('secret'));
        return error instanceof TypeError;
      });
    }
  });

  test('bytes of another kind, cut bytes and noise are refused or read, never a crash', () => {
    const verdict = Buffer.from(readFileSync(join(WIRE, 'verdict.hex'), 'utf8').replace(/\s/g, ''), 'hex');
    assert.throws(() => decodeRecord('manifest', verdict), /not a manifest record/);
    assert.throws(() => decodeRecord('summary', Buffer.alloc(0)), /not a summary record/);
    for (let length = 0; length < verdict.length; length++) {
      assert.throws(() => { if (decodeRecord('verdict', verdict.subarray(0, length))) throw new Error('read'); }, /not a verdict record|read/);
    }
    fc.assert(fc.property(fc.constantFrom(...KINDS), fc.uint8Array({ maxLength: 40 }), (kind, noise) => {
      assert.throws(() => decodeRecord(kind, noise), { name: 'ParitasError' });
    }));
  });

  test('a field of a later version is skipped', () => {
    const bytes = Buffer.from(readFileSync(join(WIRE, 'resolved.hex'), 'utf8').replace(/\s/g, ''), 'hex');
    // Field 99, text "new".
    const later = Buffer.concat([bytes, Buffer.from('9a06036e6577', 'hex')]);
    assert.deepEqual(decodeRecord('resolved', later), decodeRecord('resolved', bytes));
  });

  test('the JSON path does not load protobuf', () => {
    assert.equal(messageName('dead-letter'), 'paritas.v1.DeadLetter');
    for (const name of readdirSync(SCHEMAS)) {
      if (!name.endsWith('.ts') || name === 'codecs.ts') continue;
      assert.doesNotMatch(readFileSync(join(SCHEMAS, name), 'utf8'), /from '(protobufjs|\.\/generated|\.\/codecs)/, name);
    }
  });
});

describe('schemas', () => {
  test('the generated code is that of the .proto files', { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
    try {
      await generator.generate(folder);
      for (const name of ['records.js', 'records.d.ts']) {
        const same = readFileSync(join(folder, name)).equals(readFileSync(join(SCHEMAS, 'generated', name)));
        assert.ok(same, `schemas/generated/${name} is not what the .proto files give; run: npm run schemas`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('fields are as locked', async () => {
    const [locked, now] = [generator.readLock(), await generator.describeMessages()];
    assert.deepEqual(generator.incompatibilities(locked, now), []);
    assert.deepEqual(now, locked, 'new fields are not locked yet; run: npm run schemas');
  });

  test('the lock finds what breaks readers, and lets additions pass', () => {
    const locked = generator.readLock();
    const changed = (change: (fields: Record<string, string>, message: Lock[string]) => void): string[] => {
      const now = structuredClone(locked);
      change(now['paritas.v1.Status'].fields, now['paritas.v1.Status']);
      return generator.incompatibilities(locked, now);
    };
    assert.deepEqual(changed((fields) => { fields['20'] = 'optional string note'; }), []);
    assert.match(changed((fields) => { fields['2'] = 'singular bytes pair'; })[0], /field 2 was "singular string pair"/);
    assert.match(changed((fields) => { fields['2'] = 'singular string pairs'; })[0], /field 2/);
    assert.match(changed((fields) => { delete fields['2']; })[0], /field 2 .* is gone/);
    assert.deepEqual(changed((fields, message) => { delete fields['2']; message.reserved = [[2, 2]]; }), []);
    assert.match(generator.incompatibilities(locked, {})[0], /message .* is gone/);
    const reserved = structuredClone(locked);
    reserved['paritas.v1.Status'].reserved = [[20, 22]];
    const reused = structuredClone(reserved);
    reused['paritas.v1.Status'].fields['21'] = 'singular string again';
    assert.match(generator.incompatibilities(reserved, reused)[0], /number 21 was reserved/);
  });

  test('no map fields: their order on the wire is not defined', () => {
    for (const name of readdirSync(SCHEMAS).filter((file) => file.endsWith('.proto'))) {
      assert.doesNotMatch(readFileSync(join(SCHEMAS, name), 'utf8'), /\bmap\s*</, name);
    }
  });
});
