// Policy `collapse`: a batching sink may write only the last of several consecutive changes of a key (semantics.md §10). Which of the changes
// without an application were merged into a later one that was applied?
//
// A delete is never merged away, and nothing is merged across one. Counter-example: insert A, delete, insert A, of which the target has the
// last alone: three versions, two of them lost. Merging into a delete is no merging across it: the row is gone, and the delete is there.
import { OP } from '../schemas/change-event.ts';
import { SLOT } from '../stores/slot-store.ts';
import type { Group } from './group.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';

/** Fills `group.collapsed`: per source change, whether it has no application and a later one has, with no lost delete between. */
export function findCollapsed(shard: Shard, group: Group, closing: Closing): void {
  const { kind, op, time, link } = shard.slots;
  const { sources, first, collapsed } = group;
  collapsed.length = sources.length;
  let survives = false;
  for (let i = sources.length - 1; i >= 0; i--) {
    const source = sources[i];
    collapsed[i] = false;
    // A snapshot row is no version, and what lies beyond the evidence is not known yet.
    if (kind[source] !== SLOT.change || time[source] >= closing.sourceEvidenceUs) continue;
    if (first[i] >= 0 || link[source] !== -1) survives = true;
    else if (op[source] === OP.delete) survives = false;
    else collapsed[i] = survives;
  }
}
