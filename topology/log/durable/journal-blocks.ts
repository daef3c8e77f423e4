// Stretches of segments in memory, shared by all readers of a journal: its partitions lie batch by batch in one file, and what one reader has read
// and checked another needs next. Counter-example: 8 readers with a buffer each; every byte was read 8 times and its checksum computed
// 8 times, which was half of the CPU of a service over 4 partitions.
//
// Invariant: memory is the blocks that readers stand in, plus `logCacheBytes` of others.
import { assert } from '../../../schemas/assert.ts';
import { logCacheBytes, logReadBytes } from '../../../schemas/limits.ts';
import { BATCH_HEAD_BYTES, newBatchHead, newSection, readBatch, readSection, recordsMatch, SECTION_BYTES, sectionsAt } from './batch-format.ts';
import type { LogId } from './batch-format.ts';
import type { Segment } from './journal.ts';
import { readUpTo } from './log-files.ts';
import type { LogFiles } from './log-files.ts';

/** Whole batches of a segment, and where in them the records of each partition are. A block at the end of the last segment grows with it. */
export class JournalBlock {
  readonly segment: Segment;
  /** Of its first byte in the segment. */
  readonly place: number;
  readonly data: Buffer;
  /** Bytes read, of which so many are whole batches with a good directory. */
  dataBytes = 0;
  wholeBytes = 0;
  pins = 0;
  /** By section, in the order of the file: a column each. */
  readonly baseOffset: number[] = [];
  readonly endOffset: number[] = [];
  readonly framesAt: number[] = [];
  readonly framesEnd: number[] = [];
  /** The next section of the same partition; -1: none so far. */
  readonly next: number[] = [];
  readonly #batch: number[] = [];
  readonly #firstOf = new Map<number, number>();
  readonly #lastOf = new Map<number, number>();
  /** By append: where it lies, and whether the checksum of its records was computed. */
  readonly #batchAt: number[] = [];
  readonly #checked: boolean[] = [];

  constructor(segment: Segment, place: number, data: Buffer) {
    this.segment = segment;
    this.place = place;
    this.data = data;
  }

  get endPlace(): number {
    return this.place + this.wholeBytes;
  }

  /** The first section of the partition; -1: none so far. */
  firstOf(partition: number): number {
    return this.#firstOf.get(partition) ?? -1;
  }

  /** Of the append that a section is in. */
  placeOf(section: number): number {
    return this.place + this.#batchAt[this.#batch[section]];
  }

  /** Whether the records of a section, and all beside them, are as they were written. */
  isGood(section: number, log: LogId): boolean {
    const batch = this.#batch[section];
    if (this.#checked[batch]) return true;
    const at = this.#batchAt[batch];
    readBatch(head, this.data, at, this.wholeBytes - at, log);
    return (this.#checked[batch] = recordsMatch(head, this.data, at, log));
  }

  /** Reads what the segment has by now, as far as there is room. True: there are more batches than before. */
  grow(files: LogFiles, fd: number, log: LogId): boolean {
    const length = Math.min(this.data.length - this.dataBytes, this.segment.sizeBytes - this.place - this.dataBytes);
    if (length > 0) this.dataBytes += readUpTo(files, fd, this.data, this.dataBytes, length, this.place + this.dataBytes);
    const before = this.wholeBytes;
    while (readBatch(head, this.data, this.wholeBytes, this.dataBytes - this.wholeBytes, log) === 'whole') this.#addBatch();
    return this.wholeBytes > before;
  }

  #addBatch(): void {
    const at = this.wholeBytes;
    this.wholeBytes += head.lengthBytes;
    if (head.kind !== 'append') return;
    this.#batchAt.push(at);
    this.#checked.push(false);
    let place = sectionsAt(this.data, at);
    let framesAt = at + head.directoryEnd;
    for (let n = 0; n < head.sections; n++, place += SECTION_BYTES) {
      readSection(section, this.data, place);
      this.#addSection(framesAt);
      framesAt += section.sizeBytes;
    }
  }

  #addSection(framesAt: number): void {
    const { partition, baseOffset, endOffset, sizeBytes } = section;
    const added = this.next.push(-1) - 1;
    this.baseOffset.push(baseOffset);
    this.endOffset.push(endOffset);
    this.framesAt.push(framesAt);
    this.framesEnd.push(framesAt + sizeBytes);
    this.#batch.push(this.#batchAt.length - 1);
    const last = this.#lastOf.get(partition);
    if (last === undefined) this.#firstOf.set(partition, added);
    else this.next[last] = added;
    this.#lastOf.set(partition, added);
  }
}

const head = newBatchHead();
const section = newSection();

/** Blocks in no order but that of their use: the one left last is the last to go. */
export class JournalBlocks {
  readonly #files: LogFiles;
  readonly #log: LogId;
  #blocks: JournalBlock[] = [];
  /** Of blocks that nobody stands in. */
  #idleBytes = 0;
  /** Memory of blocks that went, for the next ones: of a block as a rule, and of a longer one. Else it waits for the garbage collector, and a reader of long appends has 64 MB of it. */
  #spare: Buffer | undefined;
  #longSpare: Buffer | undefined;

  constructor(files: LogFiles, log: LogId) {
    this.#files = files;
    this.#log = log;
  }

  /** The block with the batch at `place`, below the end of the segment, pinned until `release`. Undefined: there is no batch as it was written. */
  acquire(segment: Segment, fd: number, place: number): JournalBlock | undefined {
    const block = this.#blocks.find(known => known.segment === segment && known.place <= place
      && (place < known.endPlace || (place === known.endPlace && known.grow(this.#files, fd, this.#log)))) ?? this.#load(segment, fd, place);
    if (block !== undefined && block.pins++ === 0) this.#idleBytes -= block.data.length;
    return block;
  }

  release(block: JournalBlock): void {
    assert(block.pins > 0, 'a block of the log is released more often than acquired');
    if (--block.pins > 0) return;
    this.#idleBytes += block.data.length;
    this.#blocks.splice(this.#blocks.indexOf(block), 1);
    this.#blocks.push(block);
    if (this.#idleBytes > logCacheBytes) this.#letGo();
  }

  #load(segment: Segment, fd: number, place: number): JournalBlock | undefined {
    let block = new JournalBlock(segment, place, this.#memory(logReadBytes));
    if (!block.grow(this.#files, fd, this.#log)) {
      // A batch longer than that says so in its head.
      const length = block.dataBytes < BATCH_HEAD_BYTES ? 0 : block.data.readUInt32LE(4);
      this.#keep(block.data);
      if (length <= block.dataBytes || length > segment.sizeBytes - place) return undefined;
      block = new JournalBlock(segment, place, this.#memory(length));
      if (!block.grow(this.#files, fd, this.#log)) return undefined;
    }
    this.#blocks.push(block);
    this.#idleBytes += block.data.length;
    return block;
  }

  #letGo(): void {
    this.#blocks = this.#blocks.filter(block => {
      if (block.pins > 0 || this.#idleBytes <= logCacheBytes) return true;
      this.#idleBytes -= block.data.length;
      this.#keep(block.data);
      return false;
    });
  }

  #keep(data: Buffer): void {
    if (data.length === logReadBytes) this.#spare = data;
    else if (data.length <= logCacheBytes && data.length > (this.#longSpare?.length ?? 0)) this.#longSpare = data;
  }

  /** So many bytes, or more. */
  #memory(length: number): Buffer {
    const isLong = length > logReadBytes;
    const spare = isLong ? this.#longSpare : this.#spare;
    // In steps, for appends of one kind differ by a little.
    if (spare === undefined || spare.length < length) return Buffer.allocUnsafeSlow(Math.ceil(length / logReadBytes) * logReadBytes);
    if (isLong) this.#longSpare = undefined;
    else this.#spare = undefined;
    return spare;
  }
}
