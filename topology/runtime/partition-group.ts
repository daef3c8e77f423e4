// Which partition is read next, and how far. Event time is the gate: no partition is read beyond the point where its own evidence lets
// the next window close, so what is held in memory is bounded by L + ε + lateness, however far one side is ahead of the other, and a
// window's evidence is the same however the partitions were read (ruling 2).
import { beatsReach, type Beats } from '../../processors/beats.ts';
import { horizonUs, reaches, type PartitionClaim } from '../../processors/claims.ts';
import { boundsOf, closableUpToUs, NO_EVIDENCE, tierFor, type Bound, type PairEvidence } from '../../processors/evidence.ts';
import { SOURCE } from '../../schemas/change-event.ts';
import { bytesPerSlice } from '../../schemas/limits.ts';
import type { WindowSettings } from '../../schemas/pair.ts';
import type { PartitionReader } from '../log/log.ts';
import type { AuxiliaryMember } from './auxiliaries.ts';

export interface GroupMember { readonly claim: PartitionClaim; readonly reader: PartitionReader }

export interface PartitionGroup {
  readonly members: readonly GroupMember[];
  /**
   * Reads every partition to where it has a commit time at all. False: one ended before, and nothing beside it says how far it is complete. Nothing to do where it goes on from a gate.
   * `evenIdle`: it begins where none of them has a record either, from what is beside them.
   */
  prime(evenIdle?: boolean): Promise<boolean>;
  /** End of the window that is next to close; -Infinity before `prime`. */
  readonly gateUs: number;
  /**
   * Reads every partition up to its frontier for the next window: the least offset at which its own claim reaches the window's horizon. One that
   * ends before it takes its side's evidence. Answers up to where windows may close now, or undefined: some partition holds the window.
   *
   * `following`: the logs grow meanwhile, so an end counts only where it was found after the evidence beside it. Counter-example: the end of
   * the rows was found, then a row came and a heartbeat behind it; with that heartbeat and the old end the row's window closed without it.
   */
  advance(following?: boolean): Promise<number | undefined>;
  /** Reads everything that is left. */
  drain(): Promise<void>;
  /** Reads each partition, by its place among the members, until the next offset would be this one; and beside them for windows that end at `endUs`. */
  readTo(offsets: readonly number[], endUs: number): Promise<void>;
  /** Reads the lines that are no records and stand where the partitions have been read to. */
  readBadLines(): Promise<void>;
}

/** Takes the record that the member's reader is at. */
export type TakeRecord = (member: GroupMember, index: number) => void;
/** What is beside the rows: topics that are read as far as their own evidence for the next window, never in the way of one, and what they prove. */
export interface Auxiliaries {
  readonly evidence: PairEvidence;
  readonly members: readonly AuxiliaryMember[];
  take(member: AuxiliaryMember): void;
  /** Called before the ends of the rows are found once more: what is known from them alone (`endUs`) counts from now. */
  noteTime?(): void;
}
/** Called between slices of records, to let the event loop turn. */
export type Pause = () => Promise<void>;

export function createPartitionGroup(
  members: readonly GroupMember[], window: WindowSettings, take: TakeRecord, pause: Pause, sliceRecords: number, auxiliaries?: Auxiliaries,
  fromGateUs: number = -Infinity,
): PartitionGroup {
  const evidence = auxiliaries?.evidence ?? [NO_EVIDENCE, NO_EVIDENCE];
  let gateUs = fromGateUs;
  // Counted over all partitions and gates: a gate may let each partition read a few records only.
  let [records, bytes] = [0, 0];

  async function read(index: number, enough: (claim: PartitionClaim) => boolean): Promise<void> {
    const member = members[index];
    const { claim, reader } = member;
    while (!enough(claim)) {
      if (reader.next()) {
        take(member, index);
        if (isSliceOver(reader)) await turn();
      } else if (!(await reader.fill())) {
        claim.ended = reader.atEnd !== false;
        return;
      }
    }
  }

  async function readBeside(enough: (beats: Beats) => boolean): Promise<void> {
    for (const member of auxiliaries?.members ?? []) {
      while (!enough(member.beats)) {
        if (member.reader.next()) {
          auxiliaries?.take(member);
          if (isSliceOver(member.reader)) await turn();
        } else if (!(await member.reader.fill())) break;
      }
    }
  }

  /** With the record that was taken. */
  function isSliceOver({ record }: PartitionReader): boolean {
    bytes += record.valueEnd - record.valueStart;
    return ++records >= sliceRecords || bytes >= bytesPerSlice;
  }

  function turn(): Promise<void> {
    records = bytes = 0;
    return pause();
  }

  async function readAll(enough: (claim: PartitionClaim) => boolean): Promise<void> {
    for (let i = 0; i < members.length; i++) if (!enough(members[i].claim)) await read(i, enough);
  }

  async function findEnds(endUs: number): Promise<void> {
    auxiliaries?.noteTime?.();
    for (const { claim } of members) claim.ended = false;
    await readAll(claim => reaches(claim, endUs, window));
  }

  const boundsNow = (): readonly (readonly Bound[])[] => evidence.map(side => boundsOf(side, window));
  const closableNow = (bounds: readonly (readonly Bound[])[]): number => Math.min(...members.map(({ claim }) => closableUpToUs(claim, bounds[claim.side], window)));
  const hasEnded = (): boolean => members.every(({ claim }) => claim.ended);

  return {
    members,
    get gateUs() {
      return gateUs;
    },
    async prime(evenIdle = false) {
      if (Number.isFinite(gateUs)) return true;
      auxiliaries?.noteTime?.();
      await readBeside(beats => beats.previousUs > -Infinity);
      await readAll(claim => claim.maxTimeUs > -Infinity);
      const bounds = boundsNow();
      if (members.some(({ claim }) => claim.maxTimeUs === -Infinity && bounds[claim.side].length === 0)) return false;
      gateUs = firstGateUs(members.map(member => member.claim), window);
      if (evenIdle && gateUs === Infinity) gateUs = closableNow(bounds);
      return Number.isFinite(gateUs);
    },
    async advance(following = false) {
      const gate = gateUs;
      await readAll(claim => reaches(claim, gate, window));
      // With nothing left to read of the rows, the rest closes in one step.
      await readBeside(beats => !hasEnded() && beatsReach(beats, gate, window));
      if (following) await findEnds(gate);
      const bounds = boundsNow();
      if (members.some(({ claim }) => tierFor(claim, bounds[claim.side], gate, window) === undefined)) return undefined;
      const upTo = closableNow(bounds);
      gateUs = upTo + window.sizeUs;
      await readBeside(beats => beatsReach(beats, upTo, window));
      // What was read just now goes into the decision: the ends are to be younger than that too.
      if (following) await findEnds(upTo);
      return upTo;
    },
    async drain() {
      await readBeside(() => false);
      await readAll(() => false);
    },
    async readTo(offsets, endUs) {
      await readBeside(beats => beatsReach(beats, endUs, window));
      for (let i = 0; i < members.length; i++) await read(i, claim => claim.frontier >= offsets[i]);
    },
    async readBadLines() {
      for (let i = 0; i < members.length; i++) {
        const { reader } = members[i];
        while ((reader.next() || ((await reader.fill()) && reader.next())) && reader.record.bad !== undefined) take(members[i], i);
      }
    },
  };
}

/**
 * The first window that could hold a record which is not late: anything older than the least first commit time less lateness and horizon
 * is late by its own partition's claim. Beginning at the first record's own window instead would read past the evidence of an older one.
 */
function firstGateUs(claims: readonly PartitionClaim[], window: WindowSettings): number {
  const first = Math.min(...claims.map(claim => claim.minTimeUs));
  return Math.floor((first - window.latenessUs - horizonUs(SOURCE, window)) / window.sizeUs) * window.sizeUs;
}
