// `columns.carry` (ruling 31): of a row's declared columns the last known value is kept, as a print, for where a later record does not have it (an
// unchanged TOAST or LOB value). Then the change is held to what the row had, instead of not being compared there.
//
// Per key and side a short list by position, written as events enter, for images are gone once they are judged: those that an event
// which is not late may still have to look below, and one that sums up all before. So it depends on positions and times, never on the order of
// arrival. Counter-example to one value a key: an update without the column is judged a window after a later one with it.
import type { Layout } from '../schemas/change-event.ts';
import { SOURCE } from '../schemas/change-event.ts';
import { fingerprintInto } from '../schemas/canonical/fingerprint.ts';
import { columnStarts, type Comparison, type Image } from './comparator.ts';
import { keyOf, positionBytes } from './finding.ts';
import { imageOf } from './images.ts';
import type { Shard } from './shard.ts';
import type { Closing } from './window.ts';

/** `at`: position in hex. `prints`: by column; a delete knows nothing, and what was before it is the row's no more. */
interface Known { readonly at: string; readonly timeUs: number; readonly isDelete: boolean; readonly prints: Readonly<Record<string, string>> }

/** Notes what the event says of the columns that are carried. */
export function noteCarried(shard: Shard, slot: number): void {
  const { slots, settings } = shard;
  if (settings.columns.carry.length === 0) return;
  const image = imageOf(shard, slot);
  const prints = image.layout === undefined ? {} : printsOf(shard, image, image.layout);
  if (image.layout !== undefined && Object.keys(prints).length === 0) return;
  const key = storeKey(slots.side[slot], keyOf(slots, slot));
  const known: Known = { at: positionBytes(slots, slot).toString('hex'), timeUs: slots.time[slot], isDelete: image.layout === undefined, prints };
  const list = [...read(shard, key), known].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : Number(b.isDelete) - Number(a.isDelete)));
  shard.stores.carried.put(key, Buffer.from(JSON.stringify(summedUp(shard, list))));
}

/**
 * The comparison with what is carried: columns that are known now are no more unknown, and may differ. `at`: position of the source change or
 * read row in hex.
 */
export function withCarried(shard: Shard, comparison: Comparison, source: Image, at: string, target: number, closing: Closing): Comparison {
  const { carry } = shard.settings.columns;
  const image = imageOf(shard, target);
  if (carry.length === 0 || comparison.unknown === 0 || source.layout === undefined || image.layout === undefined) return comparison;
  const key = keyOf(shard.slots, target);
  const [layout, other] = [source.layout, image.layout];
  const there = positionBytes(shard.slots, target).toString('hex');
  const wanted = carry.filter(name => !(layout.known.includes(name) && other.known.includes(name)) && !layout.placeholders.includes(name) && !other.placeholders.includes(name));
  const values = wanted.map(name => ({
    name,
    source: printOf(shard, source, layout, name) ?? carried(shard, storeKey(SOURCE, key), name, at, closing.sourceEvidenceUs),
    target: printOf(shard, image, other, name) ?? carried(shard, storeKey(1 - SOURCE, key), name, there, closing.targetEvidenceUs),
  })).filter(value => value.source !== undefined && value.target !== undefined);
  const differing = values.filter(value => value.source !== value.target).map(({ name }) => ({ name, source: layout.known.indexOf(name), target: other.known.indexOf(name) }));
  return {
    ...comparison, equal: comparison.equal && differing.length === 0, unknown: comparison.unknown - values.length,
    differences: [...comparison.differences, ...differing].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** What the row had before that position, as far as the evidence goes. */
function carried(shard: Shard, key: Buffer, name: string, at: string, evidenceUs: number): string | undefined {
  const last = read(shard, key).findLast(known => known.at < at && known.timeUs < evidenceUs && (known.isDelete || name in known.prints));
  return last?.prints[name];
}

/** What nothing that is not late can lie below is one entry. */
function summedUp(shard: Shard, list: readonly Known[]): Known[] {
  const { sizeUs, lagUs, skewUs } = shard.settings.window;
  const oldestUs = shard.closedUpToUs - lagUs - 2 * skewUs - sizeUs;
  const first = list.findIndex(known => known.timeUs >= oldestUs);
  const [old, recent] = [list.slice(0, first), list.slice(first)];
  const last = old.at(-1);
  if (last === undefined) return recent;
  const prints = old.reduce<Known['prints']>((sum, known) => (known.isDelete ? {} : { ...sum, ...known.prints }), {});
  return [{ ...last, isDelete: last.isDelete, prints }, ...recent];
}

function printsOf(shard: Shard, image: Image, layout: Layout): Record<string, string> {
  const found = shard.settings.columns.carry.flatMap(name => {
    const print = layout.placeholders.includes(name) ? undefined : printOf(shard, image, layout, name);
    return print === undefined ? [] : [[name, print] as const];
  });
  return Object.fromEntries(found);
}

const words = new Int32Array(4);

/** Keyed where anything is masked; a masked column's value is a keyed hash already. */
function printOf(shard: Shard, image: Image, layout: Layout, name: string): string | undefined {
  const i = layout.known.indexOf(name);
  if (i < 0) return undefined;
  const starts = columnStarts(image);
  fingerprintInto(shard.context.layout([name], [], []), shard.maskKey, image.bytes, starts[i], starts[i + 1] ?? image.end, words);
  return Buffer.from(words.buffer, 0, 16).toString('base64');
}

function read(shard: Shard, key: Buffer): Known[] {
  const bytes = shard.stores.carried.get(key);
  return bytes === undefined ? [] : JSON.parse(bytes.toString('utf8')) as Known[];
}

function storeKey(side: number, key: Buffer): Buffer {
  return Buffer.concat([Buffer.of(side), key]);
}
