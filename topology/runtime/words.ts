// Words as records of the pair's windows topic. A word may be larger than a broker takes as one record, so it is cut into parts; they lie one
// behind the other, for one task writes a partition and a word is in one append.
import { unpackWord, packWord, WORD_FORMAT, type Word } from '../../processors/word.ts';
import { ParitasError } from '../../schemas/errors.ts';
import { wordPartBytes } from '../../schemas/limits.ts';
import type { AppendRecord, PartitionReader, TopicPartition } from '../log/log.ts';

/** Format, and whether another part follows. */
const HEAD_BYTES = 2;

export function toRecords({ topic, partition }: TopicPartition, word: Word): AppendRecord[] {
  const bytes = packWord(word);
  const records: AppendRecord[] = [];
  for (let at = 0; at < bytes.length; at += wordPartBytes) {
    const isLast = at + wordPartBytes >= bytes.length;
    records.push({ topic, partition, key: null, value: Buffer.concat([Buffer.of(WORD_FORMAT, isLast ? 0 : 1), bytes.subarray(at, at + wordPartBytes)]) });
  }
  return records;
}

export interface WordReader {
  /** The word that was read last. */
  readonly word: Word | undefined;
  /** Offsets of that word's first record, and after its last. */
  readonly begin: number;
  readonly end: number;
  /** Reads the next word; false: it is not there yet. */
  next(): Promise<boolean>;
}

/** `reader`: at the beginning of a word; one that does not wait (tailing.ts). */
export function createWordReader(reader: PartitionReader): WordReader {
  let parts: Buffer[] = [];
  let partsFrom = 0;
  const read: { word: Word | undefined; begin: number; end: number } = { word: undefined, begin: reader.position, end: reader.position };

  function take(): boolean {
    const { record } = reader;
    const { format, isLast, part } = partOf(record);
    if (format !== WORD_FORMAT) throw new ParitasError('state', `${record.topic}-${record.partition}@${record.offset} is of format ${format}, and this version reads format ${WORD_FORMAT}: let all services of the application be of one version`);
    if (parts.length === 0) partsFrom = record.offset;
    parts.push(part);
    if (!isLast) return false;
    Object.assign(read, { word: unpackWord(Buffer.concat(parts)), begin: partsFrom, end: record.offset + 1 });
    parts = [];
    return true;
  }

  return {
    get word() { return read.word; },
    get begin() { return read.begin; },
    get end() { return read.end; },
    async next() {
      for (;;) {
        while (reader.next()) if (take()) return true;
        if (!(await reader.fill())) return false;
      }
    },
  };
}

function partOf({ data, valueStart, valueEnd }: PartitionReader['record']): { format: number; isLast: boolean; part: Buffer } {
  return { format: data[valueStart], isLast: data[valueStart + 1] === 0, part: Buffer.from(data.subarray(valueStart + HEAD_BYTES, valueEnd)) };
}
