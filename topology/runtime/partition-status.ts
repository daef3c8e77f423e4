// How far a partition has come, and why it holds a window if it does: what an operator is told of a stalled one names what is missing, so that
// an idle table, a stopped connector and a heartbeat that is none can be told apart.
import type { Beats } from '../../processors/beats.ts';
import { horizonUs, type PartitionClaim } from '../../processors/claims.ts';
import { boundsOf, provenUs, tierFor, type PairEvidence, type SideEvidence } from '../../processors/evidence.ts';
import { SIDES } from '../../schemas/change-event.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { StatusRecord } from '../../schemas/records.ts';
import { formatTime } from '../../schemas/time.ts';

/** `heldUs`: end of the first window that stayed open, undefined where none did. */
export function partitionStatus(settings: PairSettings, claim: PartitionClaim, evidence: PairEvidence, heldUs: number | undefined): StatusRecord {
  const { window } = settings;
  const side = evidence[claim.side];
  const bounds = boundsOf(side, window);
  const stalled = heldUs !== undefined && tierFor(claim, bounds, heldUs, window) === undefined;
  const watermark = provenUs(claim, bounds, window);
  return {
    record: 'status', pair: settings.name, side: SIDES[claim.side], topic: claim.topic, partition: claim.partition,
    ...(Number.isFinite(watermark) ? { watermark: formatTime(watermark) } : {}),
    stalled, reason: [...(stalled ? [...missing(side), own(claim), needed(settings, claim, heldUs)] : []), ...ahead(claim)].join('; '),
  };
}

/** What the side's evidence lacks; nothing where it has none to lack. */
function missing({ beats, endUs }: SideEvidence): string[] {
  const latest = beats.reduce<Beats | undefined>((most, one) => (one.latestUs > (most?.latestUs ?? -Infinity) ? one : most), undefined);
  const reasons: string[] = [];
  if (latest !== undefined) reasons.push(`no heartbeat since ${formatTime(latest.latestUs)} (topic ${latest.topic})`);
  else if (beats.length > 0) reasons.push(silent(beats));
  if (endUs > -Infinity) reasons.push(`that its end was read proves no more than ${formatTime(endUs)} (captureDelay)`);
  return reasons;
}

function silent(beats: readonly Beats[]): string {
  const topics = [...new Set(beats.map(({ topic }) => topic))].join(', ');
  const timers = beats.reduce((sum, one) => sum + one.timers, 0);
  if (timers > 0) return `no heartbeat that went through the database: those of ${topics} are a timer's and prove nothing, set heartbeat.action.query`;
  return `no heartbeat that counts in ${topics}: none was committed in the database and read deliveryGrace later`;
}

function own(claim: PartitionClaim): string {
  return Number.isFinite(claim.maxTimeUs) ? `its last commit time is ${formatTime(claim.maxTimeUs)}` : 'no record with a commit time';
}

function ahead({ ahead: count, aheadOffset }: PartitionClaim): string[] {
  return count === 0 ? [] : [`a clock was wrong: ${count} changes committed long after the log had them, the last at offset ${aheadOffset}; they are judged at their records' timestamps`];
}

function needed({ window }: PairSettings, claim: PartitionClaim, heldUs: number): string {
  const needUs = heldUs + horizonUs(claim.side, window) + window.latenessUs;
  return `the window that ends at ${formatTime(heldUs)} closes once a commit time of ${formatTime(needUs)} was read`;
}
