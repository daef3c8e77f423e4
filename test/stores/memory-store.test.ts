import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStore } from '../../stores/memory-store.ts';
import { storeContract } from '../contracts/store-contract.ts';

storeContract('memory', () => Promise.resolve(openMemoryStore(['a', 'b'])), { durable: false });

test('family names are checked at open', () => {
  assert.throws(() => openMemoryStore(['a', 'a']), /named twice/);
  assert.throws(() => openMemoryStore(['default']), /default/);
});
