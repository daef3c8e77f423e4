// npm run bench: events per CPU-second of decoding, of decoding and fingerprinting, of a whole `paritas check`, and of a whole `paritas run`, with what
// it writes (run.ts), as JSON. CPU-seconds, not wall time: the machine may be busy. JSON.parse of the same records is measured in the same run,
// because only ratios compare across machines. Nothing is asserted here: a timed test would fail on a slow day.
//
//   npm run bench -- --events 200000 --repeat 3 --form 1
//   npm run bench -- --only run                          (or check: without `run`)
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDecoder } from '../../schemas/formats/registry.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { fingerprintInto } from '../../schemas/canonical/fingerprint.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { RawRecord } from '../../schemas/raw-record.ts';
import { createByteArena, type ByteArena } from '../../stores/byte-arena.ts';
import { loadConfig } from '../../topology/config.ts';
import { openCaptures } from '../../topology/log/capture-log.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { metered } from './metered.ts';
import { measureRun } from './run.ts';

const { values: flags } = parseArgs({ options: { events: { type: 'string', default: '200000' }, repeat: { type: 'string', default: '3' }, form: { type: 'string', default: '1,3' }, only: { type: 'string' } } });
const events = Number(flags.events);
const repeat = Number(flags.repeat);

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const rounded = (n: number): number => Math.round(n);

/** Records of both sides held in memory, many to a buffer as in a fetch or a block of a file, so that a step is measured without its input. */
async function holdRecords(pair: PairSettings, most: number): Promise<{ record: RawRecord; side: 'source' | 'target' }[]> {
  const held: { record: RawRecord; side: 'source' | 'target' }[] = [];
  const arena = createByteArena();
  for (const side of ['source', 'target'] as const) {
    const log = await openCaptures(pair[side].files, { topic: pair[side].topic, skipBadLines: false });
    const end = held.length + most / 2;
    for (const reader of log.partitions) {
      while (held.length < end && (reader.next() || ((await reader.fill()) && reader.next()))) held.push({ side, record: copyOf(arena, reader.record) });
    }
    await log.close();
  }
  return held;
}

function copyOf(arena: ByteArena, record: RawRecord): RawRecord {
  const keyLength = record.keyStart < 0 ? 0 : record.keyEnd - record.keyStart;
  const value = record.data.subarray(record.valueStart, record.valueEnd);
  const both = Buffer.concat([record.data.subarray(record.keyEnd - keyLength, record.keyEnd), value]);
  arena.put(both, 0, both.length);
  const { at } = arena;
  return {
    topic: record.topic, partition: record.partition, offset: record.offset, timestampMs: record.timestampMs, data: arena.pages[arena.page],
    keyStart: record.keyStart < 0 ? -1 : at, keyEnd: at + keyLength, valueStart: at + keyLength, valueEnd: at + both.length, bad: undefined,
    header: () => undefined,
  };
}

/** Events per CPU-second of one step: warmed up once, then the median of the repetitions. */
function measure(count: number, pass: () => void): number {
  pass();
  return rounded(median(Array.from({ length: repeat }, () => {
    const from = cpuSeconds();
    pass();
    return count / (cpuSeconds() - from);
  })));
}

async function steps(pair: PairSettings): Promise<Record<string, number>> {
  const held = await holdRecords(pair, 40_000);
  const context = createPairContext(pair);
  const decoders = { source: createDecoder(context, 'source'), target: createDecoder(context, 'target') };
  const print = new Int32Array(4);
  const noKey = Buffer.alloc(0);
  return {
    jsonParse: measure(held.length, () => {
      for (const { record } of held) JSON.parse(record.data.toString('latin1', record.valueStart, record.valueEnd));
    }),
    decode: measure(held.length, () => {
      for (const { record, side } of held) decoders[side].decode(record);
    }),
    decodeAndFingerprint: measure(held.length, () => {
      for (const { record, side } of held) {
        decoders[side].decode(record);
        const { layout, bytes, keyLength, originLength, transactionLength, traceLength, imageLength } = decoders[side].event;
        const at = keyLength + originLength + transactionLength + traceLength;
        if (layout !== undefined) fingerprintInto(layout, noKey, bytes, at, at + imageLength, print);
      }
    }),
  };
}

/** Both streams through the command line, as a process of its own: start-up is in it, and its peak memory is its own. */
async function wholeCheck(config: string): Promise<{ eventsPerCpuSecond: number; maxRssMb: number }> {
  const runs: { eventsPerCpuSecond: number; maxRssMb: number }[] = [];
  for (let n = 0; n < repeat; n++) {
    const { cpuSeconds, maxRssMb } = await metered(join(import.meta.dirname, '../../topology/cli/paritas.mjs'), ['check', '--config', config, '-o', 'jsonl']).ended;
    runs.push({ eventsPerCpuSecond: rounded((events * 2) / cpuSeconds), maxRssMb: rounded(maxRssMb) });
  }
  return runs.sort((a, b) => a.eventsPerCpuSecond - b.eventsPerCpuSecond)[Math.floor(repeat / 2)];
}

const results: Record<string, unknown> = {};
for (const form of flags.only === 'run' ? ['1'] : flags.form.split(',')) {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-bench-'));
  try {
    const capture = generateCapture({ events, out: folder, form: form === '3' ? 3 : 1 });
    if (form === '1' && flags.only !== 'check') results['run'] = await measureRun(join(folder, 'run'), capture, repeat);
    if (flags.only === 'run') continue;
    const [pair] = loadConfig(capture.configFile).pairs;
    const step = await steps(pair);
    const check = await wholeCheck(capture.configFile);
    results[form === '3' ? 'bareChangeEvents' : 'kafkaRecords'] = {
      ...step, check: check.eventsPerCpuSecond, checkMaxRssMb: check.maxRssMb,
      ratios: { decodeToJsonParse: +(step['decode'] / step['jsonParse']).toFixed(2), checkToJsonParse: +(check.eventsPerCpuSecond / step['jsonParse']).toFixed(2) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(JSON.stringify({
  unit: 'events per CPU-second (median)', events: events * 2, repeat, node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, ...results,
}, null, 2) + '\n');
