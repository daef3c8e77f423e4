// Holds a task's local store against its changelog: every key of every family, and the positions. The changelog is folded into a second store
// with each value's offset in front, and the two are walked side by side: memory stays small however large the state is.
//
// A store may stand behind its changelog (a process died between append and store). What lies beyond its position is no difference: the next
// start applies it.
import { restoreBatchBytes, stateDifferencesMax, statePageRows } from '../../schemas/limits.ts';
import { finishExpiry } from '../../stores/expired-ranges.ts';
import { StoreError } from '../../stores/store-error.ts';
import type { Row, StoreEngine, WriteOp } from '../../stores/store.ts';
import type { LogQuery, LogReader, TopicPartition } from '../log/log.ts';
import { fromChangelog, storedPosition } from './changelog.ts';
import { doubtOf } from './restoration.ts';
import { inputPositionsOf } from './place-record.ts';

export interface StateDifference {
  readonly family: string;
  /** The key in hex. */
  readonly key: string;
  /** missing: only the changelog has it. extra: only the store. differs: another value. */
  readonly what: 'missing' | 'extra' | 'differs';
  /** Of the changelog's last record of that key; undefined where it has none. */
  readonly offset: number | undefined;
}

export interface StateReport {
  readonly keys: number;
  /** How far of the changelog the store has, and where the changelog ends. */
  readonly position: number;
  readonly end: number;
  /** The first of them, families and keys in byte order. */
  readonly differences: readonly StateDifference[];
  readonly differenceCount: number;
  /** What is wrong beside single keys. */
  readonly problems: readonly string[];
}

export interface VerifyParts {
  readonly log: LogReader & Pick<LogQuery, 'topicId' | 'beginningOffset' | 'endOffset' | 'committed'>;
  readonly changelog: TopicPartition;
  readonly group: string;
  readonly engine: StoreEngine;
  /** An empty store with the same families; it is filled. */
  readonly scratch: StoreEngine;
  readonly families: readonly string[];
  readonly nowMs: () => number;
}

/** Throws StoreError where the store cannot be read. */
export async function verifyState(parts: VerifyParts): Promise<StateReport> {
  const { log, changelog, engine, scratch, families } = parts;
  const problems: string[] = [];
  finishExpiry(engine);
  const end = await foldChangelog(parts, problems);
  const position = storedPosition(engine);
  const doubt = await doubtOf(engine, { log, changelog, nowMs: parts.nowMs });
  if (doubt !== undefined) problems.push(doubt);
  const found = newFindings();
  for (const family of families) compareFamily(family, engine, scratch, position, found);
  // A store that is behind has read less of the inputs than the group has committed; one that differs need not know what it has read.
  if (position === end && found.count === 0) problems.push(...await positionProblems(parts));
  return { keys: found.keys, position, end, differences: found.first, differenceCount: found.count, problems };
}

interface Findings { keys: number; count: number; readonly first: StateDifference[] }

function newFindings(): Findings {
  return { keys: 0, count: 0, first: [] };
}

async function foldChangelog({ log, changelog, scratch, families }: VerifyParts, problems: string[]): Promise<number> {
  const end = await log.endOffset(changelog);
  const reader = await log.open(changelog, await log.beginningOffset(changelog));
  const unknown = new Set<string>();
  let [ops, bytes]: [WriteOp[], number] = [[], 0];
  try {
    while (await reader.fill()) {
      while (reader.next() && reader.record.offset < end) {
        const op = fromChangelog(reader.record);
        if (!families.includes(op.family)) {
          unknown.add(op.family);
          continue;
        }
        ops.push({ ...op, value: packed(reader.record.offset, op.value) });
        if ((bytes += op.key.length + (op.value?.length ?? 0)) < restoreBatchBytes) continue;
        scratch.write(ops);
        [ops, bytes] = [[], 0];
      }
    }
    scratch.write(ops);
  } finally {
    await reader.close();
  }
  for (const family of unknown) problems.push(`the changelog has a family "${family}" that this version does not know: another version wrote it`);
  return end;
}

/** Both in byte order: whoever has the smaller key has one that the other lacks. */
function compareFamily(family: string, engine: StoreEngine, scratch: StoreEngine, position: number, found: Findings): void {
  const [stored, logged] = [rowsOf(engine, family), rowsOf(scratch, family)];
  let [own, told] = [stored.next().value, logged.next().value];
  while (own !== undefined || told !== undefined) {
    const order = own === undefined ? 1 : told === undefined ? -1 : Buffer.compare(own[0], told[0]);
    const key = ((order <= 0 ? own : told) as Row)[0].toString('hex');
    const value = order <= 0 ? own?.[1] : undefined;
    const word = order >= 0 && told !== undefined ? unpacked(told[1]) : undefined;
    if (value !== undefined) found.keys++;
    const what = differenceOf(value, word, position);
    if (what !== undefined && found.count++ < stateDifferencesMax) found.first.push({ family, key, what, offset: word?.offset });
    if (order <= 0) own = stored.next().value;
    if (order >= 0) told = logged.next().value;
  }
}

/** `word`: the changelog's last one about the key. What it said after the store's position the store cannot know. */
function differenceOf(value: Buffer | undefined, word: Word | undefined, position: number): StateDifference['what'] | undefined {
  if (word !== undefined && word.offset >= position) return undefined;
  if (word?.value === undefined) return value === undefined ? undefined : 'extra';
  if (value === undefined) return 'missing';
  return value.equals(word.value) ? undefined : 'differs';
}

function* rowsOf(engine: StoreEngine, family: string): Generator<Row, undefined> {
  for (let gt: Buffer | undefined; ;) {
    const page = engine.range(family, { gt, limit: statePageRows });
    yield* page;
    if (page.length < statePageRows) return;
    gt = page[page.length - 1][0];
  }
}

/** What the state has read of its inputs is what the group has committed. */
async function positionProblems({ engine, log, group }: VerifyParts): Promise<string[]> {
  const problems: string[] = [];
  for (const at of inputPositionsOf(engine)) {
    const committed = await log.committed(group, at);
    if (committed !== at.offset) problems.push(`the state has read ${at.topic}-${at.partition} to ${at.offset}, and the committed position of the group ${group} is ${committed ?? 'none'}`);
  }
  return problems;
}

interface Word { readonly offset: number; readonly value: Buffer | undefined }

const HEAD_BYTES = 9;

/** A deletion is kept too: of one that the store has not come to yet, the key is still there. */
function packed(offset: number, value: Buffer | null): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeBigUInt64BE(BigInt(offset));
  head[8] = value === null ? 0 : 1;
  return value === null ? head : Buffer.concat([head, value]);
}

function unpacked(bytes: Buffer): Word {
  return { offset: Number(bytes.readBigUInt64BE()), value: bytes[8] === 0 ? undefined : bytes.subarray(HEAD_BYTES) };
}

/** A store that cannot be read as a report: what the disk said is the problem. Rethrows what is none of the store's contents. */
export function unreadableState(thrown: unknown): StateReport {
  if (!(thrown instanceof StoreError) || !(thrown.corruptsState || thrown.reason === 'io')) throw thrown;
  return { keys: 0, position: 0, end: 0, differences: [], differenceCount: 0, problems: [thrown.message] };
}
