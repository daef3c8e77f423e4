// A snapshot read is a state, not a change (semantics.md §13): what it may say, by where it stands among the changes of its row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../support/check.ts';

const START_MS = 1_700_000_000_000;

/** `lsn` null: a row of an incremental snapshot, which has no position. */
interface Event { readonly ms: number; readonly lsn: number | null; readonly v: string; readonly read?: true; readonly of?: number }

function line({ ms, lsn, v, read, of }: Event, by: 'origin' | 'alignment'): string {
  const snapshot = read === undefined ? 'false' : lsn === null ? 'incremental' : 'true';
  const after = { id: 1, v, ...(of === undefined || by === 'alignment' ? {} : { origin_lsn: of }) };
  return JSON.stringify({ before: null, after, op: read === undefined ? 'u' : 'r', source: { connector: 'postgresql', db: 'shop', schema: 'shop', table: 'orders', snapshot, ts_ms: START_MS + ms, lsn }, ts_ms: START_MS + ms });
}

interface Case { readonly says: string; readonly source: readonly Event[]; readonly target: readonly Event[]; readonly tells: readonly string[] }

/** The target applies every change; its clock closes the windows. */
const CASES: readonly Case[] = [
  {
    says: 'positioned below the last change of its row: void, though it says otherwise',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: 5, v: 'old', read: true }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }], tells: ['0 parity parity'],
  },
  {
    says: 'without a position and against the stream: void, and nothing is held to it',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: null, v: 'other', read: true }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }], tells: ['0 parity parity'],
  },
  {
    says: 'without a position, and its row loaded from it: the load has no cause, for nothing says what it is the load of',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: null, v: 'b', read: true }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }, { ms: 250, lsn: 2, v: 'b', of: 12 }],
    tells: ['unexpected T1', '0 diverged diverged'],
  },
  {
    says: 'positioned above it, and as the stream has it: nothing',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: 20, v: 'a', read: true }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }], tells: ['0 parity parity'],
  },
  {
    says: 'positioned above it and against the stream: a gap, and the target is held to the read',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: 20, v: 'b', read: true }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }],
    tells: ['gap evidence-gap S1', '0 undecidable diverged'],
  },
  {
    says: 'positioned above it and against the stream, and the target has it: the change was lost to us alone',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: 20, v: 'b', read: true }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }, { ms: 250, lsn: 2, v: 'b', of: 20 }],
    tells: ['gap evidence-gap S1', '0 undecidable parity'],
  },
  {
    says: 'positioned above it and against the stream, and a change behind it: what comes is judged as ever',
    source: [{ ms: 100, lsn: 10, v: 'a' }, { ms: 200, lsn: 20, v: 'b', read: true }, { ms: 300, lsn: 30, v: 'c' }], target: [{ ms: 150, lsn: 1, v: 'a', of: 10 }, { ms: 350, lsn: 2, v: 'c', of: 30 }],
    tells: ['gap evidence-gap S1', '0 undecidable parity'],
  },
];

for (const by of ['origin', 'alignment'] as const) {
  for (const { says, source, target, tells } of CASES) {
    test(`${by}, a read ${says}`, async () => {
      const match = by === 'origin' ? { by, source: 'source.lsn', target: 'after.origin_lsn' } : { by };
      const pair = { key: ['id'], match, window: { size: '1s', lateness: '0ms', lag: '2s', skew: '0ms' } };
      const { records } = await check({ pair }, source.map(event => line(event, by)), target.map(event => line(event, by)), { complete: true });
      const told = records.flatMap(record => {
        if (record.record === 'manifest') return [[record.class, record.hint, record.source && `S${record.source.offset}`, record.target && `T${record.target.offset}`].filter(word => word !== undefined).join(' ')];
        return record.record === 'verdict' ? [`${(Date.parse(record.window.start) - START_MS) / 1000} ${record.change} ${record.state}`] : [];
      });
      assert.deepEqual(told, tells);
    });
  }
}
