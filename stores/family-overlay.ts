// One family of a write overlay (see there): three layers of text key to entry over the engine.
import { assert } from '../schemas/assert.ts';
import { overlayEntryBytes, overlayReadCacheBytes } from '../schemas/limits.ts';
import { ownBytes } from '../schemas/own-bytes.ts';
import { byCodeUnits, isEmptyRange, keyBytes, keySpan, keyText, spanIn } from './key-span.ts';
import type { RangeOptions, Row, StoreEngine, WriteOp } from './store.ts';

/** A value; null: deleted in a layer of writes, absent in the read cache. Its key is kept as text only. */
type Entry = Buffer | null;
type Layer = Map<string, Entry>;

export class FamilyOverlay {
  readonly #family: string;
  readonly #engine: StoreEngine;
  /** Written since the last drain. */
  readonly #written: Layer = new Map();
  /** Drained last: on their way to the engine, or there. */
  #drained: Layer = new Map();
  /** What the engine holds, as far as it was read. */
  readonly #read: Layer = new Map();
  /** Deleted keys whose presence need not be looked up. */
  readonly #stored: Set<string> = new Set();
  /** Keys of `#written` and `#drained` in order; undefined: to be sorted again. */
  #sorted: readonly string[] | undefined;
  writtenBytes = 0;
  cacheBytes = 0;

  constructor(family: string, engine: StoreEngine) {
    this.#family = family;
    this.#engine = engine;
  }

  get(key: Buffer): Buffer | undefined {
    const text = keyText(key);
    const known = this.#known(text);
    if (known !== undefined) return known ?? undefined;
    if (this.cacheBytes > overlayReadCacheBytes) this.#forgetReads();
    const value = this.#engine.get(this.#family, key);
    this.#remember(text, value ?? null);
    return value;
  }

  set(key: Buffer, value: Buffer | null, isStored = false): void {
    const text = keyText(key);
    if (isStored) this.#stored.add(text);
    const before = this.#written.get(text);
    if (before === undefined) this.#sorted = undefined;
    else this.writtenBytes -= entryBytes(text, before);
    this.writtenBytes += entryBytes(text, value);
    this.#written.set(text, value);
  }

  range(options: RangeOptions): Row[] {
    const span = keySpan(options);
    const limit = options.limit ?? Infinity;
    if (isEmptyRange(span) || limit === 0) return [];
    const all = this.#sortedKeys();
    const { from, to } = spanIn(all, span);
    const own = all.slice(from, to);
    if (options.reverse === true) own.reverse();
    // Each own delete may hide one row of the engine: ask for that many more.
    const hidden = own.filter((text) => this.#own(text) === null).length;
    const rows = this.#engine.range(this.#family, options.limit === undefined ? options : { ...options, limit: limit + hidden });
    return this.#merge(own, rows, options.reverse === true, limit);
  }

  drain(): WriteOp[] {
    this.#settle();
    // What was written is not read again as a rule: it must not pile up.
    if (this.cacheBytes > overlayReadCacheBytes) this.#forgetReads();
    this.#loadBases();
    const ops: WriteOp[] = [];
    for (const text of [...this.#written.keys()].sort(byCodeUnits)) {
      const value = this.#entry(text);
      const base = this.#read.get(text);
      if (base === undefined || !sameValue(base, value)) ops.push({ family: this.#family, key: keyBytes(text), value });
    }
    this.#drained = new Map(this.#written);
    this.cacheBytes += this.writtenBytes;
    this.#written.clear();
    this.#stored.clear();
    this.writtenBytes = 0;
    return ops;
  }

  #known(text: string): Entry | undefined {
    for (const layer of [this.#written, this.#drained, this.#read]) {
      const entry = layer.get(text);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #own(text: string): Entry {
    const written = this.#written.get(text);
    return written === undefined ? this.#entry(text, this.#drained) : written;
  }

  #entry(text: string, layer: Layer = this.#written): Entry {
    const entry = layer.get(text);
    assert(entry !== undefined, 'an overlay key without an entry');
    return entry;
  }

  /** The drain before is in the engine now: what it wrote is what the engine holds. */
  #settle(): void {
    for (const [text, entry] of this.#drained) {
      this.cacheBytes -= entryBytes(text, entry);
      this.#remember(text, entry);
    }
    this.#drained = new Map();
    this.#sorted = undefined;
  }

  /** A delete of a key whose presence is not known is looked up, so that a key made and deleted since the last drain leaves no trace. */
  #loadBases(): void {
    this.#load([...this.#written].flatMap(([text, value]) => (value === null && !this.#read.has(text) && !this.#stored.has(text) ? [text] : [])));
  }

  #load(wanted: readonly string[]): void {
    if (wanted.length === 0) return;
    const values = this.#engine.getMany(this.#family, wanted.map(keyBytes));
    for (const [i, text] of wanted.entries()) this.#remember(text, values[i] ?? null);
  }

  /** Kept for long, so it gets memory of its own. */
  #remember(text: string, entry: Entry): void {
    const before = this.#read.get(text);
    if (before !== undefined) this.cacheBytes -= entryBytes(text, before);
    this.cacheBytes += entryBytes(text, entry);
    this.#read.set(text, entry === null ? null : ownBytes(entry));
  }

  #forgetReads(): void {
    for (const [text, entry] of this.#read) this.cacheBytes -= entryBytes(text, entry);
    this.#read.clear();
  }

  #sortedKeys(): readonly string[] {
    this.#sorted ??= [...new Set([...this.#written.keys(), ...this.#drained.keys()])].sort(byCodeUnits);
    return this.#sorted;
  }

  #merge(own: readonly string[], rows: readonly Row[], reverse: boolean, limit: number): Row[] {
    const merged: Row[] = [];
    let at = 0;
    let row = 0;
    while (merged.length < limit && (at < own.length || row < rows.length)) {
      const rowText = row < rows.length ? keyText(rows[row][0]) : undefined;
      const order = at === own.length ? 1 : rowText === undefined ? -1 : byCodeUnits(own[at], rowText) * (reverse ? -1 : 1);
      if (order <= 0) {
        const text = own[at++];
        const value = this.#own(text);
        if (value !== null) merged.push([keyBytes(text), value]);
      } else merged.push(rows[row]);
      if (order >= 0) row++;
    }
    return merged;
  }
}

function sameValue(left: Buffer | null, right: Buffer | null): boolean {
  if (left === null || right === null) return left === right;
  return left.equals(right);
}

function entryBytes(text: string, entry: Entry): number {
  return overlayEntryBytes + text.length + (entry?.length ?? 0);
}
