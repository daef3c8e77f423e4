// The topics beside the rows on their way through the runtime: they enter no verdict, and what cannot be read there is a dead letter.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';

import { checkConfig } from '../../support/check.ts';
import type { Checked } from '../../support/check.ts';
import { captureFile, capturePair } from '../../support/captures.ts';
import { TARGET } from '../../../schemas/change-event.ts';
import type { RawRecord } from '../../../schemas/raw-record.ts';
import type { DeadLetterRecord, SummaryRecord, VerdictRecord } from '../../../schemas/records.ts';
import type { PartitionReader } from '../../../topology/log/log.ts';
import { auxiliaryMember, createAuxiliaryTaker } from '../../../topology/runtime/auxiliaries.ts';
import { rawRecord, settingsOf } from '../../schemas/formats/records.ts';

async function checkPair(pair: Record<string, unknown>, files: Record<string, string> = {}): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-beside-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'paritas.yaml'), stringify({ application: 'beside', pairs: [pair] }));
    return await checkConfig(join(folder, 'paritas.yaml'), { complete: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const plain = capturePair('faults-all', 'orders', 'tgt');
const withTopics = (files: { transactionFile: string }): Record<string, unknown> => ({ ...plain, source: { ...(plain['source'] as object), transactionTopic: 'src.transaction', ...files } });

void test('a topic beside the rows enters no verdict: the cores are the same with and without it', async () => {
  const cores = ({ records }: Checked): string[] => records.filter((record): record is VerdictRecord => record.record === 'verdict').map((verdict) => verdict.coreHash);
  const beside = await checkPair(withTopics({ transactionFile: captureFile('faults-all', 'src.transaction') }));
  assert.deepEqual(cores(beside), cores(await checkPair(plain)));
  assert.equal(beside.exitCode, 1);
});

void test('what cannot be read there is a dead letter, names its topic, and makes no window undecidable', async () => {
  const broken = '{"partition":0,"offset":41,"timestamp":1,"key":null,"value":"{\\"status\\":\\"END\\",\\"id\\":\\"1\\",\\"event_count\\":-1}","headers":[]}\n';
  const { records } = await checkPair(withTopics({ transactionFile: 'tx.jsonl' }), { 'tx.jsonl': broken });
  const letters = records.filter((record): record is DeadLetterRecord => record.record === 'dead-letter');
  assert.deepEqual(letters.map(({ side, topic, partition, offset, reason }) => [side, topic, partition, offset, reason]), [['source', 'src.transaction', 0, '41', 'malformed']]);
  const summary = records.at(-1) as SummaryRecord;
  assert.deepEqual([summary.windows.undecidable, summary.counts.deadLettered], ['0', '1']);
});

void test('the ENDs of a transaction topic are handed over in its order, once each, as the connector wrote them', () => {
  const reader = { topic: 'tx', partition: 0, record: rawRecord({}) } as unknown as PartitionReader & { record: RawRecord };
  const seen: string[] = [];
  const taker = createAuxiliaryTaker(settingsOf(), (side, end) => seen.push(`${side} ${end.id} ${end.collections.map(({ name, eventCount }) => `${name}=${eventCount}`).join()}`), () => assert.fail('nothing to bury'));
  const beside = auxiliaryMember(settingsOf(), TARGET, reader, NaN);
  for (const [status, id, counts] of [['BEGIN', '7:1', 'null'], ['END', '7:9', '[{"data_collection":"public.a","event_count":2}]'], ['BEGIN', '8:9', 'null'], ['END', '8:9', '[]']]) {
    reader.record = rawRecord({ value: `{"status":"${status}","id":"${id}","event_count":${counts === 'null' ? 'null' : counts === '[]' ? 0 : 2},"data_collections":${counts},"ts_ms":5}` });
    taker.take(beside);
  }
  assert.deepEqual(seen, ['1 7:9 public.a=2', '1 8:9 ']);
});

void test('a time long after its record is no evidence: neither a beat nor an END, and a dead letter', () => {
  const reader = { topic: 'tx', partition: 0, record: rawRecord({ value: '{"status":"END","id":"7:9","event_count":0,"data_collections":[],"ts_ms":9000000}', timestamp: 5 }) } as unknown as PartitionReader;
  const reasons: string[] = [];
  const taker = createAuxiliaryTaker(settingsOf(), () => assert.fail('an END that is not believed'), (_, letter) => reasons.push(letter.reason));
  const beside = auxiliaryMember(settingsOf({ target: { delivery: 'exactly-once' } }), TARGET, reader, NaN);
  taker.take(beside);
  assert.deepEqual([reasons, beside.beats.latestUs], [['future'], -Infinity]);
});
