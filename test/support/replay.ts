// A check and the replay of what it printed, over the same captures or over changed ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { OutputRecord } from '../../schemas/records.ts';
import { runCheck, runReplay } from '../../topology/cli/check-engine.ts';
import { loadConfig } from '../../topology/config.ts';

export interface Replayed { readonly recorded: OutputRecord[]; readonly recomputed: OutputRecord[] }
export interface Captures { readonly source: readonly string[]; readonly target: readonly string[] }

/** `change`: what becomes of the recording before it is replayed. `replayed`: the captures that it is replayed over, where they are others. */
export async function checkAndReplay(
  pair: Record<string, unknown>, captures: Captures, complete: boolean,
  { change = records => records, replayed = captures, shards = 1 }: { change?: (recorded: OutputRecord[]) => OutputRecord[]; replayed?: Captures; shards?: number } = {},
): Promise<Replayed> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-test-'));
  const write = (files: Captures): void => {
    for (const side of ['source', 'target'] as const) writeFileSync(join(folder, `${side}.jsonl`), files[side].map(line => line + '\n').join(''));
  };
  try {
    write(captures);
    const sides = Object.fromEntries(['source', 'target'].map(side => [side, { ...(pair[side] as object), file: `${side}.jsonl` }]));
    writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'test', log: { embedded: { directory: './log' } }, pairs: [{ ...pair, ...sides }] }));
    const { pairs } = loadConfig(join(folder, 'paritas.yaml'));
    const recorded = change([...(await runCheck(pairs, { complete, skipBadLines: true })).records()]);
    write(replayed);
    const decisions = recorded.filter(record => record.record === 'decision').map((record, i) => ({ at: `recorded.jsonl:${i + 1}`, record }));
    const recomputed = [...(await runReplay(pairs, new Map([[pairs[0].name, decisions]]), { complete: false, skipBadLines: true, shards })).records()];
    return { recorded, recomputed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The records that rest on decisions, as lines. Dead letters beyond the last decision are no part of a verdict, and a replay does not read them. */
export function judged(records: readonly OutputRecord[]): string[] {
  const last = records.filter(record => record.record === 'decision').at(-1);
  const below = (record: OutputRecord): boolean => record.record !== 'dead-letter' || record.offset === undefined
    || last?.frontiers.some(({ side, topic, partition, offset }) => side === record.side && topic === record.topic && partition === record.partition && Number(record.offset) < Number(offset)) === true;
  return records.filter(record => record.record !== 'status' && record.record !== 'summary' && below(record)).map(record => JSON.stringify(record));
}
