// Finds the sections of one partition, in order, in the blocks of its segments, by the index past those that have nothing of it. Of each batch in
// a block the directory is checked, of those that are read the records too: what the disk has spoilt is never given.
import { assert } from '../../../schemas/assert.ts';
import type { JournalBlock } from './journal-blocks.ts';
import { acquire, release, segmentFrom, segmentPath } from './journal.ts';
import type { Journal, Segment } from './journal.ts';
import { nextPlace, placeOf } from './segment-index.ts';
import { damaged } from './segment-walk.ts';

export class SectionCursor {
  /** Holds the frames of the section. */
  data: Buffer = Buffer.alloc(0);
  /** The section found: its next frame, its end, and what its offsets count from. */
  frameAt = 0;
  framesEnd = 0;
  baseOffset = 0;
  readonly #journal: Journal;
  readonly #partition: number;
  /** The segment it stands in, pinned; the number of the next one to look at where it stands in none. */
  #segment: Segment | undefined;
  #fd = -1;
  #nextNumber = 0;
  /** The block it stands in, pinned, and its section there; -1: before the first. */
  #block: JournalBlock | undefined;
  #section = -1;
  /** Up to here the segment was looked at. */
  #place = 0;

  constructor(journal: Journal, partition: number) {
    this.#journal = journal;
    this.#partition = partition;
  }

  /** Finds the next section that reaches beyond `position`. False: there is none up to what readers may see. Throws SegmentReplaced. */
  find(position: number): boolean {
    for (;;) {
      if (this.#segment === undefined && !this.#enter(position)) return false;
      assert(this.#segment !== undefined, 'a reader of the log stands in no segment');
      if (this.frameAt < this.framesEnd || this.findBuffered(position)) return true;
      const segment: Segment = this.#segment;
      this.#pass(segment);
      if (this.#place < segment.sizeBytes) this.#load(segment);
      // The last segment may grow: the reader stays in it, at its end.
      else if (this.#isLast(segment)) return false;
      else this.leave(segment.number + 1);
    }
  }

  /** The same in the block at hand. */
  findBuffered(position: number): boolean {
    const block = this.#block;
    if (block === undefined) return false;
    for (;;) {
      const section = this.#section < 0 ? block.firstOf(this.#partition) : block.next[this.#section];
      if (section < 0) return false;
      this.#section = section;
      if (block.endOffset[section] <= position) continue;
      if (!block.isGood(section, this.#journal.state.log)) throw this.#damaged(block.segment, block.placeOf(section));
      this.baseOffset = block.baseOffset[section];
      this.frameAt = block.framesAt[section];
      this.framesEnd = block.framesEnd[section];
      return true;
    }
  }

  /** Lets the segment go. */
  leave(nextNumber = 0): void {
    this.#leaveBlock();
    if (this.#segment !== undefined) release(this.#journal, this.#segment);
    this.#segment = undefined;
    this.#nextNumber = nextNumber;
    this.frameAt = this.framesEnd = 0;
  }

  #leaveBlock(): void {
    if (this.#block !== undefined) this.#journal.blocks.release(this.#block);
    this.#block = undefined;
    this.#section = -1;
  }

  #isLast(segment: Segment): boolean {
    const { segments } = this.#journal;
    return segment.number >= segments[segments.length - 1].number;
  }

  /** Goes to the next segment with records of the partition that are not behind it. */
  #enter(position: number): boolean {
    const { segments } = this.#journal;
    for (let n = segmentFrom(segments, this.#nextNumber); n < segments.length; n++) {
      const segment = segments[n];
      const index = segment.index.get(this.#partition);
      if (index === undefined || index.endOffset <= position) continue;
      this.#fd = acquire(this.#journal, segment);
      this.#segment = segment;
      this.#place = placeOf(index, position);
      return true;
    }
    return false;
  }

  /** Goes behind the block, and on to the next batch that the index knows of, unless there may be one before it. */
  #pass(segment: Segment): void {
    if (this.#block !== undefined) this.#place = Math.max(this.#place, this.#block.endPlace);
    const index = segment.index.get(this.#partition);
    const next = index === undefined ? Infinity : nextPlace(index, this.#place);
    if (next >= 0) this.#place = Math.max(this.#place, Math.min(next, segment.sizeBytes));
  }

  #load(segment: Segment): void {
    const block = this.#journal.blocks.acquire(segment, this.#fd, this.#place);
    if (block === undefined) throw this.#damaged(segment, this.#place);
    if (block === this.#block) {
      // It has grown; the reader stays where it is.
      this.#journal.blocks.release(block);
      return;
    }
    this.#leaveBlock();
    this.#block = block;
    this.data = block.data;
  }

  #damaged(segment: Segment, place: number): Error {
    return damaged(segmentPath(this.#journal.directory, segment.number), place, 'a batch is not as it was written');
  }
}
