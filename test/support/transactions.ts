// A pair with transaction topics on one or both sides, written down as rows and ENDs and checked through the command line's own engine.
// Rows are PostgreSQL's: `txid:lsn` on a row, `txid:commit lsn` on its END. Times are milliseconds after START.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ManifestRecord, OutputRecord, VerdictRecord } from '../../schemas/records.ts';
import { checkConfig, type Checked } from './check.ts';

const START = 1_700_000_000_000;

export interface Row { readonly tx: number; readonly atMs: number; readonly id: number; readonly origin?: number; readonly lsn: number; readonly garbage?: true; readonly value?: string; readonly order?: number; readonly partition?: number }
export interface End { readonly tx: number; readonly atMs: number; readonly counts: Readonly<Record<string, number>> }
export interface SideLog { readonly rows: readonly Row[]; readonly ends?: readonly End[]; readonly firstOffset?: number; readonly topic?: string }

export interface CheckedTransactions { readonly complete?: boolean; readonly window?: Readonly<Record<string, string>>; readonly shards?: number }

export async function checkTransactions(source: SideLog, target: SideLog, { complete = true, window = {}, shards = 1 }: CheckedTransactions = {}): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-transactions-'));
  try {
    const side = (name: 'source' | 'target', { rows, ends, firstOffset = 0, topic = `${name}.public.orders` }: SideLog): object => {
      writeFileSync(join(folder, `${name}.jsonl`), rows.map((row, i) => JSON.stringify(rowRecord(name, topic, row, i + firstOffset))).join('\n'));
      if (ends !== undefined) writeFileSync(join(folder, `${name}.tx.jsonl`), ends.map((end, i) => JSON.stringify(endRecord(name, end, i))).join('\n'));
      return { file: `${name}.jsonl`, topic, format: 'debezium-json', ...(ends === undefined ? {} : { transactionTopic: `${name}.transaction`, transactionFile: `${name}.tx.jsonl` }) };
    };
    const pair = {
      name: 'orders', source: side('source', source), target: side('target', target), key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
      window: { size: '1s', lateness: '500ms', lag: '1s', skew: '100ms', ...window },
    };
    writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'transactions', pairs: [pair] }));
    return await checkConfig(join(folder, 'paritas.yaml'), { complete, shards });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The target's rows of a clean sink: one transaction a change, 100 ms later. */
export function applied(rows: readonly Row[], txFrom = 9000): Row[] {
  return rows.map((row, i) => ({ tx: txFrom + i, atMs: row.atMs + 100, id: row.id, origin: row.lsn, lsn: row.lsn + 100_000, ...(row.partition === undefined ? {} : { partition: row.partition }) }));
}

export const gapsOf = (records: readonly OutputRecord[]): ManifestRecord[] => records.filter(r => r.record === 'manifest' && r.class === 'gap') as ManifestRecord[];
export const verdictsOf = (records: readonly OutputRecord[]): VerdictRecord[] => records.filter(r => r.record === 'verdict');

function rowRecord(name: string, topic: string, { tx, atMs, id, origin, lsn, garbage, value = 'x', order = 1, partition = 0 }: Row, offset: number): object {
  const ms = START + atMs;
  const at = { topic, partition, offset, timestamp: ms + 20, key: JSON.stringify({ id }) };
  if (garbage === true) return { ...at, value: '{"before":nul' };
  return {
    ...at,
    value: JSON.stringify({
      before: null, after: { id, v: value, ...(name === 'target' ? { origin_lsn: origin ?? null } : {}) },
      source: { version: '3.6.1.Final', connector: 'postgresql', name, ts_ms: ms, ts_us: ms * 1000, snapshot: 'false', db: 'shop', sequence: `["${lsn}","${lsn}"]`, schema: 'public', table: 'orders', txId: tx, lsn },
      transaction: { id: `${tx}:${lsn}`, total_order: 1, data_collection_order: order }, op: 'c', ts_ms: ms + 10,
    }),
  };
}

function endRecord(name: string, { tx, atMs, counts }: End, offset: number): object {
  const ms = START + atMs;
  const collections = Object.entries(counts).map(([collection, count]) => ({ data_collection: collection, event_count: count }));
  const total = collections.reduce((sum, { event_count: count }) => sum + count, 0);
  return {
    topic: `${name}.transaction`, partition: 0, offset, timestamp: ms + 20, key: JSON.stringify({ id: `${tx}:1` }),
    value: JSON.stringify({ status: 'END', id: `${tx}:${tx}99`, event_count: total, data_collections: collections, ts_ms: ms }),
  };
}
