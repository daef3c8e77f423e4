// What is remembered of closed windows. Blobs, written once per window and never changed: the identities of its events (is a record below
// the closed frontier a redelivery?) and the versions of its source changes (was this origin applied? what was the row before?). A record
// and a put per event would cost more than everything else together. Only findings look back, and then through a summary per window: the
// least and greatest origin, and a small filter over the keys.
//
// Bytes per event: 16 for the identity, and per source change about 68 with a PostgreSQL position, and its key and origin.
import { OP, POSITION_BYTES } from '../schemas/change-event.ts';
import type { SlotStore } from '../stores/slot-store.ts';
import { historySummaryBytesMax } from '../schemas/limits.ts';
import { ownBytes } from '../schemas/own-bytes.ts';
import { EntryList } from './entry-list.ts';
import { hashBytes, IDENTITY_BYTES } from './hash.ts';
import { buildFilter, compareOrigins, createOriginRange, mayHold, packSummary, unpackSummary, type Summary } from './history-summary.ts';
import type { KeyValueStore } from './key-value.ts';
import { comparePast, createVersionWriter, greatestPositionIn, readVersions, type PastVersion } from './past-version.ts';
import { compareWords, greaterPosition } from './position.ts';

export interface History {
  /** Adds an identity for the caller to write (hash.ts) into `identityBuffer` of the side; answers where. */
  addIdentity(side: number): number;
  identityBuffer(side: number): Buffer;
  /** The version of `slot`, under the key and origin of `head` (the slot itself, or an alias of it). */
  addVersion(slots: SlotStore, slot: number, head: number, applied: boolean, appliedPrint: Int32Array, appliedAt: number, window: number): void;
  /** Writes what was added as the window's blobs. */
  seal(window: number): void;
  seen(side: number, window: number, identity: Buffer): boolean;
  /** A late record's identity is remembered too (ruling 22). */
  addLate(side: number, window: number, identity: Buffer): void;
  /** The version of a key with that origin, or undefined. Never a delete: no row carries the origin of one. */
  find(key: Buffer, origin: Buffer): PastVersion | undefined;
  /** The versions of a key in closed windows, newest first. */
  of(key: Buffer): readonly PastVersion[];
  /**
   * Those of them whose position is greater. Only the windows from that position on are looked at: logs are mostly in the order of their commit
   * times. Counter-example to `of`: the most used row of a table has a finding, and each of its deletes reads all that was ever made of it.
   */
  after(key: Buffer, position: Uint32Array): readonly PastVersion[];
  /** Every key with its newest version: for a truncate, which speaks of all rows. */
  newest(): Map<string, PastVersion>;
  /** Forgets the windows that end at or before that time, where it does not remember for ever. */
  expire(beforeUs: number): void;
  /** It has forgotten something: a key that it does not know may have had a row. */
  readonly forgetful: boolean;
}

const PREFIX = { summary: 0x66, versions: 0x76, identities: 0x69, late: 0x6c, window: 0x77, forgotten: 0x65 } as const;
const FORGOTTEN = Buffer.of(PREFIX.forgotten);
const EMPTY = Buffer.alloc(0);
/** A blob of none. */
const NO_VERSIONS = Buffer.alloc(4);

/** `expires`: what is old is forgotten, which takes an index of the windows there are. */
export function createHistory(store: KeyValueStore, windowUs: number, expires = false): History {
  const identities = [new EntryList(IDENTITY_BYTES), new EntryList(IDENTITY_BYTES)];
  const versions = createVersionWriter();
  const range = createOriginRange();
  const summaries: Summary[] = readSummaries(store);
  /** Windows that have blobs, in order; kept only where they are forgotten in time. */
  const sealed: number[] = expires ? [...store.range(Buffer.of(PREFIX.window), Buffer.of(PREFIX.window + 1))].map(([at]) => windowOf(at)) : [];
  let forgetful = store.get(FORGOTTEN) !== undefined;
  /** Of the windows whose summaries are no longer in memory: the greatest position. */
  let passed: Uint32Array = new Uint32Array(POSITION_BYTES / 4);
  let summaryBytes = summaries.reduce((sum, summary) => sum + summary.sizeBytes, 0);

  function addVersion(slots: SlotStore, slot: number, head: number, applied: boolean, appliedPrint: Int32Array, appliedAt: number, window: number): void {
    versions.add(slots, slot, head, applied, appliedPrint, appliedAt, window * windowUs);
    range.add(slots.heads.pages[slots.headPage[head]], slots.headAt[head] + slots.keyLength[head], slots.originLength[head]);
  }

  function seal(window: number): void {
    if (expires && identities[0].count + identities[1].count + versions.hashes().length > 0) {
      sealed.push(window);
      store.put(windowKey(PREFIX.window, window), EMPTY);
    }
    for (const side of [0, 1]) {
      if (identities[side].count > 0) store.put(windowKey(PREFIX.identities, window, side), identities[side].take());
    }
    if (versions.hashes().length === 0) return;
    const { least, greatest } = range.take();
    const bytes = packSummary(least, greatest, buildFilter(versions.hashes()));
    store.put(windowKey(PREFIX.summary, window), bytes);
    const reach = summaries.length === 0 ? passed : summaries[summaries.length - 1].reach;
    summaries.push({ ...unpackSummary(window, bytes), reach: reach === undefined ? undefined : greaterPosition(reach, versions.greatest) });
    store.put(windowKey(PREFIX.versions, window), versions.take());
    summaryBytes += bytes.length;
    while (summaryBytes > historySummaryBytesMax) {
      passed = reachOf(0);
      summaryBytes -= (summaries.shift() as Summary).sizeBytes;
    }
  }

  function seen(side: number, window: number, identity: Buffer): boolean {
    const blob = store.get(windowKey(PREFIX.identities, window, side));
    if (blob !== undefined) {
      for (let at = 0; at < blob.length; at += IDENTITY_BYTES) {
        if (blob.compare(identity, 0, IDENTITY_BYTES, at, at + IDENTITY_BYTES) === 0) return true;
      }
    }
    return store.get(Buffer.concat([windowKey(PREFIX.late, window, side), identity])) !== undefined;
  }

  /** Newest window first: those in memory, then those that no longer fit into it. */
  function* windows(): Generator<Summary> {
    for (let i = summaries.length - 1; i >= 0; i--) yield summaries[i];
    yield* olderWindows();
  }

  function* olderWindows(): Generator<Summary> {
    if (summaries.length === 0) return;
    const older = [...store.range(Buffer.from([PREFIX.summary]), windowKey(PREFIX.summary, summaries[0].window))];
    for (let i = older.length - 1; i >= 0; i--) yield unpackSummary(windowOf(older[i][0]), older[i][1]);
  }

  function* windowsAfter(position: Uint32Array): Generator<Summary> {
    for (let i = summaries.length - 1; i >= 0; i--) {
      if (compareWords(reachOf(i), 0, position, 0) <= 0) return;
      yield summaries[i];
    }
    if (compareWords(passed, 0, position, 0) > 0) yield* olderWindows();
  }

  function reachOf(index: number): Uint32Array {
    let known = index;
    while (known >= 0 && summaries[known].reach === undefined) known--;
    let reach = known < 0 ? passed : summaries[known].reach as Uint32Array;
    for (let i = known + 1; i <= index; i++) {
      reach = greaterPosition(reach, greatestPositionIn(store.get(windowKey(PREFIX.versions, summaries[i].window)) ?? NO_VERSIONS));
      summaries[i].reach = reach;
    }
    return reach;
  }

  function inWindow(window: number, hash: number | undefined): PastVersion[] {
    const blob = store.get(windowKey(PREFIX.versions, window));
    return blob === undefined ? [] : readVersions(blob, hash, window, window * windowUs);
  }

  function find(key: Buffer, origin: Buffer): PastVersion | undefined {
    const hash = hashBytes(key, 0, key.length, 0);
    for (const summary of windows()) {
      if (compareOrigins(origin, 0, origin.length, summary.least) < 0 || compareOrigins(origin, 0, origin.length, summary.greatest) > 0) continue;
      if (!mayHold(summary.filter, hash)) continue;
      const found = inWindow(summary.window, hash).find(version => version.op !== OP.delete && version.key.equals(key) && version.origin.equals(origin));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function versionsIn(windowsToRead: Iterable<Summary>, key: Buffer): PastVersion[] {
    const hash = hashBytes(key, 0, key.length, 0);
    const found: PastVersion[] = [];
    for (const { window, filter } of windowsToRead) {
      if (mayHold(filter, hash)) found.push(...inWindow(window, hash).filter(version => version.key.equals(key)));
    }
    return found.sort((a, b) => comparePast(b, a));
  }

  function newest(): Map<string, PastVersion> {
    const rows = new Map<string, PastVersion>();
    for (const { window } of windows()) {
      for (const version of inWindow(window, undefined)) {
        const name = version.key.toString('latin1');
        const known = rows.get(name);
        if (known === undefined || comparePast(known, version) < 0) rows.set(name, version);
      }
    }
    return rows;
  }

  function expire(beforeUs: number): void {
    if (!expires) return;
    const end = Math.floor(beforeUs / windowUs);
    while (sealed.length > 0 && sealed[0] < end) forgetWindow(sealed.shift() as number);
    if (!forgetful) return;
    // A record that was very late is remembered in a window that was forgotten before it came.
    for (const [at] of [...store.range(Buffer.of(PREFIX.late), windowKey(PREFIX.late, end))]) store.delete(at);
  }

  function forgetWindow(window: number): void {
    if (!forgetful) store.put(FORGOTTEN, EMPTY);
    forgetful = true;
    for (const side of [0, 1]) store.delete(windowKey(PREFIX.identities, window, side), true);
    for (const prefix of [PREFIX.summary, PREFIX.versions, PREFIX.window]) store.delete(windowKey(prefix, window), true);
    while (summaries.length > 0 && summaries[0].window <= window) summaryBytes -= (summaries.shift() as Summary).sizeBytes;
  }

  return {
    get forgetful() {
      return forgetful;
    },
    expire,
    addIdentity: side => identities[side].extend(),
    identityBuffer: side => identities[side].buffer,
    addVersion, seal, seen, find, of: key => versionsIn(windows(), key), newest,
    after: (key, position) => versionsIn(windowsAfter(position), key).filter(version => compareWords(version.position, 0, position, 0) > 0),
    addLate: (side, window, identity) => store.put(Buffer.concat([windowKey(PREFIX.late, window, side), identity]), Buffer.alloc(0)),
  };
}

function readSummaries(store: KeyValueStore): Summary[] {
  const all = [...store.range(Buffer.from([PREFIX.summary]), Buffer.from([PREFIX.summary + 1]))];
  return all.map(([at, bytes]) => unpackSummary(windowOf(at), ownBytes(bytes)));
}

/** `[prefix][window, sign-flipped big-endian][side]`: sorts by window, also before 1970. */
function windowKey(prefix: number, window: number, side = 0): Buffer {
  const key = Buffer.alloc(10);
  key[0] = prefix;
  key.writeBigUInt64BE(BigInt.asUintN(64, BigInt(window)) ^ (1n << 63n), 1);
  key[9] = side;
  return key;
}

function windowOf(key: Buffer): number {
  return Number(BigInt.asIntN(64, key.readBigUInt64BE(1) ^ (1n << 63n)));
}
