// The captures of test/fixtures/captures, one table of them against one target, checked as a user would configure it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { checkConfig, type Checked } from './check.ts';

export const fixtures: string = join(import.meta.dirname, '../fixtures/captures');

/** tgt: the PostgreSQL target; tgtm: the MariaDB target. */
export type CaptureTarget = 'tgt' | 'tgtm';

const ORIGIN_COLUMNS = ['origin_lsn', 'origin_seq', 'origin_tx', 'origin_us', 'origin_part', 'origin_off'];

export function captureFile(capture: string, topic: string): string {
  return join(fixtures, capture, `${topic}.jsonl.gz`);
}

/** The pair as it would stand in paritas.yaml. */
export function capturePair(capture: string, table: string, target: CaptureTarget): Record<string, unknown> {
  const schema = JSON.parse(readFileSync(join(fixtures, 'schemas', table === 'orders' ? 'orders.v2.value.json' : `${table}.value.json`), 'utf8')) as object;
  const targetTopic = target === 'tgt' ? `tgt.public.${table}` : `tgtm.shop.${table}`;
  return {
    name: `${table}-${target}`,
    source: { file: captureFile(capture, `src.public.${table}`), format: 'debezium-json', valueSchema: schema },
    target: { file: captureFile(capture, targetTopic), format: 'debezium-json', valueSchema: schema, replicaIdentity: 'full' },
    match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
    window: { size: '1s', lateness: '5s', lag: '30s', skew: '1s' },
    columns: { ignore: ORIGIN_COLUMNS, ...(target === 'tgtm' && table === 'orders' ? { types: { ratio: { source: 'decimal', target: 'decimal(65,30)' } } } : {}) },
  };
}

export async function checkCapture(capture: string, table: string, target: CaptureTarget, change: (pair: Record<string, unknown>) => Record<string, unknown> = pair => pair): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-capture-'));
  try {
    const path = join(folder, 'paritas.yaml');
    writeFileSync(path, stringify({ application: 'captures', pairs: [change(capturePair(capture, table, target))] }));
    return await checkConfig(path, { complete: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
