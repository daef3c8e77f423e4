// The overlay against a Map, over both engines: what it shows, what it drains, and what the engine holds after the drain is written.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { overlayEntryBytes, overlayReadCacheBytes } from '../../schemas/limits.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import { openRocksdbStore } from '../../stores/rocksdb-store.ts';
import type { RangeOptions, StoreEngine, WriteOp } from '../../stores/store.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import { familyName, hex, rangeOptions, StoreModel } from '../contracts/store-contract.ts';

const key = (text: string): Buffer => Buffer.from(text);
const value = key;

/** A memory engine that counts its reads. */
function counted(): StoreEngine & { reads: number } {
  const inner = openMemoryStore(['a', 'b']);
  return {
    ...inner,
    reads: 0,
    closed: false,
    get(family, k) { this.reads++; return inner.get(family, k); },
    getMany(family, keys) { this.reads++; return inner.getMany(family, keys); },
  };
}

describe('write overlay', () => {
  test('reads own writes, then what it has read, then the engine', () => {
    const engine = counted();
    engine.write([{ family: 'a', key: key('x'), value: value('1') }]);
    const overlay = openWriteOverlay(engine);
    for (let n = 0; n < 2; n++) {
      assert.deepEqual(overlay.get('a', key('x')), value('1'));
      assert.equal(overlay.get('a', key('y')), undefined);
    }
    assert.equal(engine.reads, 2, 'each was read once');
    overlay.put('a', key('w'), value('0'));
    overlay.delete('a', key('x'));
    assert.deepEqual(overlay.get('a', key('w')), value('0'));
    assert.equal(overlay.get('a', key('x')), undefined);
    assert.equal(engine.reads, 2, 'what was written is not read');
  });

  test('what is made and deleted between two drains leaves no trace; neither does what the engine is known to hold', () => {
    const engine = openMemoryStore(['a']);
    engine.write([{ family: 'a', key: key('old'), value: value('1') }, { family: 'a', key: key('same'), value: value('1') }]);
    const overlay = openWriteOverlay(engine);
    overlay.get('a', key('same'));
    overlay.put('a', key('new'), value('1'));
    overlay.delete('a', key('new'));
    overlay.delete('a', key('never'));
    overlay.delete('a', key('old'));
    overlay.put('a', key('same'), value('2'));
    overlay.put('a', key('same'), value('1'));
    overlay.put('a', key('kept'), value('1'));
    assert.deepEqual(overlay.drain(), [
      { family: 'a', key: key('kept'), value: value('1') },
      { family: 'a', key: key('old'), value: null },
    ]);
    assert.equal(overlay.sizeBytes, 0);
    assert.deepEqual(overlay.drain(), []);
  });

  test('drained writes stay visible until they are in the engine, and after', () => {
    const engine = openMemoryStore(['a']);
    engine.write([{ family: 'a', key: key('1'), value: value('a') }, { family: 'a', key: key('2'), value: value('b') }]);
    const overlay = openWriteOverlay(engine);
    overlay.delete('a', key('1'));
    overlay.put('a', key('3'), value('c'));
    const ops = overlay.drain();
    const shown = [[key('2'), value('b')], [key('3'), value('c')]];
    assert.equal(overlay.get('a', key('1')), undefined);
    assert.deepEqual(overlay.range('a'), shown);
    engine.write(ops);
    assert.deepEqual(overlay.range('a'), shown);
    overlay.delete('a', key('3'));
    overlay.put('a', key('1'), value('d'));
    engine.write(overlay.drain());
    assert.deepEqual(engine.range('a'), [[key('1'), value('d')], [key('2'), value('b')]]);
  });

  test('a limit counts what is left after the own deletes', () => {
    const engine = openMemoryStore(['a']);
    engine.write(['1', '2', '3', '4'].map((k) => ({ family: 'a', key: key(k), value: value(k) })));
    const overlay = openWriteOverlay(engine);
    overlay.delete('a', key('1'));
    overlay.delete('a', key('2'));
    assert.deepEqual(overlay.range('a', { limit: 1 }).map(([k]) => k.toString()), ['3']);
    overlay.drain();
    overlay.delete('a', key('4'));
    assert.deepEqual(overlay.range('a', { limit: 9 }).map(([k]) => k.toString()), ['3']);
    assert.deepEqual(overlay.range('a', { limit: 1, reverse: true }).map(([k]) => k.toString()), ['3']);
  });

  test('sizes count keys, values and what an entry costs beside them, and go back to zero', () => {
    const overlay = openWriteOverlay(openMemoryStore(['a', 'b']));
    overlay.put('a', key('12'), value('345'));
    assert.equal(overlay.sizeBytes, 5 + overlayEntryBytes);
    overlay.put('a', key('12'), value('3'));
    overlay.delete('b', key('1'));
    assert.equal(overlay.sizeBytes, 4 + 2 * overlayEntryBytes);
    overlay.put('b', key('1'), value('22'));
    assert.equal(overlay.sizeBytes, 6 + 2 * overlayEntryBytes);
    overlay.drain();
    assert.equal(overlay.sizeBytes, 0);
    assert.ok(overlay.cacheBytes >= 6 + 2 * overlayEntryBytes);
  });

  test('the read cache keeps within its bound with rows of a few bytes, written, deleted or absent', () => {
    const engine = openMemoryStore(['a']);
    const overlay = openWriteOverlay(engine);
    for (let n = 0; n < 60_000; n++) {
      const small = key(String(n));
      if (n % 3 === 0) overlay.put('a', small, value('1'));
      if (n % 3 === 1) overlay.delete('a', small, true);
      overlay.get('a', small);
      if (n % 100 === 99) engine.write(overlay.drain());
      assert.ok(overlay.cacheBytes <= overlayReadCacheBytes + 201 * (overlayEntryBytes + 10), `${overlay.cacheBytes} bytes`);
    }
  });

  test('what stays in the read cache keeps no more memory than its own, whatever the writer cut it from', () => {
    const engine = openMemoryStore(['a']);
    const overlay = openWriteOverlay(engine);
    const block = Buffer.alloc(1 << 16, 1);
    for (const length of [0, 1, 64, 65, 5000]) overlay.put('a', key(String(length)), block.subarray(0, length));
    engine.write(overlay.drain());
    engine.write(overlay.drain());
    for (const length of [0, 1, 64, 65, 5000]) {
      const kept = overlay.get('a', key(String(length)));
      assert.deepEqual(kept, block.subarray(0, length));
      assert.equal(kept.buffer.byteLength, length);
    }
  });

  const root = mkdtempSync(join(tmpdir(), 'write-overlay-'));
  after(() => { rmSync(root, { recursive: true, force: true }); });
  let runs = 0;
  const engines: [string, number, () => Promise<StoreEngine>][] = [
    ['memory', 150, () => Promise.resolve(openMemoryStore(['a', 'b']))],
    ['RocksDB', 15, () => openRocksdbStore(join(root, String(runs++)), ['a', 'b'])],
  ];
  for (const [name, numRuns, open] of engines) {
    test(`agrees with a Map over ${name}`, async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const engine = await open();
        try {
          runSteps(steps, engine);
        } finally {
          await engine.close();
        }
      }), { numRuns });
    });
  }
});

type Step =
  | { kind: 'put'; family: string; key: Buffer; value: Buffer } | { kind: 'delete'; family: string; key: Buffer }
  | { kind: 'get'; family: string; key: Buffer } | { kind: 'range'; family: string; options: RangeOptions }
  | { kind: 'drain' | 'apply' };

/** Few, so that steps meet: a key read, written, drained and written back is what finds a stale base. */
const fewKeys = fc.constantFrom('', '00', '0000', '80', 'ff').map(hex);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), family: familyName, key: fewKeys, value: fc.constantFrom('', '00', 'ff').map(hex) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), family: familyName, key: fewKeys }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('get' as const), family: familyName, key: fewKeys }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('range' as const), family: familyName, options: rangeOptions }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('drain' as const, 'apply' as const) }) },
);

/** `shown`: what the overlay must show. `committed`: what was drained. */
function runSteps(steps: readonly Step[], engine: StoreEngine): void {
  const overlay = openWriteOverlay(engine);
  const [shown, committed] = [new StoreModel(), new StoreModel()];
  let pending: WriteOp[] = [];
  const apply = (): void => {
    engine.write(pending);
    pending = [];
    for (const family of ['a', 'b']) assert.deepEqual(engine.range(family), committed.range(family, {}));
  };
  const drain = (): void => {
    // The caller's invariant: what was drained before is in the engine.
    apply();
    pending = overlay.drain();
    checkNet(pending, committed, shown);
    committed.write(pending);
    for (const family of ['a', 'b']) assert.deepEqual(committed.range(family, {}), shown.range(family, {}));
  };
  for (const next of steps) {
    switch (next.kind) {
      case 'put':
        overlay.put(next.family, Buffer.from(next.key), Buffer.from(next.value));
        shown.write([next]);
        break;
      case 'delete':
        overlay.delete(next.family, Buffer.from(next.key));
        shown.write([{ ...next, value: null }]);
        break;
      case 'get':
        assert.deepEqual(overlay.get(next.family, next.key), shown.get(next.family, next.key));
        break;
      case 'range':
        assert.deepEqual(overlay.range(next.family, next.options), shown.range(next.family, next.options));
        break;
      case 'drain': drain(); break;
      case 'apply': apply(); break;
    }
  }
  drain();
  apply();
  assert.equal(overlay.sizeBytes, 0);
}

/** Each key once, in order, and no delete of what was not there. */
function checkNet(ops: readonly WriteOp[], before: StoreModel, after: StoreModel): void {
  const names = ops.map((op) => `${op.family} ${op.key.toString('hex')}`);
  assert.deepEqual(names, [...new Set(names)].sort((left, right) => (left < right ? -1 : 1)));
  for (const op of ops) {
    assert.deepEqual(op.value ?? undefined, after.get(op.family, op.key));
    if (op.value === null) assert.notEqual(before.get(op.family, op.key), undefined);
  }
}
