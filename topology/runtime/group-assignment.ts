// The tasks that a member of a group is to run, as a service takes them.
import type { TaskName } from './assignor.ts';
import type { Assignment } from './assignment.ts';
import type { Membership } from './membership.ts';
import type { Standbys } from './standbys.ts';
import { taskName, type TaskId } from './task-id.ts';

export interface GroupAssignmentParts {
  readonly membership: Membership;
  /** Those that this member knows. */
  readonly tasks: readonly TaskId[];
  readonly standbys?: Standbys | undefined;
  readonly say: (line: string) => void;
}

export function groupAssignment({ membership, tasks, standbys, say }: GroupAssignmentParts): Assignment {
  const known = new Map(tasks.map(task => [taskName(task), task]));
  const said = new Set<TaskName>();
  return async function* (signal) {
    for await (const share of membership.shares(signal)) {
      const { active } = share;
      for (const name of active.filter(task => !known.has(task) && !said.has(task))) {
        said.add(name);
        say(`${name}: not in this instance's configuration, which was given it to run: start all instances with one configuration`);
      }
      // The state of a task has one who writes it: first the standby is closed, then the task begins; and the other way round.
      await standbys?.end(share);
      yield active.flatMap(name => known.get(name) ?? []);
      standbys?.begin(share);
    }
  };
}
