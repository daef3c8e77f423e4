// Bytes of live slots: bump-allocated in pages, each page counted and reused when its last slot is gone. What lives for one window
// dies together, so pages free themselves; the garbage collector sees a dozen buffers however many events wait.
import { arenaPageBytes, arenaSparePages } from '../schemas/limits.ts';

export interface ByteArena {
  /** The pages; a slot keeps the page's number and the place in it. */
  readonly pages: Buffer[];
  /** Page and place of the last allocation. */
  page: number;
  at: number;
  /** Copies `length` bytes of `from` at `start`; afterwards `page` and `at` say where they are. */
  put(from: Buffer, start: number, length: number): void;
  /** Gives back one allocation of that page. */
  release(page: number): void;
  sizeBytes(): number;
}

/** A class for the same reason as the slots (slot-store.ts): fields at fixed places. */
class Arena implements ByteArena {
  readonly pages: Buffer[] = [];
  page = -1;
  at = 0;
  readonly #users: number[] = [];
  readonly #spare: number[] = [];
  #current = -1;
  #filled = 0;

  put(from: Buffer, start: number, length: number): void {
    if (this.#current < 0 || this.#filled + length > this.pages[this.#current].length) this.#openPage(length);
    from.copy(this.pages[this.#current], this.#filled, start, start + length);
    this.page = this.#current;
    this.at = this.#filled;
    this.#users[this.#current]++;
    this.#filled += length;
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
    if (reused === undefined) {
      this.pages.push(Buffer.allocUnsafeSlow(Math.max(length, arenaPageBytes)));
      this.#users.push(0);
    } else if (this.pages[this.#current].length === 0) this.pages[this.#current] = Buffer.allocUnsafeSlow(arenaPageBytes);
    this.#filled = 0;
  }

  #recycle(page: number): void {
    if (this.pages[page].length !== arenaPageBytes || this.#spare.length >= arenaSparePages) this.pages[page] = Buffer.alloc(0);
    this.#spare.push(page);
  }
}

export function createByteArena(): ByteArena {
  return new Arena();
}
