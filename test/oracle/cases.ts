// Small histories whose answers are worked out by hand from semantics.md; each names the ruling that decides it. The oracle is held to the
// answers (oracle.test.ts), and the core to the oracle (cases.test.ts).
import type { Case } from './build.ts';

export interface Expectation { readonly windows: readonly string[]; readonly exit: number; readonly open?: number; readonly letters?: readonly string[] }
export const CASES: Readonly<Record<string, Case & Expectation>> = {
  '§5 each change applied once, in order': {
    source: [['create', 100, 1, 'a'], ['update', 200, 1, 'b']], target: [['create', 150, 1, 'a', 10], ['update', 900, 1, 'b', 20]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '§5 never applied is missing; the older row stays, so the state is diverged': {
    source: [['create', 100, 1, 'a'], ['update', 200, 1, 'b']], target: [['create', 150, 1, 'a', 10]],
    windows: ['0 diverged/diverged; missing 1 S1'], exit: 1,
  },
  '§7 lost, then converged: change diverged, state parity': {
    source: [['create', 100, 1, 'a'], ['update', 200, 1, 'b']], target: [['update', 300, 1, 'b', 20]],
    windows: ['0 diverged/parity; missing 1 S0'], exit: 1,
  },
  '§7 mismatch lists its columns': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'x', 10]],
    windows: ['0 diverged/diverged; mismatch 1 S0 T0 v'], exit: 1,
  },
  '§5 an update may arrive as a create: the operation is not compared': {
    source: [['create', 100, 1, 'a'], ['update', 200, 1, 'a']], target: [['create', 250, 1, 'a', 10], ['create', 260, 1, 'a', 20]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '10 the same application again is duplicate': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'a', 10], ['update', 160, 1, 'a', 10]],
    windows: ['0 diverged/parity; duplicate 1 S0 T1'], exit: 1,
  },
  '10 the same origin with another image is unexpected, without source': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'a', 10], ['update', 160, 1, 'z', 10]],
    windows: ['0 diverged/diverged; unexpected 1 T1'], exit: 1,
  },
  '10 after a mismatch the right image is duplicate too: it equals the source change': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'x', 10], ['update', 160, 1, 'a', 10]],
    windows: ['0 diverged/parity; mismatch 1 S0 T0 v; duplicate 1 S0 T1'], exit: 1,
  },
  '11 beyond the horizon the image is compared with the application alone': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'x', 10], ['update', 4500, 1, 'a', 10], ['update', 5500, 1, 'x', 10]],
    windows: ['0 diverged/diverged; mismatch 1 S0 T0 v', '4000 diverged/parity; unexpected 1 T1; resolved 1 by 0', '5000 diverged/diverged; duplicate 1 S0 T2'], exit: 1,
  },
  '§5 applied after a later change is reordered, once, and names the earlier source change': {
    source: [['create', 100, 1, 'a'], ['update', 200, 1, 'b']], target: [['create', 300, 1, 'b', 20], ['update', 310, 1, 'a', 10]],
    windows: ['0 diverged/diverged; reordered 1 S0 T1'], exit: 1,
  },
  '§5 a witness: the later change belongs to the next window': {
    source: [['create', 900, 1, 'a'], ['update', 1100, 1, 'b']], target: [['create', 1300, 1, 'b', 20], ['update', 1310, 1, 'a', 10]],
    windows: ['0 diverged/parity; reordered 1 S0 T1', '1000 parity/diverged'], exit: 1,
  },
  '§5 a retired application stays visible: the later change had the earlier window': {
    source: [['create', 1100, 1, 'a'], ['update', 950, 1, 'b']], target: [['create', 1300, 1, 'b', 20], ['update', 1310, 1, 'a', 10]], window: { skew: 200 },
    windows: ['0 parity/parity', '1000 diverged/diverged; reordered 1 S0 T1'], exit: 1,
  },
  '§2 order is by position, not by time: an inversion in order is clean': {
    source: [['create', 400, 1, 'a'], ['update', 300, 1, 'b']], target: [['create', 500, 1, 'a', 10], ['update', 510, 1, 'b', 20]], window: { skew: 200 },
    windows: ['0 parity/parity'], exit: 0,
  },
  '6 the position is (sequence, lsn): a row with the lower lsn may be the later one': {
    source: [['create', 100, 1, 'a', null, { seq: 1, lsn: 50 }], ['update', 200, 1, 'b', null, { seq: 60, lsn: 40 }]],
    target: [['create', 300, 1, 'a', 50], ['update', 310, 1, 'b', 40]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '10 an insert with a null origin is unexpected; an open divergence until it is gone': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'a', 10], ['create', 200, 2, 'z', null]],
    windows: ['0 diverged/diverged; unexpected 2 T1'], exit: 1,
  },
  '10 an origin that the source has for another key is foreign': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'a', 10], ['create', 200, 2, 'a', 10]],
    windows: ['0 diverged/diverged; unexpected 2 T1'], exit: 1,
  },
  '8 a delete belongs to the first source delete after the origin it removed': {
    source: [['create', 100, 1, 'a'], ['delete', 200, 1], ['create', 300, 1, 'a'], ['delete', 400, 1]],
    target: [['create', 500, 1, 'a', 10], ['update', 600, 1, 'a', 30], ['delete', 700, 1, 'a', 30]],
    windows: ['0 diverged/parity; missing 1 S1'], exit: 1,
  },
  '8 a source delete more than the skew after the target delete is not its cause': {
    source: [['create', 100, 1, 'a'], ['delete', 800, 1]], target: [['create', 150, 1, 'a', 10], ['delete', 300, 1, 'a', 10]], window: { skew: 400 },
    windows: ['0 diverged/parity; missing 1 S1; unexpected 1 T1'], exit: 1,
  },
  '8 within the skew it is, though the target clock is behind': {
    source: [['create', 100, 1, 'a'], ['delete', 700, 1]], target: [['create', 150, 1, 'a', 10], ['delete', 300, 1, 'a', 10]], window: { skew: 400 },
    windows: ['0 parity/parity'], exit: 0,
  },
  '8 without an image the n-th delete goes with the n-th': {
    source: [['create', 100, 1, 'a'], ['delete', 200, 1], ['create', 300, 1, 'b'], ['delete', 400, 1]],
    target: [['create', 500, 1, 'a', 10], ['delete', 600, 1, '', 0], ['create', 700, 1, 'b', 30], ['delete', 800, 1, '', null]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '8 a delete on the target alone is unexpected': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'a', 10], ['delete', 300, 1, 'a', 10]],
    windows: ['0 diverged/diverged; unexpected 1 T1'], exit: 1,
  },
  '12 late_applied amends the window of the source change; the other window only changes its state': {
    source: [['create', 100, 1, 'a'], ['create', 3100, 2, 'k']], target: [['create', 3200, 1, 'a', 10], ['create', 3300, 2, 'k', 20]],
    windows: ['0 diverged/diverged amended; missing 1 S0; late_applied 1 S0 T0', '3000 parity/parity; resolved 1 by 0'], exit: 1,
  },
  '12 late_applied with another image has columns, and what follows goes by ruling 11': {
    source: [['create', 100, 1, 'a']], target: [['create', 3200, 1, 'x', 10], ['update', 3300, 1, 'x', 10], ['update', 3400, 1, 'a', 10]],
    windows: ['0 diverged/diverged amended; missing 1 S0; late_applied 1 S0 T0 v', '3000 diverged/parity; unexpected 1 T2; duplicate 1 S0 T1; resolved 1 by 0'], exit: 1,
  },
  '13 applied before it can be known: unexpected there, missing here with that change as target': {
    source: [['create', 100, 2, 'k'], ['create', 4100, 1, 'a']], target: [['create', 150, 2, 'k', 10], ['create', 300, 1, 'a', 20]],
    windows: ['0 diverged/diverged; unexpected 1 T1', '4000 diverged/parity; missing 1 S1 T1; resolved 1 by 0'], exit: 1,
  },
  '14 the load of a read row is excluded; until then its key is open': {
    source: [['read', 100, 1, 'a'], ['create', 200, 2, 'k']], target: [['create', 300, 2, 'k', 20], ['create', 1200, 1, 'a', 10]],
    windows: ['0 parity/diverged', '1000 parity/parity; resolved 1'], exit: 0,
  },
  '14 a load that differs is a mismatch, in the window of its own commit time': {
    source: [['read', 100, 1, 'a']], target: [['create', 1200, 1, 'x', 10]],
    windows: ['1000 diverged/diverged; mismatch 1 S0 T0 v'], exit: 1,
  },
  '14 a load again is duplicate, with another image unexpected': {
    source: [['read', 100, 1, 'a']], target: [['create', 200, 1, 'a', 10], ['update', 1200, 1, 'a', 10], ['update', 2200, 1, 'z', 10]],
    windows: ['0 parity/parity', '1000 diverged/parity; duplicate 1 S0 T1', '2000 diverged/diverged; unexpected 1 T2'], exit: 1,
  },
  '15 a truncate is a delete per key that has a row, on both sides': {
    source: [['create', 100, 1, 'a'], ['create', 110, 2, 'b'], ['delete', 120, 2], ['create', 130, 3, 'c'], ['truncate', 200, null]],
    target: [['create', 300, 1, 'a', 10], ['create', 310, 2, 'b', 20], ['delete', 320, 2, 'b', 20], ['create', 330, 3, 'c', 40], ['truncate', 400, null]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '15 a row on the wrong side of the truncate: its delete is missing, the state diverged': {
    source: [['create', 100, 1, 'a'], ['truncate', 200, null]], target: [['truncate', 300, null], ['create', 400, 1, 'a', 10]],
    windows: ['0 diverged/diverged; missing 1 S1'], exit: 1,
  },
  '17 an application of a later change does not count yet': {
    source: [['create', 100, 1, 'a'], ['update', 1100, 1, 'b']], target: [['create', 150, 1, 'a', 10], ['update', 1150, 1, 'b', 20]],
    windows: ['0 parity/parity', '1000 parity/parity'], exit: 0,
  },
  '17 a stale replay counts from the window of its own commit time on': {
    source: [['create', 100, 1, 'a'], ['update', 200, 1, 'b']], target: [['create', 150, 1, 'a', 10], ['update', 250, 1, 'b', 20], ['update', 5150, 1, 'a', 10]],
    windows: ['0 parity/parity', '5000 diverged/diverged; duplicate 1 S0 T2'], exit: 1,
  },
  '2 closed by evidence: source to W + L + skew, target to W + L; what is above stays open': {
    source: [['create', 100, 1, 'a'], ['create', 3500, 2, 'b']], target: [['create', 150, 1, 'a', 10], ['create', 3000, 3, 'z', null]], window: { skew: 500 }, complete: false,
    windows: ['0 parity/parity'], exit: 0, open: 1,
  },
  '1 no window with an event closed: inconclusive': {
    source: [['create', 100, 1, 'a'], ['create', 3499, 2, 'b']], target: [['create', 150, 1, 'a', 10], ['create', 3000, 2, 'b', 20]], window: { skew: 500 }, complete: false,
    windows: [], exit: 3, open: 2,
  },
  '3 a side without records holds every window; --complete closes them': {
    source: [['create', 100, 1, 'a']], target: [], windows: ['0 diverged/diverged; missing 1 S0'], exit: 1,
  },
  '2, 22, 23 below the decision a record is late, its repeat redelivered, and no verdict sees it': {
    source: [['create', 100, 1, 'a'], ['create', 3000, 2, 'k'], ['create', 200, 3, 'l'], ['create', 200, 3, 'l', null, { lsn: 30 }]], target: [['create', 150, 1, 'a', 10], ['create', 3000, 2, 'k', 20]],
    windows: ['0 parity/parity', '3000 parity/parity'], exit: 3, letters: ['source 2 late'],
  },
  '2 late is judged by the record before it: the one that moves the claim is in time': {
    source: [['create', 100, 1, 'a'], ['create', 2999, 2, 'k'], ['create', 200, 3, 'l'], ['create', 3000, 4, 'm']],
    target: [['create', 150, 1, 'a', 10], ['create', 250, 3, 'l', 30], ['create', 2999, 2, 'k', 20], ['create', 3000, 4, 'm', 40]],
    windows: ['0 parity/parity', '2000 parity/parity', '3000 parity/parity'], exit: 0,
  },
  '22 the same identity at a new offset is redelivered': {
    source: [['create', 100, 1, 'a'], ['create', 100, 1, 'a', null, { lsn: 10 }]], target: [['create', 150, 1, 'a', 10]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '23 an unreadable record makes the window of the record before it undecidable': {
    source: [['create', 100, 1, 'a'], ['create', 1100, 2, 'b'], 'garbage'], target: [['create', 150, 1, 'a', 10], ['create', 1150, 2, 'b', 20]],
    windows: ['0 parity/parity', '1000 undecidable/unknown'], exit: 3, letters: ['source 2 malformed'],
  },
  '23 with none before it, the window of the least commit time; findings come first': {
    source: [['create', 100, 1, 'a'], ['create', 1100, 2, 'b']], target: ['garbage', ['create', 1150, 2, 'b', 20], ['create', 150, 1, 'x', 10]],
    windows: ['0 diverged/diverged; mismatch 1 S0 T2 v', '1000 parity/diverged'], exit: 1, letters: ['target 0 malformed'],
  },
  '21 tombstones are excluded': {
    source: [['create', 100, 1, 'a'], ['delete', 200, 1], 'tombstone'], target: [['create', 150, 1, 'a', 10], ['delete', 250, 1, 'a', 10], 'tombstone'],
    windows: ['0 parity/parity'], exit: 0,
  },
  '8 version mode: the origin of a delete is the version it removed, and order stays by position': {
    matchBy: 'version', source: [['create', 100, 1, 'a', 7], ['update', 200, 1, 'b', 3], ['delete', 300, 1, 'b', 3], ['create', 400, 1, 'c', 5]],
    target: [['create', 500, 1, 'a', 7], ['update', 510, 1, 'b', 3], ['delete', 520, 1, 'b', 3], ['create', 530, 1, 'c', 5]],
    windows: ['0 parity/parity'], exit: 0,
  },
  '13 a later change beyond the evidence, applied ahead of its time and before this one, has not overtaken it': {
    source: [['create', 100, 1, 'a'], ['update', 3100, 1, 'b']], target: [['create', 1500, 1, 'b', 20], ['update', 1700, 1, 'a', 10], ['create', 9000, 2, 'z', null]],
    windows: ['0 parity/parity', '3000 parity/diverged', '9000 diverged/diverged; unexpected 2 T2'], exit: 1,
  },
  '20 resolved names the last finding of the key when the two parted': {
    source: [['create', 100, 1, 'a'], ['update', 1100, 1, 'b'], ['update', 3100, 1, 'c']],
    target: [['create', 150, 1, 'x', 10], ['update', 1150, 1, 'y', 20], ['update', 3150, 1, 'c', 30]],
    windows: ['0 diverged/diverged; mismatch 1 S0 T0 v', '1000 diverged/diverged; mismatch 1 S1 T1 v', '3000 parity/parity; resolved 1 by 0'], exit: 1,
  },
  '13 within the evidence of its own window a source change is known, though it comes later by less than lag and skew': {
    source: [['create', 3200, 1, 'a']], target: [['create', 100, 1, 'a', 10]], window: { skew: 500 },
    windows: ['3000 parity/parity'], exit: 0,
  },
  '2 an application below the horizon, but behind what had been read: late_applied': {
    source: [['create', 100, 1, 'a'], ['create', 6000, 2, 'k']], target: [['create', 3000, 3, 'z', null], ['create', 1500, 1, 'a', 10], ['create', 6000, 2, 'k', 20]],
    windows: ['0 diverged/diverged amended; missing 1 S0; late_applied 1 S0 T1', '1000 parity/parity; resolved 1 by 0', '3000 diverged/diverged; unexpected 3 T0', '6000 parity/diverged'], exit: 1,
  },
  '2 a source change behind what had been read is not known to an earlier window': {
    source: [['create', 3000, 2, 'k'], ['create', 1200, 1, 'a'], ['create', 6000, 3, 'l']],
    target: [['create', 900, 1, 'a', 20], ['create', 3000, 2, 'k', 10], ['create', 6000, 3, 'l', 30]],
    windows: ['0 diverged/diverged; unexpected 1 T0', '1000 diverged/parity; missing 1 S1 T0; resolved 1 by 0', '3000 parity/parity', '6000 parity/parity'], exit: 1,
  },
  '14 the repeat of a bad load that equals the read row is duplicate': {
    source: [['read', 100, 1, 'a']], target: [['create', 200, 1, 'x', 10], ['update', 1200, 1, 'a', 10]],
    windows: ['0 diverged/diverged; mismatch 1 S0 T0 v', '1000 diverged/parity; duplicate 1 S0 T1; resolved 1 by 0'], exit: 1,
  },
  '1, 14 a read row that was never loaded: no finding, but the last closed window is diverged': {
    source: [['create', 100, 2, 'k'], ['read', 100, 1, 'a']], target: [['create', 150, 2, 'k', 10]],
    windows: ['0 parity/diverged'], exit: 1,
  },
  '1 read rows open no window': {
    source: [['create', 100, 1, 'a'], ['create', 2500, 2, 'b'], ['read', 5100, 9, 'r']], target: [['create', 150, 1, 'a', 10], ['create', 3000, 2, 'b', 20]], complete: false,
    windows: ['0 parity/parity'], exit: 0, open: 2,
  },
  '23 unreadable behind what had been read when its window closed: no verdict given is changed': {
    source: [['create', 100, 1, 'a'], ['create', 3000, 2, 'k'], ['create', 100, 1, 'a', null, { lsn: 10 }], 'garbage'], target: [['create', 150, 1, 'a', 10], ['create', 3000, 2, 'k', 20]],
    windows: ['0 parity/parity', '3000 parity/parity'], exit: 3, letters: ['source 3 malformed'],
  },
  '15 after a truncate there are no rows: the next one is excluded; a row that a target truncate removes has the origin of its version': {
    source: [['create', 100, 1, 'a'], ['delete', 200, 1], ['create', 300, 1, 'b'], ['truncate', 400, null], ['truncate', 500, null]],
    target: [['create', 610, 1, 'a', 10], ['update', 620, 1, 'b', 30], ['truncate', 630, null], ['truncate', 640, null]],
    windows: ['0 diverged/parity; missing 1 S1'], exit: 1,
  },
  '4 a key that one side never had is the absent row there: an insert and its delete leave nothing open': {
    source: [['create', 100, 1, 'a']], target: [['create', 150, 1, 'a', 10], ['create', 200, 2, 'z', null], ['delete', 300, 2, 'z', null]],
    windows: ['0 diverged/parity; unexpected 2 T1; unexpected 2 T2'], exit: 1,
  },
  '2 a record at the end of a closed window is the next one\'s, and in time': {
    source: [['create', 100, 1, 'a'], ['create', 3000, 2, 'k'], ['create', 1000, 3, 'l'], ['create', 9000, 4, 'm']],
    target: [['create', 150, 1, 'a', 10], ['create', 1100, 3, 'l', 30], ['create', 3000, 2, 'k', 20], ['create', 9000, 4, 'm', 40]],
    windows: ['0 parity/parity', '1000 parity/parity', '3000 parity/parity', '9000 parity/parity'], exit: 0,
  },
  '8, 13 what a delete applies is told by the evidence of its own window: what it names comes into sight too late': {
    source: [['create', 100, 1, 'a'], ['delete', 1300, 1], ['create', 3600, 1, 'b']],
    target: [['create', 150, 1, 'a', 10], ['update', 800, 1, 'b', 30], ['delete', 900, 1, 'b', 30]], window: { skew: 500 },
    windows: ['0 diverged/diverged; unexpected 1 T1', '1000 parity/parity; resolved 1 by 0', '3000 diverged/diverged; missing 1 S2 T1'], exit: 1,
  },
  '8 without an image only a delete that can be the cause counts: not one long after': {
    source: [['create', 100, 1, 'a'], ['delete', 2500, 1]], target: [['create', 150, 1, 'a', 10], ['delete', 300, 1, '', null]],
    windows: ['0 diverged/diverged; unexpected 1 T1', '2000 diverged/parity; missing 1 S1; resolved 1 by 0'], exit: 1,
  },
};
