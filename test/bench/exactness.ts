// Whether a contender has found what is in the topics, each fault once and under its right name, and nothing else.
import type { Log } from '../../topology/log/log.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { eachRecord } from './read-topic.ts';
import type { ShopTopics } from './shop-topics.ts';

/** What a contender has said. A finding's name is its class, row, window and position. */
export interface Findings {
  readonly findings: readonly string[];
  /** Changes of the source by the start of their window, milliseconds since the epoch. */
  readonly windows: ReadonlyMap<number, number>;
  readonly verdictsRepeated: number;
}

export interface Exactness {
  readonly faults: number;
  readonly found: number;
  /** Names; empty where all is right. */
  readonly invented: readonly string[];
  readonly missed: readonly string[];
  readonly repeated: number;
  readonly windows: number;
  /** All but the last few, which nothing closes. */
  readonly windowsRight: number;
  readonly verdictsRepeated: number;
}

const nameOf = (kind: string, key: number | string, windowMs: number, lsn: number | string): string => `${kind} ${key} ${windowMs} ${lsn}`;

export function exactness(topics: ShopTopics, { findings, windows, verdictsRepeated }: Findings): Exactness {
  const should = new Set(topics.faults.map(fault => nameOf(fault.class, fault.key, fault.windowMs, (fault.class === 'unexpected' ? fault.targetLsn : fault.sourceLsn) ?? NaN)));
  const is = new Set(findings);
  const missed = [...should.difference(is)];
  return {
    faults: should.size, found: should.size - missed.length, invented: [...is.difference(should)].slice(0, 5), missed: missed.slice(0, 5), repeated: findings.length - is.size,
    windows: topics.windows.size, windowsRight: [...topics.windows].filter(([start, changes]) => windows.get(start) === changes).length, verdictsRepeated,
  };
}

export async function findingsOfParitas(log: Log, outputs: { readonly verdicts: string; readonly manifests: string }): Promise<Findings> {
  const findings: string[] = [];
  await eachJson(log, outputs.manifests, record => {
    const { record: kind, class: name, key, window, source, target } = record as Extract<OutputRecord, { record: 'manifest' }>;
    if (kind === 'manifest') findings.push(nameOf(name, String(key['id']), Date.parse(window.start), name === 'unexpected' ? lastOf(target?.position) : lastOf(source?.position)));
  });
  const windows = new Map<number, number>();
  let verdictsRepeated = 0;
  await eachJson(log, outputs.verdicts, record => {
    const { record: kind, status, window, counts } = record as Extract<OutputRecord, { record: 'verdict' }>;
    if (kind !== 'verdict' || status !== 'final') return;
    if (windows.has(Date.parse(window.start))) verdictsRepeated++;
    windows.set(Date.parse(window.start), Number(counts.sourceEvents));
  });
  return { findings, windows, verdictsRepeated };
}

/** PostgreSQL's position is epoch, lsn of the commit, lsn. */
function lastOf(position = ''): string {
  return position.slice(position.lastIndexOf(':') + 1);
}

/** The peer says a verdict for each shard. */
export async function findingsOfPeer(log: Log, verdicts: string, manifests: string): Promise<Findings> {
  const findings: string[] = [];
  await eachJson(log, manifests, record => {
    const { class: name, key, window, origin, target } = record as { class: string; key: number; window: number; origin: number; target: number };
    findings.push(nameOf(name, key, window, name === 'unexpected' ? target : origin));
  });
  const windows = new Map<number, number>();
  const said = new Set<string>();
  let verdictsRepeated = 0;
  await eachJson(log, verdicts, record => {
    const { shard, window, source } = record as { shard: number; window: number; source: number };
    if (said.has(`${shard} ${window}`)) verdictsRepeated++;
    said.add(`${shard} ${window}`);
    windows.set(window, (windows.get(window) ?? 0) + source);
  });
  return { findings, windows, verdictsRepeated };
}

function eachJson(log: Log, topic: string, take: (record: unknown) => void): Promise<void> {
  return eachRecord(log, topic, ({ data, valueStart, valueEnd }) => { take(JSON.parse(data.toString('utf8', valueStart, valueEnd))); });
}
