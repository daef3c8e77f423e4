// Which chain of verdicts a pair is at. A reset begins the next one with one record in a topic of the application's own; whatever belongs to a chain
// (changelogs, windows, positions) has the chain in its name, so what is left of an earlier one is in nobody's way, and a reset that was cut short
// has either begun the next chain or has not.
//
// Counter-example to taking the names anew: a crash between the removal of the changelog and that of the positions leaves a task that begins
// without a state in the middle of its inputs.
import type { Log, LogQuery, LogReader } from '../log/log.ts';

export interface ChainRecord {
  readonly pair: string;
  /** From 2 on: the first chain needs no record. */
  readonly chain: number;
  /** When it was begun, RFC 3339. */
  readonly begunAt: string;
  /** Reconcile tasks that the chain before ran as: a replay splits as it did. */
  readonly reconcileTasksBefore: number;
}

export type ChainLog = LogReader & Pick<LogQuery, 'topics' | 'beginningOffset'>;

export function chainsTopicOf(application: string): string {
  return `${application}-chains`;
}

/** In the order of the log; none where nothing was ever reset. */
export async function readChains(application: string, log: ChainLog): Promise<ChainRecord[]> {
  const at = { topic: chainsTopicOf(application), partition: 0 };
  if (!(await log.topics()).includes(at.topic)) return [];
  const reader = await log.open(at, await log.beginningOffset(at));
  const chains: ChainRecord[] = [];
  try {
    do while (reader.next()) chains.push(JSON.parse(reader.record.data.toString('utf8', reader.record.valueStart, reader.record.valueEnd)) as ChainRecord);
    while (await reader.fill());
  } finally {
    await reader.close();
  }
  return chains;
}

/** 1 where the pair was never reset. */
export function chainIn(chains: readonly ChainRecord[], pair: string): number {
  return Math.max(1, ...chains.filter(of => of.pair === pair).map(({ chain }) => chain));
}

/** Begins the chain. Once it has resolved, whoever opens a task of the pair finds it. */
export async function beginChain(application: string, log: Log, record: ChainRecord): Promise<void> {
  const topic = chainsTopicOf(application);
  await log.createTopic(topic, { partitions: 1, cleanup: 'compact' });
  const writer = await log.writer(topic);
  await writer.append({ records: [{ topic, partition: 0, key: Buffer.from(`${record.pair}/${record.chain}`), value: Buffer.from(JSON.stringify(record)) }], positions: [], group: topic });
}
