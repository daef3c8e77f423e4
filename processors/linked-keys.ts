// A key change is one statement, and two changes in the log: the old key's delete and the new key's create, at one position (semantics.md §11).
// Each key is judged by itself; their findings name each other, so that nobody takes one row for two.
//
// Several rows at one position (a COPY) are creates alone, so a delete and a create there are one row. Two of either, and nothing is told.
import { OP_NAMES, OP } from '../schemas/change-event.ts';
import type { KeyJson } from '../schemas/records.ts';
import { printKey } from '../schemas/canonical/print.ts';
import type { Finding, FindingSide } from './finding.ts';

/** The other key of a finding's row; undefined where its change is no key change, or the other key has no finding in this window. */
export function linkKeys(findings: readonly Finding[]): (finding: Finding) => KeyJson | undefined {
  const ends = new Map<string, Set<string>>();
  for (const finding of findings) {
    const place = placeOf(finding);
    if (place === undefined) continue;
    const keys = ends.get(place);
    if (keys === undefined) ends.set(place, new Set([finding.key.toString('hex')]));
    else keys.add(finding.key.toString('hex'));
  }
  return (finding) => {
    const place = placeOf(finding, true);
    const own = finding.key.toString('hex');
    const there = ends.get(placeOf(finding) ?? '');
    const others = place === undefined ? undefined : ends.get(place);
    const [other] = others ?? [];
    return others?.size === 1 && there?.size === 1 && other !== own ? printKey(Buffer.from(other, 'hex')) : undefined;
  };
}

/** Where the change, or with `other` its counterpart, stands: by the source's position, of a change that has no cause by the target's. */
function placeOf({ source, target, hint }: Finding, other = false): string | undefined {
  const side: FindingSide | undefined = source ?? target;
  const op = side?.record.op;
  if (side === undefined || hint === 'coverage-gap' || (op !== OP_NAMES[OP.delete] && op !== OP_NAMES[OP.create])) return undefined;
  const isDelete = (op === OP_NAMES[OP.delete]) !== other;
  return `${source === undefined ? 'target' : 'source'} ${isDelete ? 'delete' : 'create'} ${side.sortKey}`;
}
