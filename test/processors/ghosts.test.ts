// What is owed is found again by key and origin, by another instance over the same store too, and by nothing that merely looks alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createGhosts, ghostImage, packImage } from '../../processors/ghosts.ts';
import type { Ghost } from '../../processors/ghosts.ts';
import type { KeyValueStore } from '../../processors/key-value.ts';
import { OP } from '../../schemas/change-event.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { settingsOf } from '../schemas/formats/records.ts';

const context = createPairContext(settingsOf());
const layout = context.layout(['a', 'b'], ['c'], ['b']);
const bytes = Buffer.from('<row image>');
const image = { layout, bytes, start: 1, end: bytes.length - 1 };

function mapStore(): KeyValueStore & { reads: number } {
  const entries = new Map<string, Buffer>();
  const name = (key: Buffer): string => key.toString('latin1');
  const store = {
    reads: 0,
    get(key: Buffer) {
      store.reads++;
      return entries.get(name(key));
    },
    put: (key: Buffer, value: Buffer) => void entries.set(name(key), value),
    delete: (key: Buffer) => void entries.delete(name(key)),
    range: (gte: Buffer, lt: Buffer) => [...entries].map(([at, value]) => [Buffer.from(at, 'latin1'), value] as const)
      .filter(([at]) => at.compare(gte) >= 0 && at.compare(lt) < 0).sort(([a], [b]) => a.compare(b)),
  };
  return store;
}

function ghost(more: Partial<Ghost> = {}): Ghost {
  return {
    kind: 'missing', window: 3, op: OP.update, timeUs: 3_500_000, print: [1, 2, 3, 4], appliedPrint: [], equal: false, paired: false, image: packImage(layout, image),
    side: { record: { op: 'update', commitTime: '', topic: 't', partition: 0, offset: '7' }, identity: '0:7/-1', sortKey: '00ff', traceparent: undefined }, ...more,
  };
}

const [KEY, ORIGIN] = [Buffer.from('key'), Buffer.from('origin')];

void test('a ghost is found again as it was, also after a restart', () => {
  const store = mapStore();
  createGhosts(store).put(KEY, ORIGIN, ghost());
  assert.deepEqual(createGhosts(store).get(KEY, ORIGIN), JSON.parse(JSON.stringify(ghost())));
});

void test('putting it again changes it: applied since', () => {
  const ghosts = createGhosts(mapStore());
  ghosts.put(KEY, ORIGIN, ghost());
  ghosts.put(KEY, ORIGIN, ghost({ kind: 'applied', appliedPrint: [4, 3, 2, 1] }));
  assert.deepEqual([ghosts.get(KEY, ORIGIN)?.kind, ghosts.get(KEY, ORIGIN)?.appliedPrint], ['applied', [4, 3, 2, 1]]);
});

const OTHERS: readonly (readonly [what: string, key: string, origin: string])[] = [
  ['another key', 'kez', 'origin'], ['another origin', 'key', 'origim'], ['the same bytes, cut elsewhere', 'keyo', 'rigin'],
  ['the same bytes, cut before', 'ke', 'yorigin'], ['a longer origin', 'key', 'origin1'], ['no origin', 'key', ''], ['an empty key', '', 'keyorigin'],
];

for (const [what, key, origin] of OTHERS) {
  void test(`not found by ${what}`, () => {
    const ghosts = createGhosts(mapStore());
    ghosts.put(KEY, ORIGIN, ghost());
    assert.equal(ghosts.get(Buffer.from(key), Buffer.from(origin)), undefined);
  });
}

void test('a delete is kept apart from a row version, by its position', () => {
  const ghosts = createGhosts(mapStore());
  ghosts.put(KEY, ORIGIN, ghost({ op: OP.delete, image: null }));
  assert.equal(ghosts.get(KEY, ORIGIN), undefined);
  assert.equal(ghosts.getDelete(KEY, '00ff')?.op, OP.delete);
  assert.equal(ghosts.getDelete(KEY, '00fe'), undefined);
  ghosts.put(KEY, ORIGIN, ghost());
  assert.deepEqual([ghosts.get(KEY, ORIGIN)?.op, ghosts.getDelete(KEY, '00ff')?.op], [OP.update, OP.delete]);
});

void test('strays and counted deletes are kept apart from ghosts, and by key', () => {
  const ghosts = createGhosts(mapStore());
  assert.equal(ghosts.deletesAhead(KEY), 0);
  ghosts.countDelete(KEY);
  ghosts.countDelete(KEY);
  ghosts.putStray(KEY, ORIGIN, ghost().side);
  assert.deepEqual([ghosts.deletesAhead(KEY), ghosts.deletesAhead(Buffer.from('kez'))], [2, 0]);
  assert.equal(ghosts.stray(KEY, ORIGIN)?.identity, '0:7/-1');
  assert.equal(ghosts.stray(KEY, Buffer.from('x')), undefined);
  assert.equal(ghosts.get(KEY, ORIGIN), undefined);
});

void test('while there is none, no lookup reaches the store; after a restart over some, it does', () => {
  const store = mapStore();
  const ghosts = createGhosts(store);
  assert.deepEqual([ghosts.get(KEY, ORIGIN), ghosts.stray(KEY, ORIGIN), ghosts.deletesAhead(KEY), store.reads], [undefined, undefined, 0, 0]);
  ghosts.putStray(KEY, ORIGIN, ghost().side);
  assert.notEqual(createGhosts(store).stray(KEY, ORIGIN), undefined);
});

void test('its image is the image it was made of; a delete has none', () => {
  const back = ghostImage(context, ghost());
  assert.equal(back.layout, layout);
  assert.equal(back.bytes.toString('utf8', back.start, back.end), 'row image');
  assert.deepEqual(packImage(undefined, image), null);
  assert.deepEqual(ghostImage(context, ghost({ image: null })), { layout: undefined, bytes: Buffer.alloc(0), start: 0, end: 0 });
});
