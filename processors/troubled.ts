// Which keys ever had a finding, from the store of the last findings. Nearly every key that is asked for had none, so a filter stands before the
// store: it says that a key surely had none, or the store is asked. Its size is fixed, so what a sink loses over years takes no memory: with more
// keys than it is good for, more look-ups are in vain.
import { troubledFilterBytes } from '../schemas/limits.ts';
import { keyOf } from './finding.ts';
import { hashBytes } from './hash.ts';
import type { KeyValueStore } from './key-value.ts';
import type { SlotStore } from '../stores/slot-store.ts';

export interface Troubled {
  /** A finding of the key is in the store now. */
  note(key: Buffer): void;
  /** Whether the slot's key has one. */
  has(slot: number): boolean;
}

const PROBES = 4;

export function createTroubled(findings: KeyValueStore, slots: SlotStore): Troubled {
  // Made with the first finding: most shards have none.
  let bits: Uint8Array | undefined;
  const placeOf = (hash: number, probe: number): number => Math.imul(hash ^ Math.imul(probe + 1, 0x9e3779b1), 0x85ebca6b) >>> 0 & (troubledFilterBytes * 8 - 1);

  function note(key: Buffer): void {
    bits ??= new Uint8Array(troubledFilterBytes);
    const hash = hashBytes(key, 0, key.length, 0);
    for (let probe = 0; probe < PROBES; probe++) {
      const at = placeOf(hash, probe);
      bits[at >>> 3] |= 1 << (at & 7);
    }
  }

  function mayHave(hash: number): boolean {
    if (bits === undefined) return false;
    for (let probe = 0; probe < PROBES; probe++) {
      const at = placeOf(hash, probe);
      if ((bits[at >>> 3] & (1 << (at & 7))) === 0) return false;
    }
    return true;
  }

  for (const [key] of findings.range(Buffer.alloc(0), Buffer.alloc(512, 0xff))) note(key);
  return { note, has: slot => mayHave(slots.keyHash[slot]) && findings.get(keyOf(slots, slot)) !== undefined };
}
