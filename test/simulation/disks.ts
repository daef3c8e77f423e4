// The disks of a worker: of each of its tasks every batch that was written, and every range that was deleted. A start finds them as they were, older, empty or damaged; a store that
// breaks under a running task is damaged from then on. What is healthy must not be wiped, and what is damaged must be.
import { assert } from '../../schemas/assert.ts';
import { openMemoryStore } from '../../stores/memory-store.ts';
import { StoreError } from '../../stores/store-error.ts';
import { OFFSETS_FAMILY, type KeyRange, type StoreEngine, type WriteOp } from '../../stores/store.ts';
import type { Log, TopicPartition } from '../../topology/log/log.ts';
import { changelogPosition } from '../../topology/runtime/changelog.ts';
import { restoreStore } from '../../topology/runtime/restoration.ts';
import { STATE_FAMILIES } from '../../topology/runtime/task-state.ts';
import type { DiskKind, Kind } from './coverage.ts';

export interface Disk {
  batches: (readonly WriteOp[] | KeyRange)[];
  /** What was done to it, until it is wiped. */
  damage: DiskKind | undefined;
}

export type Disks = Map<string, Disk>;

export interface DiskPlan {
  disk(): DiskKind;
  /** Which of so many batches an older disk has seen. */
  older(batches: number): number;
  /** Bytes that a restoration writes at once. */
  readonly restoreBytes: number;
}

export interface DiskParts {
  readonly plan: DiskPlan;
  readonly log: Log;
  readonly changelog: TopicPartition;
  /** Before a batch is written, and before the next one: where a process may die, or what it writes fails. */
  readonly written: (when: 'before' | 'after') => void;
  readonly covers: (kind: Kind) => void;
}

export function diskOf(disks: Disks, name: string): Disk {
  const disk = disks.get(name) ?? { batches: [], damage: undefined };
  disks.set(name, disk);
  return disk;
}

export function wipe(disk: Disk): void {
  disk.batches = [];
  disk.damage = undefined;
}

/** The task's store at the end of its changelog. */
export async function openDisk(disk: Disk, { plan, log, changelog, written, covers }: DiskParts): Promise<StoreEngine> {
  if (disk.batches.length > 0) {
    const kind = disk.damage ?? becomes(disk, plan.disk(), plan);
    if (kind === 'ahead') disk.batches.push([changelogPosition(await log.endOffset(changelog) + 1)]);
    if (DAMAGES.includes(kind)) disk.damage = kind;
    covers(`disk ${kind}`);
  }
  const { damage } = disk;
  let wipes = 0;
  const engine = await restoreStore({
    log, changelog, open: () => openOn(disk, written), nowMs: () => 0, batchBytes: plan.restoreBytes,
    wipe() {
      wipes++;
      wipe(disk);
    },
  });
  assert(wipes === (damage === undefined ? 0 : 1), `a store (damage: ${damage}) was wiped ${wipes} times`);
  return engine;
}

const DAMAGES: readonly DiskKind[] = ['nameless', 'of another', 'ahead', 'does not open', 'does not read'];

function openOn(disk: Disk, written: DiskParts['written']): Promise<StoreEngine> {
  if (disk.damage === 'does not open') return Promise.reject(new StoreError('corrupt', 'a file is damaged'));
  const engine = openMemoryStore(STATE_FAMILIES);
  for (const batch of disk.batches) {
    if ('family' in batch) engine.deleteRange(batch.family, batch.gte, batch.lt);
    else engine.write(batch);
  }
  return Promise.resolve(disk.damage === 'does not read' ? unreadable(engine) : recording(engine, disk, written));
}

/** What it has become: an older one that has nothing is an empty one. */
function becomes(disk: Disk, drawn: DiskKind, plan: DiskPlan): DiskKind {
  switch (drawn) {
    case 'empty': disk.batches = []; break;
    case 'older': {
      const before = disk.batches.length;
      disk.batches.length = plan.older(before);
      if (disk.batches.length === 0) return 'empty';
      if (disk.batches.length === before) return 'as it was';
      break;
    }
    // With a position, for a store that has neither is a new one.
    case 'nameless': disk.batches.push([NAMELESS, changelogPosition(1)]); break;
    case 'of another': disk.batches.push([{ ...NAMELESS, value: Buffer.from(JSON.stringify({ topicId: 'another', partition: 0, openedAtMs: 0 })) }]); break;
    case 'as it was': case 'ahead': case 'does not open': case 'does not read': break;
  }
  return drawn;
}

const NAMELESS: WriteOp = { family: OFFSETS_FAMILY, key: Buffer.from('of'), value: null };

/** What is on a disk is a copy: who wrote it may write over it. */
function recording(engine: StoreEngine, disk: Disk, written: DiskParts['written']): StoreEngine {
  return {
    ...engine,
    write(ops) {
      written('before');
      engine.write(ops);
      disk.batches.push(ops.map(({ family, key, value }) => ({ family, key: Buffer.from(key), value: value === null ? null : Buffer.from(value) })));
      written('after');
    },
    deleteRange(family, gte, lt) {
      engine.deleteRange(family, gte, lt);
      disk.batches.push({ family, gte: Buffer.from(gte), lt: Buffer.from(lt) });
    },
  };
}

/** As one whose first block is damaged. */
function unreadable(engine: StoreEngine): StoreEngine {
  return { ...engine, get: () => { throw new StoreError('corrupt', 'a block is damaged'); } };
}
