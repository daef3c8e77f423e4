// Slots, written packed and restored, against the store that wrote them: every field, every chain in its order, every link, every byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OP } from '../../schemas/change-event.ts';
import { packColumn, unpackColumn } from '../../stores/column-codec.ts';
import { MADE_COLUMNS, TOUCHED_COLUMNS, type SlotColumn } from '../../stores/slot-columns.ts';
import { createSlotRestore } from '../../stores/slot-restore.ts';
import { createSegmentPacker, type LayoutNames } from '../../stores/slot-segments.ts';
import { createSlotStore, FLAG, SLOT, type SlotStore } from '../../stores/slot-store.ts';
import { StoreError } from '../../stores/store-error.ts';

const WINDOW_US = 1000;
/** Ids of another process are other numbers. */
const WRITER: LayoutNames = { nameOf: id => `layout ${id}`, idOf: () => assert.fail() };
const READER: LayoutNames = { nameOf: () => assert.fail(), idOf: name => Number(name.slice(7)) + 100 };

type Step =
  | { readonly kind: 'take'; readonly window: number; readonly numbers: readonly number[]; readonly hash: number; readonly chains: number; readonly image: boolean }
  | { readonly kind: 'touch'; readonly at: number; readonly flags: number }
  | { readonly kind: 'pair'; readonly at: number; readonly with: number }
  | { readonly kind: 'drop'; readonly at: number }
  | { readonly kind: 'free'; readonly window: number }
  | { readonly kind: 'commit' };

const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(
  { weight: 8, arbitrary: fc.record({
    kind: fc.constant('take' as const), window: fc.integer({ min: 0, max: 5 }), numbers: fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: 8, maxLength: 8 }),
    hash: fc.integer({ min: -4, max: 4 }), chains: fc.integer({ min: 0, max: 7 }), image: fc.boolean(),
  }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('touch' as const), at: fc.nat(), flags: fc.integer({ min: 1, max: 127 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pair' as const), at: fc.nat(), with: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('free' as const), window: fc.integer({ min: 0, max: 5 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'commit' as const }) },
), { maxLength: 120 });

/** Runs steps on a store that follows its changes, packing at each commit; what a changelog would have in the end. */
function run(all: readonly Step[]): { slots: SlotStore; segments: Map<number, Buffer[]> } {
  const slots = createSlotStore();
  slots.followChanges();
  const packer = createSegmentPacker(WINDOW_US, WRITER);
  const segments = new Map<number, Buffer[]>();
  const live = (): number[] => [...slots.windows()].flatMap(window => windowSlots(slots, window));
  const commit = (): void => packer.pack(slots, (window, bytes) => void segments.set(window, [...segments.get(window) ?? [], bytes]));
  for (const step of [...all, { kind: 'commit' as const }]) {
    const at = 'at' in step && live().length > 0 ? live()[step.at % live().length] : -1;
    switch (step.kind) {
      case 'take': take(slots, step); break;
      case 'touch': if (at >= 0) slots.addFlags(at, step.flags); break;
      case 'pair': if (at >= 0) pair(slots, at, live()[step.with % live().length]); break;
      case 'drop': if (at >= 0) dropped(slots, at); break;
      case 'free': free(slots, step.window); segments.delete(step.window); break;
      case 'commit': commit(); break;
    }
  }
  return { slots, segments };
}

function take(slots: SlotStore, step: Extract<Step, { kind: 'take' }>): void {
  const slot = slots.take(step.window);
  const n = step.numbers;
  slots.kind[slot] = SLOT.change;
  slots.side[slot] = n[0] % 2;
  // Deletes often: only between two of them is there a cause that is kept.
  slots.op[slot] = n[1] % 2 === 0 ? OP.delete : n[1] % 5;
  slots.time[slot] = step.window * WINDOW_US + (n[2] % WINDOW_US);
  slots.offset[slot] = n[3] * 4096;
  slots.partition[slot] = n[4] % 3;
  slots.totalOrder[slot] = (n[5] % 9) - 1;
  slots.tableOrder[slot] = (n[6] % 5) - 1;
  slots.position.set(n.map(word => word * 2), slot * 8);
  slots.printsAfter.set(n.slice(0, 3).map(word => word | 0), slot * 3);
  slots.printsBefore.set(n.slice(3, 6).map(word => word | 0), slot * 3);
  slots.keyId[slot] = n[6];
  slots.keyHash[slot] = slots.originHash[slot] = slots.idHash[slot] = step.hash;
  const bytes = Buffer.from(`k${n[0]}o${n[1] % 100}tx${n[2] % 100}trace`);
  slots.heads.put(bytes, 0, bytes.length);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  slots.keyLength[slot] = bytes.indexOf('o');
  slots.originLength[slot] = bytes.indexOf('tx') - bytes.indexOf('o');
  slots.traceLength[slot] = 5;
  slots.transactionLength[slot] = bytes.length - bytes.indexOf('tx') - 5;
  if (step.image) {
    const image = Buffer.from(`image ${n[7]}`);
    slots.images.put(image, 0, image.length);
    slots.imagePage[slot] = slots.images.page;
    slots.imageAt[slot] = slots.images.at;
    slots.imageLength[slot] = image.length;
    slots.layout[slot] = n[7] % 3;
  }
  if ((step.chains & 1) !== 0) slots.linkId(slot);
  if ((step.chains & 2) !== 0) slots.linkOrigin(slot);
  if ((step.chains & 4) !== 0) slots.linkKey(slot);
}

function pair(slots: SlotStore, a: number, b: number): void {
  if (a !== b && slots.op[a] === OP.delete && slots.op[b] === OP.delete && slots.time[a] >= 0) slots.keepCause(a, b);
  if (a === b || slots.link[a] !== -1 || slots.link[b] !== -1) return;
  slots.setLink(a, b);
  slots.setLink(b, a);
}

/** Only an image goes with its fingerprint made durable: that of the absent row is known anyway. */
function dropped(slots: SlotStore, slot: number): void {
  if (slots.imagePage[slot] < 0) return;
  slots.fingerprint.set([slot, -slot, 7, 1 << 30], slot * 4);
  slots.fingerprinted[slot] = 1;
  slots.dropImage(slot);
}

/** As the core frees: what was linked to the window's slots is told. */
function free(slots: SlotStore, window: number): void {
  for (const slot of windowSlots(slots, window)) if (slots.link[slot] >= 0) slots.setLink(slots.link[slot], -2);
  slots.freeWindow(window);
}

function windowSlots(slots: SlotStore, window: number): number[] {
  const all: number[] = [];
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) all.push(slot);
  return all;
}

/** All that can be seen of a store, slots named by their serial. */
function picture(slots: SlotStore, layoutBase: number): unknown {
  const { serial } = slots.changes;
  const nameOf = (slot: number): number => (slot >= 0 ? serial[slot] : slot);
  const chain = (first: number, next: Int32Array): number[] => {
    const all: number[] = [];
    for (let slot = first; slot >= 0; slot = next[slot]) all.push(serial[slot]);
    return all;
  };
  const page = (pages: readonly Buffer[], at: number, from: number, length: number): string => (at < 0 ? '' : pages[at].toString('latin1', from, from + length));
  return {
    live: slots.live,
    windows: [...slots.windows()].sort((a, b) => a - b).map(window => [window, windowSlots(slots, window).map(slot => ({
      ...Object.fromEntries((['side', 'kind', 'op', 'flags', 'time', 'offset', 'partition', 'totalOrder', 'tableOrder', 'keyId', 'keyHash', 'originHash', 'idHash', 'keyLength', 'originLength',
        'transactionLength', 'traceLength', 'fingerprinted'] as const).map(name => [name, slots[name][slot]])),
      serial: serial[slot], link: nameOf(slots.link[slot]), position: [...slots.position.subarray(slot * 8, slot * 8 + 8)],
      layout: slots.layout[slot] < 0 ? -1 : slots.layout[slot] - layoutBase,
      rowPrints: [...slots.printsAfter.subarray(slot * 3, slot * 3 + 3), ...slots.printsBefore.subarray(slot * 3, slot * 3 + 3)],
      print: slots.fingerprinted[slot] === 0 ? [] : [...slots.fingerprint.subarray(slot * 4, slot * 4 + 4)],
      head: page(slots.heads.pages, slots.headPage[slot], slots.headAt[slot], slots.keyLength[slot] + slots.originLength[slot] + slots.transactionLength[slot] + slots.traceLength[slot]),
      image: page(slots.images.pages, slots.imagePage[slot], slots.imageAt[slot], slots.imageLength[slot]), cause: slots.cause[slot] >= 0 && (slots.flags[slot] & FLAG.consumed) === 0 && slots.kind[slots.cause[slot]] !== SLOT.free ? serial[slots.cause[slot]] : -1, mark: slots.mark[slot],
    }))]),
    chains: Array.from({ length: 9 }, (_, i) => i - 4).map(hash => [chain(slots.firstById(hash), slots.nextId), chain(slots.firstByOrigin(hash), slots.nextOrigin), chain(slots.firstByKey(hash), slots.nextKey)]),
  };
}

function restore(segments: ReadonlyMap<number, readonly Buffer[]>): SlotStore {
  const slots = createSlotStore();
  slots.followChanges();
  const restoring = createSlotRestore(slots, READER);
  for (const [window, all] of segments) for (const segment of all) restoring.apply(window, segment);
  restoring.finish();
  return slots;
}

test('what was packed over any commits is restored as it stood: fields, bytes, links, chains in their order', () => {
  fc.assert(fc.property(steps, all => {
    const { slots, segments } = run(all);
    assert.deepEqual(picture(restore(segments), 100), picture(slots, 0));
  }), { numRuns: 400 });
});

test('a restored store goes on: what it packs afterwards is restored with what was there', () => {
  fc.assert(fc.property(steps, steps, (first, second) => {
    const { segments } = run(first);
    const slots = restore(segments);
    const flagged = windowSlots(slots, [...slots.windows()].at(0) ?? 0);
    for (const slot of flagged) slots.addFlags(slot, 64);
    for (const step of second) if (step.kind === 'take') take(slots, step);
    const packer = createSegmentPacker(WINDOW_US, { nameOf: id => `layout ${id >= 100 ? id - 100 : id}`, idOf: () => assert.fail() });
    packer.pack(slots, (window, bytes) => void segments.set(window, [...segments.get(window) ?? [], bytes]));
    for (let slot = 0; slot < slots.capacity; slot++) if (slots.kind[slot] !== SLOT.free && slots.layout[slot] >= 0 && slots.layout[slot] < 100) slots.layout[slot] += 100;
    assert.deepEqual(picture(restore(segments), 100), picture(slots, 100));
  }), { numRuns: 100 });
});

test('every column is needed: left out, the restored slots are others', () => {
  const all = fc.sample(steps, { numRuns: 40, seed: 7 }).map(sample => [...sample]);
  for (const column of new Set<{ -readonly [name in keyof SlotColumn]: SlotColumn[name] }>([...MADE_COLUMNS, ...TOUCHED_COLUMNS])) {
    const { read } = column;
    column.read = (_slots, _list, count, values) => void values.fill(0, 0, count);
    try {
      const noticed = all.some(sample => {
        const { slots, segments } = run(sample);
        try {
          assert.deepEqual(picture(restore(segments), 100), picture(slots, 0));
          return false;
        } catch {
          return true;
        }
      });
      assert.ok(noticed, `nothing notices that "${column.name}" is not written`);
    } finally {
      column.read = read;
    }
  }
});

test('a slot taken and freed between two commits is never written, and one that was not changed is not written again', () => {
  const slots = createSlotStore();
  slots.followChanges();
  const packer = createSegmentPacker(WINDOW_US, WRITER);
  const given: number[] = [];
  const note = (window: number): void => void given.push(window);
  const step = (window: number): Extract<Step, { kind: 'take' }> => ({ kind: 'take', window, numbers: [1, 2, 3, 4, 5, 6, 7, 8], hash: 1, chains: 7, image: true });
  take(slots, step(1));
  slots.freeWindow(1);
  packer.pack(slots, note);
  assert.deepEqual(given, []);
  take(slots, step(2));
  packer.pack(slots, note);
  packer.pack(slots, note);
  assert.deepEqual(given, [2]);
});

test('the list of what was touched does not grow with the events between two commits', () => {
  const slots = createSlotStore();
  slots.followChanges();
  const packer = createSegmentPacker(WINDOW_US, WRITER);
  for (let window = 0; window < 300; window++) {
    for (let i = 0; i < 100; i++) take(slots, { kind: 'take', window, numbers: [1, 2, 3, 4, 5, 6, 7, 8], hash: i, chains: 7, image: true });
    if (window % 2 === 0) packer.pack(slots, () => undefined);
    for (const slot of windowSlots(slots, window)) slots.addFlags(slot, 1);
    slots.freeWindow(window);
  }
  assert.ok(slots.changes.touched.length <= 512, String(slots.changes.touched.length));
});

test('a segment of another format, a damaged one and one whose slot is nowhere are refused, and said to be', () => {
  const take1: Step = { kind: 'take', window: 1, numbers: [1, 2, 3, 4, 5, 6, 7, 8], hash: 1, chains: 7, image: true };
  const { segments } = run([take1, { kind: 'commit' }, { kind: 'touch', at: 0, flags: 3 }]);
  const [made, touched] = segments.get(1) ?? [];
  const other = Buffer.from(made);
  other[0] = 9;
  assert.throws(() => restore(new Map([[1, [other]]])), (e: unknown) => e instanceof StoreError && e.reason === 'wrong-format' && /format 9/.test(e.message));
  for (let at = 1; at < made.length; at++) {
    const flipped = Buffer.from(made);
    flipped[at] ^= 1;
    assert.throws(() => restore(new Map([[1, [flipped]]])), (e: unknown) => e instanceof StoreError && e.reason === 'corrupt');
  }
  for (let length = 0; length < made.length; length++) assert.throws(() => restore(new Map([[1, [made.subarray(0, length)]]])), StoreError);
  assert.throws(() => restore(new Map([[1, [touched]]])), (e: unknown) => e instanceof StoreError && /in no segment/.test(e.message));
});

test('columns give back what was put in: any doubles, any widths', () => {
  const value = fc.oneof(fc.double(), fc.integer(), fc.integer({ min: 0, max: 300 }), fc.maxSafeInteger(), fc.constantFrom(NaN, -0, Infinity, 2 ** 32, -(2 ** 31)));
  fc.assert(fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), all => {
    const out = { bytes: Buffer.alloc(1), at: 0 };
    packColumn(out, Float64Array.from(all), all.length);
    const back = new Float64Array(all.length);
    const from = { bytes: out.bytes, at: 0 };
    unpackColumn(from, back, all.length);
    assert.equal(from.at, out.at);
    assert.deepEqual([...back].map(n => n + 0), all.map(n => n + 0));
  }), { numRuns: 2000 });
});
