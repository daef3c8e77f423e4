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
  readonly sizeBytes: number;
}

export function createByteArena(): ByteArena {
  const pages: Buffer[] = [];
  const users: number[] = [];
  const spare: number[] = [];
  let current = -1;
  let filled = 0;

  function openPage(length: number): void {
    if (current >= 0 && users[current] === 0) recycle(current);
    const reused = length <= arenaPageBytes ? spare.pop() : undefined;
    current = reused ?? pages.length;
    if (reused === undefined) {
      pages.push(Buffer.allocUnsafeSlow(Math.max(length, arenaPageBytes)));
      users.push(0);
    } else if (pages[current].length === 0) pages[current] = Buffer.allocUnsafeSlow(arenaPageBytes);
    filled = 0;
  }

  function recycle(page: number): void {
    if (pages[page].length !== arenaPageBytes || spare.length >= arenaSparePages) pages[page] = Buffer.alloc(0);
    spare.push(page);
  }

  const arena: ByteArena = {
    pages,
    page: -1,
    at: 0,
    put(from, start, length) {
      if (current < 0 || filled + length > pages[current].length) openPage(length);
      from.copy(pages[current], filled, start, start + length);
      arena.page = current;
      arena.at = filled;
      users[current]++;
      filled += length;
    },
    release(page) {
      if (--users[page] === 0 && page !== current) recycle(page);
    },
    get sizeBytes() {
      return pages.reduce((sum, page) => sum + page.length, 0);
    },
  };
  return arena;
}
