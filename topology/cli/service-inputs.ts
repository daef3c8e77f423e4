// The inputs of a pair that runs: the topics of the log, or capture files in their place, each partition read on from where the last commit
// of the group has left it.
import type { PairSettings, SideSettings } from '../../schemas/pair.ts';
import { ParitasError } from '../../schemas/errors.ts';
import { openSideCaptures, type SideCaptures } from '../log/capture-side.ts';
import { LogError } from '../log/embedded-error.ts';
import type { Log, LogQuery, PartitionReader, TopicPartition } from '../log/log.ts';
import { toBeginAnew } from '../runtime/same-chain.ts';
import { tailing } from '../runtime/tailing.ts';
import type { SideReaders } from './wire-pair.ts';

export interface SideInputs { readonly readers: SideReaders; close(): Promise<void> }

export interface InputParts {
  readonly log: Log;
  readonly group: string;
  /** Called when a reader that stood at its end may have more. */
  readonly wake: () => void;
  /** The clock by which the log stamps what is appended, milliseconds; undefined: it is not known. */
  readonly logNowMs: (() => number) | undefined;
  /** Of the task: no wait for what is not here yet goes on after it. */
  readonly signal: AbortSignal;
  /** Of the rows only this one; undefined: all. */
  readonly partition?: number | undefined;
}

export async function openInputs(pair: PairSettings, side: SideSettings, parts: InputParts): Promise<SideInputs> {
  return side.files.length > 0 ? openFiles(side, parts) : openTopics(pair, side, parts);
}

/** A line that cannot be read stops the service: it has no offset to go on from. The log keeps the positions, so it gets topics of these names. */
async function openFiles(side: SideSettings, parts: InputParts): Promise<SideInputs> {
  const captures: SideCaptures = await openSideCaptures(side, { skipBadLines: false });
  await makeTopics([...captures.rows.partitions, ...captures.transactions, ...captures.heartbeat], parts.log);
  const from = (readers: readonly PartitionReader[]): Promise<PartitionReader[]> => Promise.all(readers.map(async reader => {
    await skipTo(reader, await committed(parts, reader) ?? 0);
    return tailing(reader, parts.wake, parts);
  }));
  return {
    readers: { rows: await from(captures.rows.partitions), beside: await from([...captures.transactions, ...captures.heartbeat]), readUpToMs: () => captures.readUpToMs() },
    close: () => captures.close(),
  };
}

async function openTopics(pair: PairSettings, side: SideSettings, parts: InputParts): Promise<SideInputs> {
  const open = async (topic: string, only?: number): Promise<PartitionReader[]> => {
    const count = await partitionsOf(pair, topic, parts.log);
    const partitions = only === undefined ? Array.from({ length: count }, (_, partition) => partition) : [only];
    return Promise.all(partitions.map(partition => openFollowing(pair, { topic, partition }, parts)));
  };
  const rows = await open(side.topic, parts.partition);
  const beside: PartitionReader[] = [];
  for (const topic of [side.transactions?.topic, side.heartbeat?.topic]) if (topic !== undefined) beside.push(...await open(topic));
  return {
    readers: { rows, beside, ...(parts.logNowMs === undefined ? {} : { nowMs: parts.logNowMs }) },
    async close() {
      for (const reader of [...rows, ...beside]) await reader.close();
    },
  };
}

/** How many a topic has. */
export async function partitionsOf(pair: PairSettings, topic: string, log: LogQuery): Promise<number> {
  try {
    return await log.partitions(topic);
  } catch (error) {
    if (!(error instanceof LogError) || error.reason !== 'unknown-topic') throw error;
    throw new ParitasError('input', `pair "${pair.name}": the log has no topic ${topic}; it has ${(await log.topics()).join(', ') || 'none'}. Name a capture with file:, or the log that has it`, { cause: error });
  }
}

/** From where the last commit has left it, without end. Its `fill` does not wait. */
export async function openFollowing(pair: PairSettings, at: TopicPartition, parts: Pick<InputParts, 'log' | 'group' | 'wake' | 'signal'>): Promise<PartitionReader> {
  const reader = await parts.log.open(at, await beginAt(pair, at, parts), { follow: true });
  const told = (failure: unknown): unknown => (isGone(failure) ? gone(pair, at, reader.position, failure.message, failure) : failure);
  return tailing(reader, parts.wake, { told, signal: parts.signal });
}

/**
 * Where the last commit has left the partition; its beginning for one that is read for the first time. What retention has taken in between
 * was judged by nobody: going on behind it would call windows parity whose changes are gone.
 */
async function beginAt(pair: PairSettings, at: TopicPartition, parts: Pick<InputParts, 'log' | 'group'>): Promise<number> {
  const [position, beginning, end] = [await committed(parts, at), await parts.log.beginningOffset(at), await parts.log.endOffset(at)];
  if (position === undefined) return beginning;
  if (position >= beginning && position <= end) return position;
  const what = position < beginning
    ? `its log begins at ${beginning} now: retention has taken ${beginning - position} offsets that were not read`
    : `its log ends at ${end}: it was cut, or is another topic of that name`;
  throw gone(pair, at, position, what);
}

/** Also while it runs, for retention may overtake a reader: the next start finds the same. */
function gone(pair: PairSettings, at: TopicPartition, position: number, what: string, cause?: LogError): ParitasError {
  return new ParitasError('state', `pair "${pair.name}": ${at.topic}-${at.partition} was read to offset ${position}, and ${what}. No verdict can speak of what is gone: `
    + `put the log back, or ${toBeginAnew(pair.name)}. Its first windows are undecidable`, { cause });
}

function isGone(failure: unknown): failure is LogError {
  return failure instanceof LogError && failure.reason === 'out-of-range';
}

async function makeTopics(readers: readonly PartitionReader[], log: Log): Promise<void> {
  const partitions = new Map<string, number>();
  for (const { topic, partition } of readers) partitions.set(topic, Math.max(partitions.get(topic) ?? 0, partition + 1));
  for (const [topic, count] of partitions) await log.createTopic(topic, { partitions: count, cleanup: 'delete' });
}

function committed({ log, group }: Pick<InputParts, 'log' | 'group'>, { topic, partition }: TopicPartition): Promise<number | undefined> {
  return log.committed(group, { topic, partition });
}

/** What is in the capture below that offset was read by an earlier run. */
export async function skipTo(reader: PartitionReader, offset: number): Promise<void> {
  while (reader.position < offset) {
    if (reader.next() || (await reader.fill())) continue;
    throw new ParitasError('input', `${reader.topic}-${reader.partition}: the capture ends at offset ${reader.position}, and it was read to ${offset} before: it is another file, or it was cut`);
  }
}

/** Of each topic its id: offsets of a topic that was made anew mean nothing in it. */
export async function topicIdsOf(log: Log, inputs: readonly TopicPartition[]): Promise<Record<string, string>> {
  const topics = [...new Set(inputs.map(({ topic }) => topic))];
  return Object.fromEntries(await Promise.all(topics.map(async topic => [topic, await log.topicId(topic)] as const)));
}
