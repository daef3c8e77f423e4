// The states of a task and the steps between them. A table, so that a step that nobody thought of is an error and not a surprise.
//
//   created ──► restoring ──► running ──► suspended ──► closed
//      │            ▲  │         │            │            ▲
//      └► standby ──┘  └► corrupt◄────────────┘  (any) ────┘
//
// Only a running task takes records. A corrupt one is wiped and restored from its changelog.
import { assert } from '../../schemas/assert.ts';
import type { TaskState } from '../../schemas/records.ts';

const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  created: ['standby', 'restoring', 'closed'],
  standby: ['restoring', 'corrupt', 'closed'],
  restoring: ['running', 'corrupt', 'closed'],
  running: ['suspended', 'corrupt', 'closed'],
  suspended: ['running', 'corrupt', 'closed'],
  corrupt: ['restoring', 'closed'],
  closed: [],
};

export interface Lifecycle {
  readonly now: TaskState;
  /** Throws an assertion where the table has no such step. */
  to(next: TaskState): void;
}

/** `task` names it in messages: `orders/reconcile/0`. `changed` is told of each step. */
export function createLifecycle(task: string, changed: (from: TaskState, to: TaskState) => void = () => undefined): Lifecycle {
  let now: TaskState = 'created';
  return {
    get now() {
      return now;
    },
    to(next) {
      assert(NEXT[now].includes(next), `task ${task} cannot go from ${now} to ${next}`);
      const from = now;
      now = next;
      changed(from, next);
    },
  };
}
