// Whether each change of a row continues the one before it: its before image must be the image that the change before left behind. Where it
// is not, the side's stream has a hole, and what was in it cannot be told: a `gap` with hint `evidence-gap`, and the window is undecidable
// (semantics.md §13). Both sides are looked at: on the target the hole is in what we see of it, not in what it holds.
//
// Held against each other are only two changes of one row with nothing between them by position, both with images that are known whole and
// have the same columns. What a snapshot row, a truncate or a record that nobody could read lies between is left alone.
import { OP, POSITION_BYTES, PRINT, PRINT_WORDS, SOURCE } from '../schemas/change-event.ts';
import { FLAG, SLOT, type SlotStore } from '../stores/slot-store.ts';
import { isBlindBetween, type Place } from './blind-spots.ts';
import { MARKER } from './digest.ts';
import { noteFindings } from './divergences.ts';
import { attributionOf, keyOf, sideOfSlot, type Finding } from './finding.ts';
import { hashBytes } from './hash.ts';
import { ABSENT } from './images.ts';
import { DOUBLES, ROW } from './last-rows-blob.ts';
import type { LastRows } from './last-rows.ts';
import { compareWords } from './position.ts';
import type { Shard } from './shard.ts';
import { COUNT } from './tally.ts';
import type { Closing } from './window.ts';

const WORDS = POSITION_BYTES / 4;

/** Before the window's keys are judged: a gap is one of the findings that a divergence may be named by. */
export function findEvidenceGaps(shard: Shard, closing: Closing): void {
  if (closing.startUs < shard.warmUpUntilUs) return;
  const { slots } = shard;
  for (let slot = slots.window(closing.window); slot >= 0; slot = slots.nextInWindow[slot]) findEvidenceGap(shard, slot, closing);
}

function findEvidenceGap(shard: Shard, slot: number, closing: Closing): void {
  const { kind, side, printsAfter, printsBefore } = shard.slots;
  const prints = kind[slot] === SLOT.change ? printsBefore : printsAfter;
  // A snapshot row of the source is a state: it must be the one that the change before it left behind.
  const isState = kind[slot] === SLOT.change || (kind[slot] === SLOT.read && side[slot] === SOURCE);
  if (isState && prints[slot * PRINT_WORDS] !== PRINT.none && isBroken(shard, slot, prints)) report(shard, slot, closing);
}

/** `prints`: those of which the slot's own must be what was there before it. */
function isBroken(shard: Shard, slot: number, prints: Int32Array): boolean {
  const { slots } = shard;
  const own = slot * PRINT_WORDS;
  const before = changeBefore(shard, slot);
  if (before >= 0 && !isBelowFreed(shard, before, slot)) {
    if (!isKnownRow(slots, before)) return false;
    return breaks(slots.printsAfter, before * PRINT_WORDS, prints, own) && !isBlindBetween(shard, slot, placeOf(slots, before));
  }
  const rows = shard.lastRows[slots.side[slot]];
  const place = rows.find(slots.keyHash[slot], otherHash(slots, slot));
  if (place < 0 || compareToRow(slots, slot, rows, place) <= 0) return false;
  return breaks(rows.words, place * ROW.words + ROW.print, prints, own) && !isBlindBetween(shard, slot, rows.placeAt(place));
}

/** Above the live change lies one that was committed earlier, and is freed already. */
function isBelowFreed(shard: Shard, before: number, slot: number): boolean {
  const { slots } = shard;
  const rows = shard.lastRows[slots.side[slot]];
  if (compareWords(slots.position, before * WORDS, rows.greatest, 0) > 0) return false;
  const place = rows.find(slots.keyHash[slot], otherHash(slots, slot));
  return place >= 0 && compareToRow(slots, before, rows, place) < 0;
}

/** Of images with other columns nothing is said. A row before a change where there was none is a break too. */
function breaks(left: Int32Array, i: number, own: Int32Array, j: number): boolean {
  if (left[i] === PRINT.absent) return true;
  return left[i] === own[j] && (left[i + 1] !== own[j + 1] || left[i + 2] !== own[j + 2]);
}

/** What the change left behind is known: not so of a snapshot row, and of a truncate, which may have spoken of a part of the table only. */
function isKnownRow(slots: SlotStore, slot: number): boolean {
  return slots.kind[slot] === SLOT.change && (slots.flags[slot] & FLAG.truncated) === 0 && slots.printsAfter[slot * PRINT_WORDS] !== PRINT.none;
}

/** The key's last live event of the side below the slot, by position; -1 where there is none. */
function changeBefore(shard: Shard, slot: number): number {
  const { slots, disordered } = shard;
  const { nextKey, keyId } = slots;
  if (!disordered.has(keyId[slot])) {
    let other = nextKey[slot];
    while (other >= 0 && !isOfSameRow(slots, other, slot)) other = nextKey[other];
    return other;
  }
  let last = -1;
  for (let other = slots.firstByKey(slots.keyHash[slot]); other >= 0; other = nextKey[other]) {
    if (!isOfSameRow(slots, other, slot) || slots.comparePositions(other, slot) >= 0) continue;
    if (last < 0 || slots.comparePositions(other, last) > 0) last = other;
  }
  return last;
}

function isOfSameRow(slots: SlotStore, other: number, slot: number): boolean {
  return slots.keyId[other] === slots.keyId[slot] && slots.side[other] === slots.side[slot] && slots.kind[other] !== SLOT.alias;
}

/** Of a slot that is freed: what it left behind, unless a change of the key that lies above it was freed before. */
export function keepLastRow(shard: Shard, slot: number): void {
  const { slots } = shard;
  const rows = shard.lastRows[slots.side[slot]];
  if (!rows.wanted) return;
  const isKnown = isKnownRow(slots, slot);
  const other = otherHash(slots, slot);
  const known = rows.find(slots.keyHash[slot], other);
  if (known < 0 ? !isKnown : compareToRow(slots, slot, rows, known) < 0) return;
  const place = rows.put(slots.keyHash[slot], other, known);
  const at = place * ROW.words;
  const from = slot * PRINT_WORDS;
  const { words, unsigned } = rows;
  for (let i = 0; i < PRINT_WORDS; i++) words[at + ROW.print + i] = isKnown ? slots.printsAfter[from + i] : PRINT.none;
  for (let i = 0; i < WORDS; i++) unsigned[at + ROW.position + i] = slots.position[slot * WORDS + i];
  words[at + ROW.order] = orderOf(slots, slot);
  words[at + ROW.partition] = slots.partition[slot];
  rows.doubles[place * DOUBLES + ROW.offset] = slots.offset[slot];
  rows.doubles[place * DOUBLES + ROW.time] = slots.time[slot];
}

/** By position, and what lies at one position as slots do. */
function compareToRow(slots: SlotStore, slot: number, rows: LastRows, place: number): number {
  const at = place * ROW.words;
  return compareWords(slots.position, slot * WORDS, rows.unsigned, at + ROW.position) || orderOf(slots, slot) - rows.words[at + ROW.order];
}

function orderOf(slots: SlotStore, slot: number): number {
  return slots.totalOrder[slot] * 2 + (slots.op[slot] === OP.delete ? 0 : 1);
}

function placeOf(slots: SlotStore, slot: number): Place {
  return { partition: slots.partition[slot], offset: slots.offset[slot], timeUs: slots.time[slot], position: slots.position, positionAt: slot * WORDS };
}

/** The second of the two hashes by which a key is told. */
function otherHash(slots: SlotStore, slot: number): number {
  const at = slots.headAt[slot];
  return hashBytes(slots.heads.pages[slots.headPage[slot]], at, at + slots.keyLength[slot], 0x5bd1e995);
}

function report(shard: Shard, slot: number, closing: Closing): void {
  const { slots } = shard;
  const side = sideOfSlot(shard, slot);
  const isSource = slots.side[slot] === SOURCE;
  closing.count(COUNT.gap, 1);
  closing.element(slot, slot, MARKER.gap, ABSENT, 0);
  closing.add(slots.side[slot]);
  const finding: Finding = {
    class: 'gap', window: closing.window, key: keyOf(slots, slot), source: isSource ? side : undefined, target: isSource ? undefined : side,
    columns: [], hint: 'evidence-gap', attribution: attributionOf(shard, false),
  };
  closing.find(finding);
  noteFindings(shard, finding.key, [finding]);
}
