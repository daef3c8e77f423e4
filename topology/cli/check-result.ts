// The result of a one-shot run: reads the output topics back and puts their records into the fixed order of ruling 26. Bytes are parsed
// when they are asked for, so that holding a result costs its bytes and no more.
import type { DeadLetterRecord, ManifestRecord, OutputRecord, ResolvedRecord, SchemaRecord, StatusRecord, SummaryRecord, VerdictRecord } from '../../schemas/records.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { CheckResult } from '../check-types.ts';
import type { Log } from '../log/log.ts';
import { DEFAULT_OUTPUTS } from '../reconcile.ts';
import type { PairTask } from '../runtime/pair-task.ts';
import { summarise } from '../runtime/summary.ts';

export interface PairOutcome { readonly settings: PairSettings; readonly task: PairTask; readonly log: Log; readonly warnings: readonly string[] }

interface Entry { readonly key: string; readonly value: Buffer }

interface PairRecords {
  readonly audit: readonly Entry[];
  readonly verdicts: readonly Entry[];
  readonly manifests: readonly Entry[];
  readonly deadLetters: readonly Entry[];
  readonly status: readonly Entry[];
  readonly summary: SummaryRecord;
}

export async function collectResult(outcomes: readonly PairOutcome[]): Promise<CheckResult> {
  const pairs: PairRecords[] = [];
  for (const outcome of outcomes) pairs.push(await readBack(outcome));
  return {
    *records() {
      for (const pair of pairs) yield* inOrder(pair);
    },
    exitCode: worst(pairs.map(pair => pair.summary.exitCode)),
    warnings: outcomes.flatMap(outcome => outcome.warnings),
  };
}

/** 1 before 3 before 0 (product.md §3). */
function worst(codes: readonly number[]): number {
  return codes.includes(1) ? 1 : codes.includes(3) || codes.length === 0 ? 3 : 0;
}

async function readBack({ settings, task, log }: PairOutcome): Promise<PairRecords> {
  const verdicts = await readTopic(log, DEFAULT_OUTPUTS.verdicts);
  const published = verdicts.map(parse).filter((record): record is VerdictRecord => record.record === 'verdict');
  const deadLetters = await readTopic(log, DEFAULT_OUTPUTS.deadLetters);
  return {
    audit: await readTopic(log, DEFAULT_OUTPUTS.audit),
    verdicts,
    manifests: await readTopic(log, DEFAULT_OUTPUTS.manifests),
    deadLetters: deadLetters.sort((a, b) => (a.key < b.key ? -1 : 1)),
    status: await readTopic(log, DEFAULT_OUTPUTS.status),
    summary: summarise(settings, task, published),
  };
}

async function readTopic(log: Log, topic: string): Promise<Entry[]> {
  const reader = await log.open({ topic, partition: 0 }, 0);
  const entries: Entry[] = [];
  do {
    while (reader.next()) {
      const { data, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
      entries.push({ key: data.toString('utf8', keyStart, keyEnd), value: Buffer.from(data.subarray(valueStart, valueEnd)) });
    }
  } while (await reader.fill());
  await reader.close();
  return entries;
}

function parse(entry: Entry): OutputRecord {
  return JSON.parse(entry.value.toString('utf8')) as OutputRecord;
}

/** Decisions; per window its manifests, its verdict, its resolved; dead letters; status; summary. */
function* inOrder(pair: PairRecords): Generator<OutputRecord> {
  for (const entry of pair.audit) yield parse(entry);
  const manifests = Map.groupBy(pair.manifests.map(entry => parse(entry) as ManifestRecord), record => record.window.start);
  let schema: SchemaRecord[] = [];
  for (const entry of pair.verdicts) {
    const record = parse(entry) as VerdictRecord | SchemaRecord | ResolvedRecord;
    if (record.record === 'schema') schema.push(record);
    else if (record.record === 'verdict') {
      yield* manifests.get(record.window.start) ?? [];
      yield* schema;
      schema = [];
      yield record;
    } else yield record;
  }
  for (const entry of pair.deadLetters) yield parse(entry) as DeadLetterRecord;
  for (const entry of pair.status) yield parse(entry) as StatusRecord;
  yield pair.summary;
}
