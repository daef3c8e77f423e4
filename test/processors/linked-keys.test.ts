// A key change: each key is judged by itself, and the findings of the two name each other (semantics.md §11).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManifestRecord } from '../../schemas/records.ts';
import type { FaultKind, Plan, PlannedChange } from '../simulation/plan.ts';
import { checkPlan } from '../simulation/property.ts';

const START_US = 1_700_000_000_000_000;
const SECOND_US = 1_000_000;

function change(id: number, kind: PlannedChange['kind'], key: number): PlannedChange {
  const lsn = 1000 + 16 * id;
  return { id, kind, key, toKey: key + 100, value: { v: `v${id}`, n: id }, timeUs: START_US + id * 100_000, seq: lsn + 8, lsn, tx: 700 + id, lagUs: 0 };
}

function plan(changes: readonly PlannedChange[], faults: readonly { kind: FaultKind; changeId: number }[]): Plan {
  return {
    seed: 1, matchBy: 'origin', identity: { source: 'full', target: 'full' }, window: { sizeUs: SECOND_US, latenessUs: SECOND_US, lagUs: SECOND_US, skewUs: 0 },
    partitions: { source: 1, target: 1 }, resolutionUs: { source: 1, target: 1 }, transactionBlocks: false, tombstones: true, holes: false, jitterUs: 0, jitterSeed: 1,
    changes, disturbances: [], faults: faults.map((fault) => ({ ...fault, atUs: START_US, value: { v: 'harm', n: -1 } })),
  };
}

async function manifest(of: Plan): Promise<string[]> {
  const { records } = await checkPlan(of, true);
  return records.filter((r): r is ManifestRecord => r.record === 'manifest').map((m) => `${m.class} ${m.source?.op ?? m.target?.op} ${m.key['id']} -> ${m.linkedKey?.['id'] ?? '-'}`);
}

const TWO_MOVES = [change(0, 'put', 1), change(1, 'put', 2), change(2, 'move', 1), change(3, 'move', 2)];

void test('a key change that is lost: the delete and the create each name the other key, and those of another key change stay apart', async () => {
  assert.deepEqual(await manifest(plan(TWO_MOVES, [{ kind: 'missing', changeId: 2 }, { kind: 'missing', changeId: 3 }])), [
    'missing delete 1 -> 101', 'missing create 101 -> 1', 'missing create 102 -> 2', 'missing delete 2 -> 102',
  ]);
});

void test('where one of the two was applied as it should, the other has no finding to be linked to', async () => {
  assert.deepEqual(await manifest(plan(TWO_MOVES, [{ kind: 'mismatch', changeId: 2 }])), ['mismatch create 101 -> -']);
});

void test('a change that is no key change is linked to none', async () => {
  assert.deepEqual(await manifest(plan([change(0, 'put', 1), change(1, 'put', 2)], [{ kind: 'missing', changeId: 0 }, { kind: 'missing', changeId: 1 }])), ['missing create 1 -> -', 'missing create 2 -> -']);
});
