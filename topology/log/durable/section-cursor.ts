// Finds the sections of one partition, in order: walks the batches of its segments, by the index past those that have nothing of it. Of each
// batch that is passed the directory is checked, of those that are read the records too: what the disk has spoilt is never given.
import { assert } from '../../../schemas/assert.ts';
import { logReadBytes } from '../../../schemas/limits.ts';
import type { LogError } from '../embedded-error.ts';
import { BATCH_HEAD_BYTES, newBatchHead, newSection, readBatch, readSection, recordsMatch, SECTION_BYTES, sectionsAt } from './batch-format.ts';
import { acquire, release, segmentFrom, segmentPath } from './journal.ts';
import type { Journal, Segment } from './journal.ts';
import { readUpTo } from './log-files.ts';
import { nextPlace, placeOf } from './segment-index.ts';
import { damaged } from './segment-walk.ts';

export class SectionCursor {
  /** Holds the frames of the section; written over when more is read. */
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
  /** `data` has so many bytes of the segment, from this place on; `#at` is the next batch in them. */
  #dataBytes = 0;
  #dataPlace = 0;
  #at = 0;
  readonly #head = newBatchHead();
  readonly #section = newSection();

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
      const place = this.#dataPlace + this.#at;
      if (place < segment.sizeBytes) this.#read(segment, place);
      // The last segment may grow: the reader stays in it, at its end.
      else if (this.#isLast(segment)) return false;
      else this.leave(segment.number + 1);
    }
  }

  /** The same among the bytes at hand. */
  findBuffered(position: number): boolean {
    const segment = this.#segment;
    if (segment === undefined) return false;
    const { log } = this.#journal.state;
    for (;;) {
      const place = this.#dataPlace + this.#at;
      if (place >= segment.sizeBytes) return false;
      const read = readBatch(this.#head, this.data, this.#at, this.#dataBytes - this.#at, log);
      if (read === 'short') return false;
      if (read === 'bad') throw this.#damaged(segment, place);
      const at = this.#at;
      this.#at += this.#head.lengthBytes;
      if (this.#head.kind === 'append' && this.#findSection(at, position)) {
        if (!recordsMatch(this.#head, this.data, at, log)) throw this.#damaged(segment, place);
        return true;
      }
      this.#skip(segment);
    }
  }

  /** Lets the segment go. */
  leave(nextNumber = 0): void {
    if (this.#segment !== undefined) release(this.#journal, this.#segment);
    this.#segment = undefined;
    this.#nextNumber = nextNumber;
    this.frameAt = this.framesEnd = this.#at = this.#dataBytes = 0;
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
      this.#dataPlace = placeOf(index, position);
      this.#at = this.#dataBytes = 0;
      return true;
    }
    return false;
  }

  /** Jumps to the next batch that the index knows of, unless there may be one before it. */
  #skip(segment: Segment): void {
    const index = segment.index.get(this.#partition);
    const next = index === undefined ? segment.sizeBytes : nextPlace(index, this.#dataPlace + this.#at);
    if (next < 0) return;
    const at = Math.min(next, segment.sizeBytes) - this.#dataPlace;
    if (at <= this.#dataBytes) {
      this.#at = at;
      return;
    }
    this.#dataPlace += at;
    this.#at = this.#dataBytes = 0;
  }

  #findSection(at: number, position: number): boolean {
    let place = sectionsAt(this.data, at);
    let framesAt = at + this.#head.directoryEnd;
    for (let n = 0; n < this.#head.sections; n++, place += SECTION_BYTES) {
      readSection(this.#section, this.data, place);
      const { partition, baseOffset, endOffset, sizeBytes } = this.#section;
      if (partition === this.#partition) {
        if (endOffset <= position) return false;
        this.baseOffset = baseOffset;
        this.frameAt = framesAt;
        this.framesEnd = framesAt + sizeBytes;
        return true;
      }
      framesAt += sizeBytes;
    }
    return false;
  }

  /** Reads from `place` on, at least one whole batch. */
  #read(segment: Segment, place: number): void {
    // Bytes that were there and still did not do are of a batch longer than them.
    const have = this.#dataBytes - this.#at;
    const wanted = Math.max(logReadBytes, have >= BATCH_HEAD_BYTES ? this.#head.lengthBytes : 0);
    const length = Math.min(wanted, segment.sizeBytes - place);
    if (length <= have) throw this.#damaged(segment, place);
    if (this.data.length < length) this.data = Buffer.allocUnsafeSlow(Math.max(length, logReadBytes));
    this.#dataBytes = readUpTo(this.#journal.files, this.#fd, this.data, 0, length, place);
    this.#dataPlace = place;
    this.#at = 0;
    if (this.#dataBytes < length) throw this.#damaged(segment, place + this.#dataBytes);
  }

  #damaged(segment: Segment, place: number): LogError {
    return damaged(segmentPath(this.#journal.directory, segment.number), place, 'a batch is not as it was written');
  }
}
