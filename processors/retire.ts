// What happens to a closed window's slots. At its close their identities and versions are remembered (history.ts). The slots themselves
// stay, without images, for as long as an event that is not late can still refer to them, and are then freed; what is still owed becomes a
// ghost first.
import { OP, POSITION_BYTES, TARGET } from '../schemas/change-event.ts';
import { FLAG, LINK_GONE, SLOT } from '../stores/slot-store.ts';
import { assert } from '../schemas/assert.ts';
import { keepLastRow } from './continuity.ts';
import { noteTrails } from './delete-trail.ts';
import { keyOf, originOf, positionBytes, sideOfSlot } from './finding.ts';
import { packImage, type Ghost } from './ghosts.ts';
import { writeIdentity } from './hash.ts';
import { imageOf, print } from './images.ts';
import { tieOf } from './enter.ts';
import { windowOf, type Shard } from './shard.ts';

const WORDS = POSITION_BYTES / 4;

export function remember(shard: Shard, window: number): void {
  rememberSlots(shard, window);
  shard.history.seal(window);
}

/** A loop of its own, as all that go over a window: it is compiled while it runs for the first time, when nothing is known of what follows it. */
function rememberSlots(shard: Shard, window: number): void {
  const { slots } = shard;
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) rememberSlot(shard, slot, window);
}

function rememberSlot(shard: Shard, slot: number, window: number): void {
  const { slots, history } = shard;
  if (slots.kind[slot] === SLOT.alias) return rememberVersion(shard, slots.link[slot], slot, window);
  if ((slots.flags[slot] & FLAG.truncated) === 0) {
    const at = slots.headAt[slot];
    const page = slots.heads.pages[slots.headPage[slot]];
    const tie = tieOf(slots.totalOrder[slot], slots.op[slot]);
    const side = slots.side[slot];
    const place = history.addIdentity(side);
    writeIdentity(slots.position, slot * WORDS, WORDS, page, at, at + slots.keyLength[slot], tie, history.identityBuffer(side), place);
  }
  if (slots.side[slot] === 0 && slots.kind[slot] !== SLOT.truncate) rememberVersion(shard, slot, slot, window);
}

function rememberVersion(shard: Shard, slot: number, head: number, window: number): void {
  const { slots, history } = shard;
  print(shard, slot);
  const applied = slots.link[slot];
  const at = applied >= 0 ? applied : slot;
  history.addVersion(slots, slot, head, applied !== -1, slots.fingerprint, at * 4, window);
}

/** Frees the windows that nothing can refer to any more once `window` is closed. */
export function forget(shard: Shard, window: number): void {
  const { sizeUs, lagUs, skewUs } = shard.settings.window;
  const oldest = windowOf(shard, (window + 1) * sizeUs - lagUs - 2 * skewUs - sizeUs);
  const gone = [...shard.slots.windows()].filter(old => old < oldest);
  for (const old of gone.sort((a, b) => a - b)) forgetWindow(shard, old);
}

function forgetWindow(shard: Shard, window: number): void {
  forgetSlots(shard, window);
  if (shard.settings.policy === 'replay' && shard.settings.match.by !== 'alignment') noteTrails(shard, window);
  for (const rows of shard.lastRows) rows.endWindow();
  shard.lossyWindows.delete(window);
  shard.slots.freeWindow(window);
}

function forgetSlots(shard: Shard, window: number): void {
  const { slots } = shard;
  for (let slot = slots.window(window); slot >= 0; slot = slots.nextInWindow[slot]) forgetSlot(shard, slot);
}

function forgetSlot(shard: Shard, slot: number): void {
  const { slots } = shard;
  const kind = slots.kind[slot];
  if (kind === SLOT.alias || kind === SLOT.truncate) return;
  keepLastRow(shard, slot);
  const owed = slots.side[slot] === 0 && slots.link[slot] === -1;
  // By alignment a read row without a load is nothing, and is not looked for again.
  if (kind === SLOT.read && owed && shard.settings.match.by !== 'alignment') putGhost(shard, slot, 'read');
  if (kind === SLOT.change && owed && (slots.flags[slot] & FLAG.missing) !== 0) putGhost(shard, slot, 'missing');
  assert(kind === SLOT.read || (slots.flags[slot] & FLAG.consumed) !== 0, 'a slot is freed before it was judged');
  const other = slots.link[slot];
  // A delete without a partner: the numbers of the key's later deletes must not forget it. (One of the source is kept as a ghost.)
  if (other === -1 && slots.op[slot] === OP.delete && slots.side[slot] === TARGET) shard.ghosts.countDelete(keyOf(slots, slot));
  if (other >= 0 && slots.link[other] === slot) slots.setLink(other, LINK_GONE);
}

function putGhost(shard: Shard, slot: number, kind: Ghost['kind']): void {
  const { slots } = shard;
  shard.ghosts.put(keyOf(slots, slot), ghostAddress(shard, slot), ghostOf(shard, slot, kind));
}

/** What a ghost of the key is kept by: its origin, or its position where there are no origins. */
export function ghostAddress(shard: Shard, slot: number): Buffer {
  return shard.settings.match.by === 'alignment' ? positionBytes(shard.slots, slot) : originOf(shard.slots, slot);
}

export function ghostOf(shard: Shard, slot: number, kind: Ghost['kind']): Ghost {
  const { slots } = shard;
  print(shard, slot);
  const words = Array.from(slots.fingerprint.subarray(slot * 4, slot * 4 + 4));
  const image = imageOf(shard, slot);
  return {
    kind, window: windowOf(shard, slots.time[slot]), op: slots.op[slot], timeUs: slots.time[slot], side: sideOfSlot(shard, slot),
    print: words, appliedPrint: words, equal: false, paired: kind === 'applied', image: packImage(image.layout, image),
  };
}
