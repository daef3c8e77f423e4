// How far each partition is read: to its frontier for the next window and no record further (ruling 2).
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createBeats, noteBeat } from '../../../processors/beats.ts';
import { createClaim, noteRecord } from '../../../processors/claims.ts';
import { NO_EVIDENCE, sideEvidence } from '../../../processors/evidence.ts';
import { SOURCE, TARGET } from '../../../schemas/change-event.ts';
import type { WindowSettings } from '../../../schemas/pair.ts';
import type { RawRecord } from '../../../schemas/raw-record.ts';
import type { PartitionReader } from '../../../topology/log/log.ts';
import type { AuxiliaryMember } from '../../../topology/runtime/auxiliaries.ts';
import { settingsOf } from '../../schemas/formats/records.ts';
import { createPartitionGroup, type Auxiliaries, type GroupMember, type PartitionGroup } from '../../../topology/runtime/partition-group.ts';

// Windows of 10, lateness 2, lag 5, skew 1: a source partition lets [W-10, W) close at time W + 8, a target partition at W + 7.
const WINDOW: WindowSettings = { sizeUs: 10, latenessUs: 2, lagUs: 5, skewUs: 1, retainUs: 0 };

/** A partition whose records have these commit times, offset by offset; NaN: none. One record a fill. */
function member(side: number, timesUs: readonly number[]): GroupMember & { readonly timesUs: readonly number[] } {
  const record = { offset: -1, timestampMs: 0 } as RawRecord;
  let filled = 0;
  let at = 0;
  const reader: PartitionReader = {
    topic: side === SOURCE ? 's' : 't', partition: 0, record, firstOffset: 0, total: timesUs.length,
    get position() { return at; },
    next() {
      if (at >= filled) return false;
      record.offset = at++;
      return true;
    },
    fill: () => Promise.resolve(filled < timesUs.length && ++filled > 0),
    close: () => Promise.resolve(),
  };
  return { claim: createClaim(side, reader.topic, 0), reader, timesUs };
}

interface Run { readonly group: PartitionGroup; readonly read: () => number[]; readonly pauses: () => number }

function groupOf(members: readonly ReturnType<typeof member>[], sliceRecords = 1000, beside?: Auxiliaries): Run {
  let pauses = 0;
  const take = ({ claim, reader }: GroupMember, index: number): void => noteRecord(claim, reader.record.offset, 0, members[index].timesUs[reader.record.offset]);
  const pause = (): Promise<void> => Promise.resolve(void pauses++);
  const group = createPartitionGroup(members, WINDOW, take, pause, sliceRecords, beside);
  return { group, read: () => members.map(({ reader }) => reader.position), pauses: () => pauses };
}

/** The first windows close at the gates of `prime` until one holds events; here only those from `W` on are of interest. */
async function advanceTo(group: PartitionGroup, upToUs: number): Promise<number | undefined> {
  for (;;) {
    const upTo = await group.advance();
    if (upTo === undefined || upTo >= upToUs) return upTo;
  }
}

/** A topic beside the source's rows: each record is a beat of that commit time. */
function auxiliary(timesUs: readonly number[]): { readonly beside: Auxiliaries; readonly position: () => number } {
  const { reader } = member(SOURCE, timesUs);
  const pair = { ...settingsOf({ source: { delivery: 'exactly-once' } }), window: WINDOW };
  const one: AuxiliaryMember = { beats: createBeats(pair, SOURCE, 'beats', 0, NaN), reader };
  const evidence = [sideEvidence(pair, SOURCE, [one.beats], NaN), NO_EVIDENCE] as const;
  return { beside: { members: [one], evidence, take: ({ beats }) => noteBeat(beats, timesUs[reader.record.offset], 0) }, position: () => reader.position };
}

const seconds = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

void test('reading stops exactly at the frontier of the window', async () => {
  const { group, read } = groupOf([member(SOURCE, seconds(100, 200)), member(TARGET, seconds(100, 200))]);
  assert.equal(await group.prime(), true);
  assert.equal(await advanceTo(group, 110), 110);
  // The source needs the record at time 118, the target the one at 117: offsets 18 and 17, and not one more.
  assert.deepEqual(read(), [19, 18]);
  assert.equal(await group.advance(), 120);
  assert.deepEqual(read(), [29, 28]);
});

void test('a record far ahead lets no partition be read further', async () => {
  const { group, read } = groupOf([member(SOURCE, [100, 118, 500, 501]), member(TARGET, [100, 117, 119])]);
  await group.prime();
  assert.equal(await advanceTo(group, 110), 110);
  assert.deepEqual(read(), [2, 2]);
});

void test('prime reads to a commit time, not to the first record', async () => {
  const { group, read } = groupOf([member(SOURCE, [NaN, NaN, 105, 106]), member(TARGET, [100, 101])]);
  assert.equal(group.gateUs, -Infinity);
  assert.equal(await group.prime(), true);
  assert.deepEqual(read(), [3, 1]);
});

void test('a partition without any commit time: prime fails, and the others have been primed', async () => {
  const members = [member(SOURCE, [NaN, NaN]), member(TARGET, [100, 101])];
  const { group, read } = groupOf(members);
  assert.equal(await group.prime(), false);
  assert.deepEqual([read(), members.map(({ claim }) => claim.ended)], [[2, 1], [true, false]]);
});

void test('an empty partition holds everything', async () => {
  const { group, read } = groupOf([member(SOURCE, seconds(100, 200)), member(SOURCE, []), member(TARGET, seconds(100, 200))]);
  assert.equal(await group.prime(), false);
  assert.deepEqual(read(), [1, 0, 1]);
});

void test('an idle partition is not left out of the minimum: its windows stay open', async () => {
  const { group, read } = groupOf([member(SOURCE, seconds(100, 300)), member(SOURCE, [100, 118]), member(TARGET, seconds(100, 300))]);
  await group.prime();
  assert.equal(await advanceTo(group, 110), 110);
  assert.equal(await group.advance(), undefined);
  // The others have been read to the frontier of [110, 120), which the idle one does not let close.
  assert.deepEqual(read(), [29, 2, 28]);
});

void test('the first gate lies before the first window that an older record, not late, could need', async () => {
  for (const [first, gate] of [[100, 90], [108, 100], [107, 90], [109, 100], [-1, -10]] as const) {
    const { group } = groupOf([member(SOURCE, [first + 3, 400]), member(TARGET, [first, 400])]);
    await group.prime();
    assert.equal(group.gateUs, gate, `first ${first}`);
  }
});

void test('several windows close at once where nothing lies between; the gate moves on by one', async () => {
  const { group } = groupOf([member(SOURCE, [100, 158]), member(TARGET, [100, 157])]);
  await group.prime();
  assert.equal(await advanceTo(group, 110), 150);
  assert.equal(group.gateUs, 160);
});

void test('windows close no further than the slowest side lets them', async () => {
  const { group } = groupOf([member(SOURCE, [100, 188]), member(TARGET, [100, 126, 127, 200])]);
  await group.prime();
  // The target is read to where [100, 110) may close, at time 126: below 127, so [110, 120) may not.
  assert.equal(await advanceTo(group, 110), 110);
  assert.equal(await group.advance(), 120);
});

void test('drain reads what is left; a slice of records ends with a pause', async () => {
  const { group, read, pauses } = groupOf([member(SOURCE, seconds(100, 124)), member(TARGET, seconds(100, 109))], 10);
  await group.drain();
  assert.deepEqual([read(), pauses()], [[25, 10], 3]);
});

void test('a topic beside the rows is read as far as its own evidence for the window, and holds none when it ends', async () => {
  const { beside, position } = auxiliary(seconds(100, 130));
  const { group } = groupOf([member(SOURCE, seconds(100, 200)), member(TARGET, seconds(100, 200))], 1000, beside);
  await group.prime();
  assert.equal(await advanceTo(group, 110), 110);
  // The beat before the last one, less the lateness, must reach 110 + 6: beats 118 and 119.
  assert.equal(position(), 20);
  assert.equal(await advanceTo(group, 150), 150);
  assert.equal(position(), 31);
  await group.drain();
});

void test('a log that grows: a row that came before a heartbeat is read before that heartbeat lets its window close', async () => {
  for (const [following, rows] of [[true, 12], [false, 11]] as const) {
    const [sourceUs, beatsUs] = [[...seconds(100, 109), 118], [] as number[]];
    const { beside } = auxiliary(beatsUs);
    const { group, read } = groupOf([member(SOURCE, sourceUs), member(TARGET, seconds(100, 200))], 1000, beside);
    await group.prime();
    assert.equal(await advanceTo(group, 110), 110);
    assert.equal(await group.advance(following), undefined);
    // The end of the rows has been found; then a row is appended, and heartbeats behind it.
    const { reader } = beside.members[0];
    const fill = reader.fill.bind(reader);
    reader.fill = () => {
      if (beatsUs.length === 0) {
        sourceUs.push(113);
        beatsUs.push(140, 141);
      }
      return fill();
    };
    assert.equal(await group.advance(following), 120);
    assert.equal(read()[0], rows, following ? 'with the row' : 'what following prevents');
  }
});
