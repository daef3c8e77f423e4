import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { partitionOfKey } from '../../schemas/murmur2.ts';
import { generateCapture } from './generate-capture.ts';
import type { GenerateOptions, GeneratedCapture } from './generate-capture.ts';
import { FAULT_CLASSES } from './history.ts';
import type { Fault } from './history.ts';
import { folder } from './capture-files.ts';

interface Row { id: number; quantity: number; updated_at: number; origin_lsn?: number | null }
interface Change { before: Row | null; after: Row | null; op: string; source: { lsn: number; ts_us: number; sequence: string } }
interface Line { partition: number; offset: number; key: string; value: string }

let made = 0;
function generate(options: Partial<GenerateOptions>): GeneratedCapture {
  return generateCapture({ events: 3000, keys: 200, out: join(folder, `generated-${made++}`), ...options });
}

function linesOf(path: string): Line[] {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trimEnd().split('\n').map((text) => JSON.parse(text) as Line);
}

test('the same options give the same bytes, another seed others', () => {
  const [a, b, c] = [generate({ faultsEvery: 300 }), generate({ faultsEvery: 300 }), generate({ faultsEvery: 300, seed: 7 })];
  assert.deepEqual(readFileSync(a.targetFiles[0]), readFileSync(b.targetFiles[0]));
  assert.deepEqual(a.faults, b.faults);
  assert.notDeepEqual(readFileSync(a.sourceFiles[0]), readFileSync(c.sourceFiles[0]));
});

test('layout, compression and form change nothing but the place of the records', () => {
  const plain = generate({});
  const apart = generate({ layout: 'by-partition', gz: true });
  const bare = generate({ form: 3 });
  const lines = linesOf(plain.sourceFiles[0]);
  assert.deepEqual(linesOf(apart.sourceFiles[0]), lines.toSorted((a, b) => a.partition - b.partition || a.offset - b.offset));
  assert.deepEqual(readFileSync(bare.sourceFiles[0]).toString().trimEnd().split('\n'), lines.map((line) => line.value));
  for (const line of lines) assert.equal(partitionOfKey(Buffer.from(line.key), 0, line.key.length, 4), line.partition);
  assert.equal(generate({ form: 3, partitions: 3 }).targetFiles.length, 3);
});

test('without faults each source change is applied once, in order per key, 5 to 500 ms later, as it is', () => {
  const capture = generate({ partitions: 1 });
  const { source, target } = changesOf(capture);
  assert.deepEqual([capture.sourceRecords, capture.targetRecords, capture.faults.length, source.length], [3000, 3000, 0, 3000]);
  assert.ok(source.some(({ op }) => op === 'd') && source.some(({ op }) => op === 'c'));
  const applied = attributed(source, target);
  for (const change of source) {
    const [only, ...more] = applied.get(change.source.lsn) ?? [];
    assert.equal(more.length, 0);
    const lagMs = (only.source.ts_us - change.source.ts_us) / 1000;
    assert.ok(lagMs >= 5 && lagMs <= 500, `${lagMs}`);
    assert.deepEqual(only.after, change.after === null ? null : { ...change.after, origin_lsn: change.source.lsn });
  }
  for (let i = 1; i < target.length; i++) assert.ok(target[i].source.ts_us >= target[i - 1].source.ts_us && target[i].source.lsn > target[i - 1].source.lsn);
});

test('each fault is what it is called, and there are no others', () => {
  const capture = generate({ events: 20_000, faultsEvery: 250, partitions: 1 });
  const { source, target } = changesOf(capture);
  const applied = attributed(source, target);
  assert.deepEqual(new Set(capture.faults.map((fault) => fault.class)), new Set(FAULT_CLASSES));
  const faulty = new Map(capture.faults.map((fault) => [fault.sourceLsn ?? -1 - (fault.targetLsn ?? 0), fault]));
  const found = new Map<string, number>();
  const last = new Map<number, number>();
  for (const change of source) {
    const fault = faulty.get(change.source.lsn);
    const applications = applied.get(change.source.lsn) ?? [];
    const kind = applications.length === 0 ? 'missing' : applications.length > 1 ? 'duplicate' : applications[0].after?.quantity !== change.after?.quantity ? 'mismatch' : 'fine';
    const id = (change.after ?? change.before)!.id;
    const late = kind === 'fine' && applications[0].source.lsn < (last.get(id) ?? 0);
    if (applications.length > 0) last.set(id, applications[0].source.lsn);
    // A swap shows on the later change as an application before that of the earlier one, which is the one that is reported.
    if (late) assert.equal(faulty.get(previousOf(source, change))?.class, 'reordered');
    else assert.equal(kind, fault === undefined || fault.class === 'reordered' ? 'fine' : fault.class);
    if (fault !== undefined) found.set(fault.class, (found.get(fault.class) ?? 0) + 1);
  }
  const known = new Set<number | null | undefined>(source.map((change) => change.source.lsn));
  const strays = target.filter((change) => change.after !== null && !known.has(change.after.origin_lsn));
  assert.deepEqual(strays.map((change) => change.source.lsn), capture.faults.filter((fault) => fault.class === 'unexpected').map((fault) => fault.targetLsn).toSorted((a, b) => a! - b!));
  assert.deepEqual([...found.values()].reduce((sum, count) => sum + count, strays.length), capture.faults.length);
  assert.deepEqual((JSON.parse(readFileSync(join(capture.configFile, '../truth.json'), 'utf8')) as { faults: Fault[] }).faults, capture.faults);
});

function changesOf(capture: GeneratedCapture): { source: Change[]; target: Change[] } {
  const read = (files: readonly string[]): Change[] => files.flatMap((name) => linesOf(name).map((line) => JSON.parse(line.value) as Change));
  return { source: read(capture.sourceFiles), target: read(capture.targetFiles) };
}

/** Target changes by the source change they apply: by origin, a delete by the first source delete after the origin it removed. */
function attributed(source: readonly Change[], target: readonly Change[]): Map<number, Change[]> {
  const applied = new Map<number, Change[]>();
  for (const change of target) {
    const removed = change.after === null ? change.before : undefined;
    const lsn = removed === undefined ? change.after!.origin_lsn : source.find((s) => s.op === 'd' && s.before!.id === removed!.id && s.source.lsn > removed!.origin_lsn!)?.source.lsn;
    if (lsn !== undefined && lsn !== null) applied.set(lsn, [...(applied.get(lsn) ?? []), change]);
  }
  return applied;
}

function previousOf(source: readonly Change[], change: Change): number {
  const id = (change.after ?? change.before)!.id;
  return source.findLast((s) => s.source.lsn < change.source.lsn && (s.after ?? s.before)!.id === id)!.source.lsn;
}
