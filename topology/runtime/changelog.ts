// The changelog: the writes of the local store once more, as records of a compacted topic. A record's key names the family and the key in it,
// so compaction keeps of each what was written last; its value begins with a format byte; no value: deleted.
import type { RawRecord } from '../../schemas/raw-record.ts';
import { StoreError } from '../../stores/store-error.ts';
import { OFFSETS_FAMILY, type StoreEngine, type WriteOp } from '../../stores/store.ts';
import type { AppendRecord, TopicPartition } from '../log/log.ts';

export const CHANGELOG_FORMAT = 1;

export function toChangelog({ topic, partition }: TopicPartition, { family, key, value }: WriteOp): AppendRecord {
  const name = Buffer.from(family);
  return {
    topic, partition,
    key: Buffer.concat([Buffer.of(name.length), name, key]),
    value: value === null ? null : Buffer.concat([Buffer.of(CHANGELOG_FORMAT), value]),
  };
}

/** Makes bytes of a record one's own. */
export type CopyBytes = (data: Buffer, start: number, end: number) => Buffer;

const intoOwn: CopyBytes = (data, start, end) => Buffer.from(data.subarray(start, end));

/** Bytes are copied. Throws StoreError (`wrong-format`): a later version wrote it, or it is no changelog. */
export function fromChangelog({ topic, partition, offset, data, keyStart, keyEnd, valueStart, valueEnd }: RawRecord, copy: CopyBytes = intoOwn): WriteOp {
  const length = keyStart < 0 || keyEnd === keyStart ? 0 : data[keyStart];
  const at = keyStart + 1 + length;
  if (length === 0 || at > keyEnd) throw unreadable(`${topic}-${partition}@${offset} is a record of no store`);
  if (valueStart >= 0 && data[valueStart] !== CHANGELOG_FORMAT) {
    throw unreadable(`${topic}-${partition}@${offset} is of format ${String(data[valueStart])}, and this version reads format ${CHANGELOG_FORMAT}`);
  }
  return {
    family: data.toString('utf8', keyStart + 1, at), key: copy(data, at, keyEnd),
    value: valueStart < 0 ? null : copy(data, valueStart + 1, valueEnd),
  };
}

function unreadable(what: string): StoreError {
  return new StoreError('wrong-format', `the changelog cannot be restored from: ${what}. Start the version that wrote it`);
}

const POSITION_KEY = Buffer.from('changelog');

/** The write that says how far of the changelog the store has: it goes into the same batch as what it speaks of. */
export function changelogPosition(offset: number): WriteOp {
  return { family: OFFSETS_FAMILY, key: POSITION_KEY, value: Buffer.from(String(offset)) };
}

/** 0 where the store has nothing of it. */
export function storedPosition(engine: StoreEngine): number {
  return Number(engine.get(OFFSETS_FAMILY, POSITION_KEY)?.toString() ?? '0');
}
