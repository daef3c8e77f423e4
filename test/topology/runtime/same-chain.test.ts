// What a state may go on with: the settings it was made under, and the same topics. Each refusal names what changed, and what to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisiveSettings } from '../../../topology/config-hash.ts';
import { configFromFlags } from '../../../topology/config.ts';
import { requireSame } from '../../../topology/runtime/same-chain.ts';

const pairOf = (more: Record<string, unknown>): ReturnType<typeof configFromFlags>['pairs'][number] => configFromFlags('/tmp', {
  flags: [
    { path: ['application'], value: 'app', flag: 'flags' },
    { path: ['pairs'], value: [{ name: 'orders', source: { file: 's', topic: 's' }, target: { file: 't', topic: 't' }, match: { by: 'alignment' }, ...more }], flag: 'flags' },
  ],
}).pairs[0];
const originOf = (more: Record<string, unknown> = {}, topicIds: Record<string, string> = { s: '1', t: '2' }): Parameters<typeof requireSame>[1] => ({ settings: decisiveSettings(pairOf(more)), topicIds });

void test('the same settings go on, wherever the records lie', () => {
  requireSame('orders', originOf(), originOf());
  requireSame('orders', originOf(), originOf({ source: { file: 'elsewhere', topic: 's' } }));
});

void test('a setting that decides a verdict: old and new value are named, and the way out', () => {
  assert.throws(() => { requireSame('orders', originOf(), originOf({ window: { lag: '1m' }, columns: { ignore: ['loaded_at'] } })); },
    /^ParitasError: pair "orders": its state was made under other settings[^]*\n {2}columns\.ignore: was \[\], is \["loaded_at"\]\n {2}window\.lagUs: was 30000000, is 60000000\n[^]*or begin a new chain beside this one: paritas state reset --pair orders --execute /);
  assert.throws(() => { requireSame('orders', originOf(), originOf({ policy: 'exact', match: { by: 'version', columns: ['v'] } })); }, /match\.by: was "alignment", is "version"/);
});

void test('settings with equal hashes have equal leaves, and others have not', () => {
  const pairs = [pairOf({}), pairOf({ window: { lag: '30000ms' } }), pairOf({ window: { lag: '31s' } }), pairOf({ key: ['id'] }), pairOf({ columns: { rename: { a: 'b' } } })];
  for (const a of pairs) for (const b of pairs) assert.equal(a.configHash === b.configHash, JSON.stringify(decisiveSettings(a)) === JSON.stringify(decisiveSettings(b)));
});

void test('trap 25: a topic that was made anew is refused by name', () => {
  assert.throws(() => { requireSame('orders', originOf(), originOf({}, { s: '1', t: '3' })); }, /the topic t is not the one that was read before: it was made anew/);
});
