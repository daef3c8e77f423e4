// What a worker says when the service under it stops while its group cannot be reached: the reason, not the group.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { runShare } from '../../../topology/cli/run-share.ts';
import { loadConfig } from '../../../topology/config.ts';
import { openEmbeddedLog } from '../../../topology/log/embedded-log.ts';
import type { Membership } from '../../../topology/runtime/membership.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a group that is not there at the end does not hide why it ends', async t => {
  const folder = tempFolder(t, { 'paritas.yaml': 'application: shop\npairs: [{ name: orders, source: { topic: s }, target: { topic: t }, key: [id], match: { by: alignment } }]\n' });
  const log = openEmbeddedLog();
  for (const topic of ['s', 't']) await log.createTopic(topic, { partitions: 2, cleanup: 'delete' });
  const config = loadConfig(join(folder, 'paritas.yaml'));
  const said: string[] = [];
  let known: readonly string[] = [];
  const membership: Membership = {
    async* shares() { throw await Promise.resolve(new Error('no broker answers')); },
    leave: () => Promise.reject(new Error('gone')),
  };
  await assert.rejects(runShare({
    config, pairs: config.pairs, log, clock: { nowMs: () => 0, sleep: () => Promise.resolve() }, signal: new AbortController().signal, say: line => void said.push(line),
    join: tasks => { known = tasks; return membership; },
  }), /no broker answers/);
  assert.deepEqual(known, ['orders/reconcile/0', 'orders/reconcile/1', 'orders/merge']);
  assert.deepEqual(said, ['the group was not told of the end, and gives the tasks on when the session is over: gone']);
});
