// Bytes of live slots: bump-allocated in pages, each page counted and reused when its last slot is gone. What lives for one window
// dies together, so pages free themselves; the garbage collector sees a dozen buffers however many events wait.
import { assert } from '../schemas/assert.ts';
import { arenaPageBytes, arenaSparePages } from '../schemas/limits.ts';

export interface ByteArena {
  /** The pages; a slot keeps the page's number and the place in it. */
  readonly pages: Buffer[];
  /** Page and place of the last allocation. */
  page: number;
  at: number;
  /** Copies `length` bytes of `from` at `start`; afterwards `page` and `at` say where they are. `at` is a multiple of WORD_BYTES. */
  put(from: Buffer, start: number, length: number): void;
  /** Whether two allocations hold the same bytes. */
  isSame(page: number, at: number, otherPage: number, otherAt: number, length: number): boolean;
  /** Gives back one allocation of that page. */
  release(page: number): void;
  sizeBytes(): number;
}

/** A slot keeps the number of a page in two bytes, and -1 for none. */
const PAGES_MAX = 0x7fff;
const WORD_BYTES = 4;
const WORD_SHIFT = 2;
/** Calling a native copy costs as much as a loop over this many bytes, and a native comparison (0.12 us) as one over this many by words. */
const COPY_LOOP_BYTES = 48;
const COMPARE_LOOP_BYTES = 256;

/** A class for the same reason as the slots (slot-store.ts): fields at fixed places. */
class Arena implements ByteArena {
  readonly pages: Buffer[] = [];
  /** The pages as words. */
  readonly #words: Int32Array[] = [];
  page = -1;
  at = 0;
  readonly #users: number[] = [];
  readonly #spare: number[] = [];
  #current = -1;
  #filled = 0;

  put(from: Buffer, start: number, length: number): void {
    if (this.#current < 0 || this.#filled + length > this.pages[this.#current].length) this.#openPage(length);
    const page = this.pages[this.#current];
    const at = this.#filled;
    if (length > COPY_LOOP_BYTES) from.copy(page, at, start, start + length);
    else for (let i = 0; i < length; i++) page[at + i] = from[start + i];
    this.page = this.#current;
    this.at = at;
    this.#users[this.#current]++;
    this.#filled = at + wholeWords(length);
  }

  isSame(page: number, at: number, otherPage: number, otherAt: number, length: number): boolean {
    const bytes = this.pages[page];
    const otherBytes = this.pages[otherPage];
    if (length > COMPARE_LOOP_BYTES) return bytes.compare(otherBytes, otherAt, otherAt + length, at, at + length) === 0;
    const words = this.#words[page];
    const others = this.#words[otherPage];
    const whole = length >> WORD_SHIFT;
    for (let i = 0, a = at >> WORD_SHIFT, b = otherAt >> WORD_SHIFT; i < whole; i++) if (words[a + i] !== others[b + i]) return false;
    for (let i = whole << WORD_SHIFT; i < length; i++) if (bytes[at + i] !== otherBytes[otherAt + i]) return false;
    return true;
  }

  release(page: number): void {
    if (--this.#users[page] === 0 && page !== this.#current) this.#recycle(page);
  }

  sizeBytes(): number {
    return this.pages.reduce((sum, page) => sum + page.length, 0);
  }

  #openPage(length: number): void {
    if (this.#current >= 0 && this.#users[this.#current] === 0) this.#recycle(this.#current);
    const reused = length <= arenaPageBytes ? this.#spare.pop() : undefined;
    this.#current = reused ?? this.pages.length;
    assert(this.#current <= PAGES_MAX, 'an arena of more pages than a slot can tell apart: 32 GB');
    if (reused === undefined) {
      this.#users.push(0);
      this.#makePage(Math.max(wholeWords(length), arenaPageBytes));
    } else if (this.pages[this.#current].length === 0) this.#makePage(arenaPageBytes);
    this.#filled = 0;
  }

  #dropPage(page: number): void {
    this.pages[page] = Buffer.alloc(0);
    this.#words[page] = new Int32Array(0);
  }

  #makePage(bytes: number): void {
    const page = Buffer.allocUnsafeSlow(bytes);
    this.pages[this.#current] = page;
    this.#words[this.#current] = new Int32Array(page.buffer, page.byteOffset, bytes >> WORD_SHIFT);
  }

  #recycle(page: number): void {
    if (this.pages[page].length !== arenaPageBytes || this.#spare.length >= arenaSparePages) this.#dropPage(page);
    this.#spare.push(page);
  }
}

function wholeWords(bytes: number): number {
  return (bytes + WORD_BYTES - 1) & -WORD_BYTES;
}

export function createByteArena(): ByteArena {
  return new Arena();
}
