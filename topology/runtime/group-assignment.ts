// The tasks that a member of a group is to run, as a service takes them.
import type { TaskName } from './assignor.ts';
import type { Assignment } from './assignment.ts';
import type { Membership } from './membership.ts';
import { taskName, type TaskId } from './task-id.ts';

/** `tasks`: those that this member knows. */
export function groupAssignment(membership: Membership, tasks: readonly TaskId[], say: (line: string) => void): Assignment {
  const known = new Map(tasks.map(task => [taskName(task), task]));
  const said = new Set<TaskName>();
  return async function* (signal) {
    for await (const { active } of membership.shares(signal)) {
      for (const name of active.filter(task => !known.has(task) && !said.has(task))) {
        said.add(name);
        say(`${name}: not in this instance's configuration, which was given it to run: start all instances with one configuration`);
      }
      yield active.flatMap(name => known.get(name) ?? []);
    }
  };
}
