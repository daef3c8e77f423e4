// What the ENDs of a side's transactions count, held against the changes of the pair's table that were read: fewer read than counted, and
// the stream has a hole (semantics.md §7, §13). Judged when the window of the END's commit time closes; what it is then known by heart is
// the whole of the transaction, for its rows were written before its END.
//
// A row may lie in an earlier window than its END (MySQL and MariaDB give it the time of its statement), so rows are counted as their windows
// close, and kept until the END is. Counter-example to counting the END's own window: a transaction of a minute, short in every one.
//
// A change also says itself which of its transaction and table it is (`data_collection_order`). So a hole before a change that was read is told by
// the window of that change, whether or not there is an END; what is lost behind the last one, only an END can tell.
import { SIDES, type ChangeEvent } from '../schemas/change-event.ts';
import { transactionsOpenMax } from '../schemas/limits.ts';
import { sideOf } from '../schemas/pair.ts';
import { countOfTable, groupLength, type TransactionEnd } from '../schemas/transaction-end.ts';
import type { PartitionClaim } from './claims.ts';
import type { Shard } from './shard.ts';
import { reportHole, reportShort, type LastRow } from './transaction-gaps.ts';
import { eachRow } from './transaction-rows.ts';

/** An END whose window is not closed. `timeUs`: its commit time, microseconds. */
export interface CountedEnd {
  readonly id: string;
  readonly timeUs: number;
  readonly counted: number;
  readonly table: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** A record that could not be read, in a partition by its place; changes of any transaction that ended near it may have been in it. */
interface Unread { readonly partition: number; readonly fromUs: number | null; toUs: number | null }

interface SideCounts {
  readonly ends: Map<string, CountedEnd>;
  /** Changes read of transactions without an END so far, in closed windows or late. Infinity: some of them may lie before the start. */
  readonly read: Map<string, number>;
  unread: Unread[];
  /** More transactions were open than are kept: this side's counts tell nothing any more. */
  lostTrack: boolean;
}

export interface TransactionCounts {
  /** The END is copied. `at`: its record. A connector that was restarted sends ENDs again. */
  takeEnd(side: number, end: TransactionEnd, at: { readonly topic: string; readonly partition: number; readonly offset: number }): void;
  /** A change that came when its window was closed: it was read all the same. */
  takeLate(side: number, event: ChangeEvent): void;
  /** `partition`: the place of its claim. */
  takeUnread(partition: number): void;
  /** Before windows up to that time close. `declared`: it is not evidence that closes them. Gaps go to the first shard. */
  settle(upToUs: number, declared: boolean): void;
  /** The durable form of what changed since the last call; undefined: gone. */
  takeChanges(): Map<string, Buffer | undefined>;
  restore(entries: Iterable<readonly [key: string, value: Buffer]>): void;
}

const REST = 'rest';

export function createTransactionCounts(shards: readonly Shard[], claims: readonly PartitionClaim[]): TransactionCounts {
  const [{ settings }] = shards;
  const { latenessUs, sizeUs } = settings.window;
  const counts = SIDES.map(side => (sideOf(settings, side).transactions === undefined ? undefined : createSideCounts()));
  const stored = new Set<string>();
  const changed = new Set<string>();
  let restBefore = '';

  function settleSide(of: SideCounts, side: number, upToUs: number, declared: boolean): void {
    for (const spot of of.unread) if (spot.toUs === null && claims[spot.partition].lastTimeUs !== spot.fromUs) spot.toUs = endOf(claims[spot.partition]);
    const own = claims.filter(claim => claim.side === side);
    // Before the first row there was another log; a capture of rows may end before that of the ENDs.
    const fromUs = Math.max(Math.min(...own.map(claim => claim.minTimeUs)), shards[0].warmUpUntilUs);
    const toUs = declared ? Math.max(...own.map(claim => claim.maxTimeUs)) : Infinity;
    const isJudged = (timeUs: number): boolean => timeUs >= fromUs && timeUs <= toUs && !of.lostTrack && !isBlind(of, timeUs);
    // In their order, so that the first window that shows a hole tells of it, however many close at once.
    for (const window of windowsBelow(upToUs)) judgeOrders(of, side, foldWindow(of, side, window), isJudged);
    judgeEnds(of, side, upToUs, isJudged);
    of.unread = of.unread.filter(spot => spot.toUs === null || spot.toUs + latenessUs >= upToUs);
  }

  function windowsBelow(upToUs: number): number[] {
    const windows = new Set(shards.flatMap(({ slots }) => [...slots.windows()]));
    return [...windows].filter(window => window * sizeUs >= shards[0].closedUpToUs && (window + 1) * sizeUs <= upToUs).sort((a, b) => a - b);
  }

  /** Adds the window's rows to what was read, and gives of each transaction the row with the greatest order, where that is not the first. */
  function foldWindow(of: SideCounts, side: number, window: number): Map<string, LastRow> {
    const lasts = new Map<string, LastRow>();
    for (const shard of shards) {
      const isWarmUp = window * sizeUs < shard.warmUpUntilUs;
      countWindow(shard, window, side, (group, by, slot) => {
        add(of, group, isWarmUp ? Infinity : by);
        const order = shard.slots.tableOrder[slot];
        if (order > 1 && order > (lasts.get(group)?.order ?? 0)) lasts.set(group, { shard, slot, order });
      });
    }
    return lasts;
  }

  /** What a connector numbers n is the n-th: with fewer read, one before it is lost. What is told once is not told by its END too. */
  function judgeOrders(of: SideCounts, side: number, lasts: ReadonlyMap<string, LastRow>, isJudged: (timeUs: number) => boolean): void {
    const open = new Map([...lasts].filter(([group, { shard, slot, order }]) => (of.read.get(group) ?? 0) < order && isJudged(shard.slots.time[slot])));
    if (open.size === 0) return;
    const live = countLive(side, group => open.get(group)?.order ?? 0);
    for (const [group, last] of open) {
      const read = Math.max(of.read.get(group) ?? 0, live.get(group) ?? 0);
      if (read >= last.order) continue;
      of.read.set(group, Infinity);
      reportHole(shards[0], side, last, group, read);
    }
  }

  function judgeEnds(of: SideCounts, side: number, upToUs: number, isJudged: (timeUs: number) => boolean): void {
    const short = new Map<string, CountedEnd>();
    for (const [group, end] of of.ends) {
      if (end.timeUs >= upToUs) continue;
      of.ends.delete(group);
      changed.add(`${side}/${group}`);
      if (isJudged(end.timeUs) && (of.read.get(group) ?? 0) < end.counted) short.set(group, end);
      else of.read.delete(group);
    }
    if (short.size === 0) return;
    const live = countLive(side, group => (short.has(group) ? Infinity : 0));
    for (const [group, end] of short) {
      const read = Math.max(of.read.get(group) ?? 0, live.get(group) ?? 0);
      of.read.delete(group);
      if (read < end.counted) reportShort(shards[0], side, end, read);
    }
  }

  /** Of transactions that seem short, the live rows up to an order. A clock that was set back, or a truncate, is found among those only; few are short, so that one look does. */
  function countLive(side: number, upTo: (group: string) => number): Map<string, number> {
    const live = new Map<string, number>();
    shards.forEach((shard, i) => {
      for (const window of shard.slots.windows()) {
        eachRow(shard, window, side, i === 0, (group, slot) => { if (shard.slots.tableOrder[slot] <= upTo(group)) live.set(group, (live.get(group) ?? 0) + 1); });
      }
    });
    return live;
  }

  /** A record that was not read lies between the commit times of those before and after it in its partition, give or take the lateness. */
  function isBlind(of: SideCounts, timeUs: number): boolean {
    return of.unread.some(({ fromUs, toUs }) => (fromUs === null || timeUs >= fromUs - latenessUs) && (toUs === null || timeUs <= toUs + latenessUs));
  }

  return {
    takeEnd(side, end, { topic, partition, offset }) {
      const of = counts[side];
      const own = countOfTable(end, sideOf(settings, SIDES[side]).topic);
      if (of === undefined || own === undefined || !(own.eventCount > 0) || Number.isNaN(end.commitTimeUs) || end.commitTimeUs < shards[0].closedUpToUs) return;
      const group = groupOf(end.id);
      const known = of.ends.get(group);
      if (known !== undefined && known.counted <= own.eventCount) return;
      of.ends.set(group, { id: end.id, timeUs: end.commitTimeUs, counted: own.eventCount, table: own.name, topic, partition, offset });
      changed.add(`${side}/${group}`);
    },
    takeLate(side, { bytes, keyLength, originLength, transactionLength }) {
      const at = keyLength + originLength;
      const of = counts[side];
      if (of !== undefined && transactionLength > 0) add(of, bytes.toString('latin1', at, at + groupLength(bytes, at, at + transactionLength)), 1);
    },
    takeUnread(partition) {
      const { side, lastTimeUs } = claims[partition];
      counts[side]?.unread.push({ partition, fromUs: Number.isNaN(lastTimeUs) ? null : lastTimeUs, toUs: null });
    },
    settle(upToUs, declared) {
      counts.forEach((of, side) => { if (of !== undefined) settleSide(of, side, upToUs, declared); });
    },
    takeChanges() {
      const changes = new Map<string, Buffer | undefined>();
      for (const key of changed) {
        const end = counts[Number(key[0])]?.ends.get(key.slice(2));
        if (end !== undefined) changes.set(key, Buffer.from(JSON.stringify(end)));
        else if (stored.has(key)) changes.set(key, undefined);
        if (end !== undefined) stored.add(key);
        else stored.delete(key);
      }
      changed.clear();
      const rest = JSON.stringify(counts.map(of => (of === undefined ? null : { read: [...of.read], unread: of.unread, lostTrack: of.lostTrack })));
      if (rest !== restBefore) changes.set(REST, Buffer.from(restBefore = rest));
      return changes;
    },
    restore(entries) {
      for (const [key, value] of entries) {
        if (key !== REST) counts[Number(key[0])]?.ends.set(key.slice(2), JSON.parse(value.toString('utf8')) as CountedEnd);
        else restoreRest(counts, value);
        stored.add(key);
      }
    },
  };
}

function createSideCounts(): SideCounts {
  return { ends: new Map(), read: new Map(), unread: [], lostTrack: false };
}

function restoreRest(counts: readonly (SideCounts | undefined)[], value: Buffer): void {
  const rest = JSON.parse(value.toString('utf8')) as readonly ({ read: [string, number | null][]; unread: Unread[]; lostTrack: boolean } | null)[];
  rest.forEach((side, i) => {
    const of = counts[i];
    if (of === undefined || side === null) return;
    for (const [group, read] of side.read) of.read.set(group, read ?? Infinity);
    of.unread = side.unread;
    of.lostTrack = side.lostTrack;
  });
}

function add(of: SideCounts, group: string, by: number): void {
  if (of.lostTrack) return;
  of.read.set(group, (of.read.get(group) ?? 0) + by);
  if (of.read.size <= transactionsOpenMax) return;
  of.lostTrack = true;
  of.read.clear();
}

/** Tells how many changes of a window each transaction has, in runs of rows that follow each other, and of each run the row with the greatest order. */
function countWindow(shard: Shard, window: number, side: number, tell: (group: string, by: number, last: number) => void): void {
  const { tableOrder } = shard.slots;
  let group = '';
  let run = 0;
  let last = -1;
  eachRow(shard, window, side, false, (transaction, slot) => {
    if (run > 0 && transaction !== group) {
      tell(group, run, last);
      run = 0;
    }
    if (run === 0 || tableOrder[slot] > tableOrder[last]) last = slot;
    group = transaction;
    run++;
  });
  if (run > 0) tell(group, run, last);
}

function groupOf(id: string): string {
  const bytes = Buffer.from(id);
  return bytes.toString('latin1', 0, groupLength(bytes, 0, bytes.length));
}

function endOf(claim: PartitionClaim): number | null {
  return Number.isFinite(claim.maxTimeUs) ? claim.maxTimeUs : null;
}
