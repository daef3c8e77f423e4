// Which keys had a finding: against a set, over a store that holds them, also opened anew over it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashBytes } from '../../processors/hash.ts';
import { createTroubled } from '../../processors/troubled.ts';
import type { SlotStore } from '../../stores/slot-store.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import { openWriteOverlay } from '../../stores/write-overlay.ts';
import { shardStore } from '../../topology/runtime/shard-store.ts';

const KEYS = Array.from({ length: 500 }, (_, n) => Buffer.from(`{"id":${n}}`));

/** Slot n has key n; `hashOf` says which hash it goes by. */
function slotsOf(hashOf: (key: Buffer) => number): SlotStore {
  const page = Buffer.concat(KEYS);
  const at = KEYS.map((_, n) => KEYS.slice(0, n).reduce((sum, { length }) => sum + length, 0));
  const none = new Int32Array(KEYS.length);
  return { heads: { pages: [page] }, headPage: none, headAt: Int32Array.from(at), keyLength: Int32Array.from(KEYS, ({ length }) => length), keyHash: Int32Array.from(KEYS, hashOf) } as unknown as SlotStore;
}

test('a key has a finding exactly where the store says so, also where hashes meet, and after a start', () => {
  // Of all that the filter lets through the store decides: with one hash for all it lets through everything.
  for (const hashOf of [(key: Buffer): number => hashBytes(key, 0, key.length, 0), (): number => hashBytes(KEYS[0], 0, KEYS[0].length, 0)]) {
    fc.assert(fc.property(fc.uniqueArray(fc.nat(KEYS.length - 1), { maxLength: 200 }), noted => {
      const overlay = openWriteOverlay(openMemoryStore(['findings']));
      const findings = shardStore(overlay, 'findings', 0);
      const troubled = createTroubled(findings, slotsOf(hashOf));
      for (const n of noted) {
        findings.put(KEYS[n], Buffer.from('{}'));
        troubled.note(KEYS[n]);
      }
      if (!noted.includes(0)) findings.put(KEYS[0], Buffer.from('{}'));
      troubled.note(KEYS[0]);
      const known = new Set([0, ...noted]);
      for (const each of [troubled, createTroubled(findings, slotsOf(hashOf))]) for (let n = 0; n < KEYS.length; n++) assert.equal(each.has(n), known.has(n), `key ${n}`);
    }), { numRuns: 30 });
  }
});
