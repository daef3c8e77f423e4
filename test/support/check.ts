// The system under test, as tests reach it: a pair as in paritas.yaml and two captures as lines in, the records that `check -o jsonl`
// prints out. In the same process, through the same configuration and engine as the command line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { OutputRecord } from '../../schemas/records.ts';
import type { RocksdbPackage } from '../../stores/rocksdb-platform.ts';
import type { CheckOptions } from '../../topology/check-types.ts';
import { runCheck } from '../../topology/cli/check-engine.ts';
import { loadConfig } from '../../topology/config.ts';

export interface Checked { readonly records: OutputRecord[]; readonly exitCode: number; readonly text: string }

export interface CheckedOptions { readonly complete?: boolean; readonly skipBadLines?: boolean; readonly store?: 'memory' | RocksdbPackage; readonly shards?: number; readonly publish?: 'at-end' | 'at-close'; readonly beside?: Readonly<Record<string, readonly string[]>> }

export async function check(
  config: { pair: Record<string, unknown> }, sourceLines: readonly string[], targetLines: readonly string[], options: CheckedOptions = {},
): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-test-'));
  try {
    writeFileSync(join(folder, 'source.jsonl'), sourceLines.map(line => line + '\n').join(''));
    writeFileSync(join(folder, 'target.jsonl'), targetLines.map(line => line + '\n').join(''));
    for (const [name, lines] of Object.entries(options.beside ?? {})) writeFileSync(join(folder, name), lines.map(line => line + '\n').join(''));
    const pair = { name: 'test', ...config.pair, source: withFile(config.pair['source'], 'source.jsonl'), target: withFile(config.pair['target'], 'target.jsonl') };
    writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'test', log: { embedded: { directory: './log' } }, pairs: [pair] }));
    return await checkConfig(join(folder, 'paritas.yaml'), options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same over a configuration that is there already. */
export async function checkConfig(path: string, options: CheckedOptions = {}): Promise<Checked> {
  const { pairs } = loadConfig(path);
  const result = await runCheck(pairs, {
    complete: options.complete ?? false, skipBadLines: options.skipBadLines ?? false, ...storeOf(options.store), ...(options.shards === undefined ? {} : { shards: options.shards }), ...(options.publish === undefined ? {} : { publish: options.publish }),
  });
  const records = [...result.records()];
  return { records, exitCode: result.exitCode, text: records.map(record => JSON.stringify(record) + '\n').join('') };
}

function storeOf(store: CheckedOptions['store']): Pick<CheckOptions, 'store' | 'stateEngine'> {
  if (store === undefined || store === 'memory') return store === undefined ? {} : { store };
  return { store: 'rocksdb', stateEngine: store };
}

function withFile(side: unknown, file: string): Record<string, unknown> {
  return { format: 'debezium-json', topic: file === 'source.jsonl' ? 'source' : 'target', ...(side as Record<string, unknown> | undefined), file };
}
