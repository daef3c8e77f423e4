// How an event enters a shard. Entering only copies: whether it was applied, missing, out of order is decided when its window closes
// (closing.ts), so no verdict depends on the order of arrival.
import { OP, POSITION_BYTES, PRINT, PRINT_WORDS, SOURCE, TARGET, type ChangeEvent } from '../schemas/change-event.ts';
import { FLAG, SLOT, type SlotStore } from '../stores/slot-store.ts';
import { hashBytes, IDENTITY_BYTES, mix, writeIdentity } from './hash.ts';
import { tallyWindow, windowOf, type Shard } from './shard.ts';
import { noteLate } from './blind-spots.ts';
import { noteCarried } from './carried.ts';
import { COUNT } from './tally.ts';

const WORDS = POSITION_BYTES / 4;

export type Entered = 'taken' | 'redelivered' | 'late' | 'excluded';

/** Takes one change (kind `change`, with a commit time) into the shard. The event's bytes are copied. */
export function enter(shard: Shard, side: number, partition: number, offset: number, event: ChangeEvent, counted = true): Entered {
  if (event.op === OP.read && !event.positioned) return count(shard, event.commitTimeUs, COUNT.excluded, 'excluded');
  if (side === TARGET && event.elidesNoops && shard.settings.target.noopUpdates === undefined) shard.targetElides = true;
  loadPosition(event);
  const keyHash = hashBytes(event.bytes, 0, event.keyLength, 0);
  const idHash = identityHash(event, side, keyHash);
  const known = findIdentity(shard, side, event, keyHash, idHash);
  if (known >= 0) addAlias(shard, known, event, keyHash);
  if (event.commitTimeUs < shard.closedUpToUs) return enterClosed(shard, side, event, counted);
  if (known >= 0) {
    return count(shard, event.commitTimeUs, COUNT.redelivered, 'redelivered', counted);
  }
  const slot = fill(shard, side, partition, offset, event, keyHash, idHash);
  if (event.op !== OP.truncate) noteCarried(shard, slot);
  if (event.op === OP.read) shard.tallies.add(windowOf(shard, event.commitTimeUs), COUNT.excluded, 1);
  return 'taken';
}

/** Below the closed frontier a record is a redelivery if its identity is remembered, else late (ruling 22). */
function enterClosed(shard: Shard, side: number, event: ChangeEvent, counted: boolean): Entered {
  const window = windowOf(shard, event.commitTimeUs);
  writeIdentity(words, 0, WORDS, event.bytes, 0, event.keyLength, tieOf(event.totalOrder, event.op), identity, 0);
  if (shard.history.seen(side, window, identity)) return count(shard, event.commitTimeUs, COUNT.redelivered, 'redelivered', counted);
  shard.history.addLate(side, window, Buffer.from(identity));
  if (event.op !== OP.truncate) noteLate(shard, side, event.bytes.toString('latin1', 0, event.keyLength), event.commitTimeUs, words);
  return count(shard, event.commitTimeUs, COUNT.late, 'late', counted);
}

function count(shard: Shard, timeUs: number, name: number, outcome: Entered, counted = true): Entered {
  if (counted) shard.tallies.add(tallyWindow(shard, timeUs), name, 1);
  return outcome;
}

/** Position of the event being entered, as words. */
const words = new Uint32Array(WORDS);
const identity = Buffer.alloc(IDENTITY_BYTES);

function loadPosition(event: ChangeEvent): void {
  const { position } = event;
  for (let i = 0, j = 0; i < WORDS; i++, j += 4) {
    words[i] = (position[j] << 24) | (position[j + 1] << 16) | (position[j + 2] << 8) | position[j + 3];
  }
}

/**
 * What tells two records of one position and key apart: their order in the transaction and the operation. A key change under a rule that
 * takes both keys for one is a delete and a create at one position; a snapshot row may share it with a change of the stream.
 */
export function tieOf(totalOrder: number, op: number): number {
  return (totalOrder << 3) | op;
}

function identityHash(event: ChangeEvent, side: number, keyHash: number): number {
  let h = mix(keyHash, tieOf(event.totalOrder, event.op) * 2 + side);
  for (let i = 0; i < WORDS; i++) if (words[i] !== 0) h = mix(h + i, words[i]);
  return h;
}

function findIdentity(shard: Shard, side: number, event: ChangeEvent, keyHash: number, idHash: number): number {
  const { slots } = shard;
  for (let slot = slots.firstById(idHash); slot >= 0; slot = slots.nextId[slot]) {
    if (slots.idHash[slot] !== idHash || slots.side[slot] !== side || slots.keyHash[slot] !== keyHash) continue;
    if (slots.totalOrder[slot] !== event.totalOrder || slots.op[slot] !== event.op) continue;
    if (samePosition(slots, slot) && sameKey(slots, slot, event.bytes, 0, event.keyLength)) return slot;
  }
  return -1;
}

function samePosition(slots: SlotStore, slot: number): boolean {
  for (let i = 0, at = slot * WORDS; i < WORDS; i++) if (slots.position[at + i] !== words[i]) return false;
  return true;
}

export function sameKey(slots: SlotStore, slot: number, bytes: Buffer, start: number, length: number): boolean {
  if (slots.keyLength[slot] !== length) return false;
  const page = slots.heads.pages[slots.headPage[slot]];
  for (let i = 0, at = slots.headAt[slot]; i < length; i++) if (page[at + i] !== bytes[start + i]) return false;
  return true;
}

function fill(shard: Shard, side: number, partition: number, offset: number, event: ChangeEvent, keyHash: number, idHash: number): number {
  const { slots } = shard;
  const slot = slots.take(windowOf(shard, event.commitTimeUs));
  slots.side[slot] = side;
  slots.kind[slot] = event.op === OP.truncate ? SLOT.truncate : event.op === OP.read ? SLOT.read : SLOT.change;
  slots.op[slot] = event.op;
  slots.time[slot] = event.commitTimeUs;
  slots.offset[slot] = offset;
  slots.partition[slot] = partition;
  for (let i = 0, at = slot * WORDS; i < WORDS; i++) slots.position[at + i] = words[i];
  slots.totalOrder[slot] = event.totalOrder;
  slots.tableOrder[slot] = event.tableOrder;
  copyPrint(event.prints, PRINT.after, slots.printsAfter, slot);
  copyPrint(event.prints, PRINT.before, slots.printsBefore, slot);
  if (event.prints[PRINT.before] !== PRINT.none || event.elidesNoops) shard.lastRows[side].wanted = true;
  slots.keyHash[slot] = keyHash;
  slots.idHash[slot] = idHash;
  copyHead(slots, slot, event);
  copyImage(slots, slot, event);
  slots.linkId(slot);
  if (slots.kind[slot] === SLOT.truncate) {
    shard.truncates.push(slot);
    return slot;
  }
  slots.originHash[slot] = originHash(event.bytes, event.keyLength, event.originLength, keyHash);
  if (side === SOURCE && event.originLength > 0) slots.linkOrigin(slot);
  joinKey(shard, slot);
  return slot;
}

function copyPrint(prints: Int32Array, from: number, to: Int32Array, slot: number): void {
  const at = slot * PRINT_WORDS;
  for (let i = 0; i < PRINT_WORDS; i++) if (to[at + i] !== prints[from + i]) to[at + i] = prints[from + i];
}

/** Links the slot to the others of its key, whose number it takes over; the first of a key gets a new one. */
export function joinKey(shard: Shard, slot: number): void {
  const { slots } = shard;
  const hash = slots.keyHash[slot];
  const page = slots.heads.pages[slots.headPage[slot]];
  let other = slots.firstByKey(hash);
  while (other >= 0 && !(slots.keyHash[other] === hash && sameKey(slots, other, page, slots.headAt[slot], slots.keyLength[slot]))) other = slots.nextKey[other];
  slots.keyId[slot] = other >= 0 ? slots.keyId[other] : shard.nextKeyId++;
  noteOrder(shard, slot, other);
  slots.linkKey(slot);
}

/** Remembers that a key's events of one side have not come in the order of their positions: then they are sorted when it is judged. */
export function noteOrder(shard: Shard, slot: number, newest: number): void {
  const { keyId, side, nextKey } = shard.slots;
  let before = newest;
  while (before >= 0 && !(keyId[before] === keyId[slot] && side[before] === side[slot])) before = nextKey[before];
  if (before >= 0 && shard.slots.comparePositions(slot, before) < 0) shard.disordered.add(keyId[slot]);
}

function copyHead(slots: SlotStore, slot: number, event: ChangeEvent): void {
  slots.heads.put(event.bytes, 0, event.keyLength + event.originLength + event.transactionLength + event.traceLength);
  slots.headPage[slot] = slots.heads.page;
  slots.headAt[slot] = slots.heads.at;
  slots.keyLength[slot] = event.keyLength;
  slots.originLength[slot] = event.originLength;
  slots.transactionLength[slot] = event.transactionLength;
  slots.traceLength[slot] = event.traceLength;
}

function copyImage(slots: SlotStore, slot: number, event: ChangeEvent): void {
  if (event.layout === undefined) return;
  const start = event.keyLength + event.originLength + event.transactionLength + event.traceLength;
  slots.images.put(event.bytes, start, event.imageLength);
  slots.imagePage[slot] = slots.images.page;
  slots.imageAt[slot] = slots.images.at;
  slots.imageLength[slot] = event.imageLength;
  slots.layout[slot] = event.layout.id;
}

export function originHash(bytes: Buffer, start: number, length: number, keyHash: number): number {
  return mix(hashBytes(bytes, start, start + length, 1), keyHash);
}

/** A source change that its connector sent again may be known under a second origin: log coordinates differ, the change does not. */
function addAlias(shard: Shard, known: number, event: ChangeEvent, keyHash: number): void {
  const { slots } = shard;
  if (slots.side[known] !== SOURCE || event.originLength === 0 || sameOrigin(slots, known, event.bytes, event.keyLength, event.originLength)) return;
  const slot = slots.take(windowOf(shard, slots.time[known]));
  slots.side[slot] = SOURCE;
  slots.kind[slot] = SLOT.alias;
  slots.flags[slot] = FLAG.consumed;
  slots.time[slot] = slots.time[known];
  slots.keyHash[slot] = keyHash;
  slots.keyId[slot] = slots.keyId[known];
  copyHead(slots, slot, event);
  slots.originHash[slot] = originHash(event.bytes, event.keyLength, event.originLength, keyHash);
  slots.link[slot] = known;
  slots.linkOrigin(slot);
}

export function sameOrigin(slots: SlotStore, slot: number, bytes: Buffer, start: number, length: number): boolean {
  if (slots.originLength[slot] !== length) return false;
  const page = slots.heads.pages[slots.headPage[slot]];
  for (let i = 0, at = slots.headAt[slot] + slots.keyLength[slot]; i < length; i++) if (page[at + i] !== bytes[start + i]) return false;
  return true;
}
