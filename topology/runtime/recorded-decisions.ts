// A recorded decision against the logs that it is replayed over: it names partitions and offsets, and they must be there. What has gone from
// a log cannot be judged again, and a verdict from the rest would be another one; so the replay stops and says where and what to do.
import { beginOffset, type PartitionClaim } from '../../processors/claims.ts';
import { SIDES } from '../../schemas/change-event.ts';
import { ParitasError } from '../../schemas/errors.ts';
import type { Frontier } from '../../schemas/records.ts';
import type { RecordedDecision } from '../check-types.ts';
import type { GroupMember } from './partition-group.ts';

/** The decision's frontiers in the order of the members. Throws `input` where it speaks of other partitions than the logs have. */
export function frontiersOf(decision: RecordedDecision, members: readonly GroupMember[]): number[] {
  const { frontiers } = decision.record;
  const stray = frontiers.find(frontier => !members.some(({ claim }) => isOf(frontier, claim)));
  if (stray !== undefined) throw misfit(decision, `${nameOf(stray)} is no partition of the logs`, 'give the captures, and the topics, that were checked');
  return members.map(({ claim }) => Number(frontierOf(decision, claim).offset));
}

/** Throws `input` where the partitions, read to the decision's frontiers, are not what it rests on. `first`: nothing was read before it. */
export function requireEvidence(decision: RecordedDecision, members: readonly GroupMember[], first: boolean): void {
  for (const { claim } of members) {
    const frontier = frontierOf(decision, claim);
    const restsOn = `it rests on ${nameOf(frontier)} from offset ${frontier.fromOffset} up to ${frontier.offset}`;
    const [from, upTo] = [Number(frontier.fromOffset), Number(frontier.offset)];
    const begin = beginOffset(claim);
    if (begin > from) throw misfit(decision, `${restsOn}, and the log begins at ${begin}`, 'retention has eaten what was before: give a capture that still has it');
    if (claim.frontier > upTo) {
      throw misfit(decision, `${restsOn}, and there is no record at ${upTo - 1} any more, the next is ${claim.frontier - 1}`, 'compaction has eaten it, or it is another capture: give the one that was checked');
    }
    if (claim.frontier < upTo) throw misfit(decision, `${restsOn}, and the log ends at ${claim.frontier}`, 'give the whole of the capture that was checked');
    if (first && begin < from) throw misfit(decision, `${restsOn}, and the log begins at ${begin}`, 'what lies before was not checked: give the capture that begins where the recording does');
  }
}

function frontierOf(decision: RecordedDecision, claim: PartitionClaim): Frontier {
  const frontier = decision.record.frontiers.find(of => isOf(of, claim));
  if (frontier !== undefined) return frontier;
  throw misfit(decision, `it says nothing of ${SIDES[claim.side]} ${claim.topic}-${claim.partition}, which the logs have`, 'give the captures that were checked, and no others');
}

function isOf(frontier: Frontier, claim: PartitionClaim): boolean {
  return frontier.side === SIDES[claim.side] && frontier.topic === claim.topic && frontier.partition === claim.partition;
}

function nameOf({ side, topic, partition }: Frontier): string {
  return `${side} ${topic}-${partition}`;
}

function misfit({ at, record }: RecordedDecision, what: string, remedy: string): ParitasError {
  return new ParitasError('input', `${at}: the decision ${record.decisionId.slice(0, 16)} of pair "${record.pair}" does not fit the logs: ${what}; ${remedy}`);
}
