// The small store of a shard: its ranges are read piece by piece, and are those of the shard alone, whatever changes while they are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statePageRows } from '../../../schemas/limits.ts';
import { openMemoryStore } from '../../../stores/memory-store.ts';
import { openWriteOverlay } from '../../../stores/write-overlay.ts';
import { shardStore } from '../../../topology/runtime/shard-store.ts';

const keyOf = (n: number): Buffer => Buffer.from(String(n).padStart(6, '0'));
const ALL = [keyOf(0), Buffer.from('9')] as const;

for (const count of [0, 1, statePageRows - 1, statePageRows, statePageRows + 1, 3 * statePageRows]) {
  test(`a range of ${count} rows, half of them written and not drained`, () => {
    const engine = openMemoryStore(['a']);
    const overlay = openWriteOverlay(engine);
    const [before, own, behind] = [0, 1, 2].map(shard => shardStore(overlay, 'a', shard));
    for (const half of [0, 1]) {
      for (let n = half; n < count; n += 2) for (const store of [before, own, behind]) store.put(keyOf(n), Buffer.from(String(n)));
      if (half === 0) engine.write(overlay.drain());
    }
    const rows = [...own.range(...ALL)];
    assert.deepEqual(rows.map(([key, value]) => [key.toString(), value.toString()]), Array.from({ length: count }, (_, n) => [keyOf(n).toString(), String(n)]));
    assert.deepEqual([...own.range(keyOf(1), keyOf(3))].length, Math.max(0, Math.min(2, count - 1)));
    let seen = 0;
    for (const [key] of own.range(...ALL)) {
      own.delete(key);
      seen++;
    }
    assert.equal(seen, count);
    assert.equal([...own.range(...ALL)].length, 0);
    assert.equal([...behind.range(...ALL)].length, count);
  });
}

test('who stops at the first row has not read the others', () => {
  const inner = openMemoryStore(['a']);
  let read = 0;
  const engine = { ...inner, closed: false, range: (...of: Parameters<typeof inner.range>) => {
    const rows = inner.range(...of);
    read += rows.length;
    return rows;
  } };
  inner.write(Array.from({ length: 10_000 }, (_, n) => ({ family: 'a', key: Buffer.concat([Buffer.of(0, 0), keyOf(n)]), value: Buffer.alloc(1) })));
  for (const [key] of shardStore(openWriteOverlay(engine), 'a', 0).range(...ALL)) {
    assert.deepEqual(key, keyOf(0));
    break;
  }
  assert.equal(read, statePageRows);
});
