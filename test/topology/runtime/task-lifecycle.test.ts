// Every step there is, against every step that may be.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TASK_STATES, type TaskState } from '../../../schemas/records.ts';
import { createLifecycle } from '../../../topology/runtime/task-lifecycle.ts';

/** How to come to each state. */
const WAYS: Readonly<Record<TaskState, readonly TaskState[]>> = {
  created: [], standby: ['standby'], restoring: ['restoring'], running: ['restoring', 'running'],
  suspended: ['restoring', 'running', 'suspended'], corrupt: ['restoring', 'corrupt'], closed: ['closed'],
};

const ALLOWED: ReadonlySet<string> = new Set([
  'created standby', 'created restoring', 'created closed', 'standby restoring', 'standby corrupt', 'standby closed', 'restoring running', 'restoring corrupt',
  'restoring closed', 'running suspended', 'running corrupt', 'running closed', 'suspended running', 'suspended corrupt', 'suspended closed',
  'corrupt restoring', 'corrupt closed',
]);

for (const from of TASK_STATES) {
  for (const to of TASK_STATES) {
    void test(`${from} to ${to}: ${ALLOWED.has(`${from} ${to}`) ? 'a step' : 'none'}`, () => {
      const seen: string[] = [];
      const states = createLifecycle('orders/0', (a, b) => void seen.push(`${a} ${b}`));
      for (const step of WAYS[from]) states.to(step);
      const step = (): void => { states.to(to); };
      if (!ALLOWED.has(`${from} ${to}`)) return assert.throws(step, new RegExp(`task orders/0 cannot go from ${from} to ${to}`));
      step();
      assert.equal(states.now, to);
      assert.equal(seen.at(-1), `${from} ${to}`);
    });
  }
}
