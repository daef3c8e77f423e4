// Writes two captures with known faults: source and target, truth.json with what was put in, and a paritas.yaml that checks them.
//
//   node test/support/generate-capture.ts --events 1000000 --out /tmp/capture --faults-every 20000
//
// Same options, same bytes. Memory does not depend on the number of events, only on the keys and the faults.
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { partitionOfKey } from '../../schemas/murmur2.ts';
import { playHistory } from './history.ts';
import type { Fault, HistoryRecord } from './history.ts';

export interface GenerateOptions {
  readonly events: number;
  /** A folder; made if it is not there. */
  readonly out: string;
  readonly keys?: number;
  readonly partitions?: number;
  readonly seed?: number;
  /** One fault every so many events, the classes in turn; 0: none. */
  readonly faultsEvery?: number;
  /** 1: with partition and offset; 3: the value alone, a file per partition. */
  readonly form?: 1 | 3;
  readonly layout?: 'interleaved' | 'by-partition';
  readonly lagMs?: readonly [number, number];
  /** Gzip, in members of about a megabyte. */
  readonly gz?: boolean;
}

export interface GeneratedCapture {
  readonly sourceFiles: readonly string[];
  readonly targetFiles: readonly string[];
  readonly configFile: string;
  readonly sourceRecords: number;
  readonly targetRecords: number;
  readonly faults: readonly Fault[];
}

export function generateCapture(options: GenerateOptions): GeneratedCapture {
  const settled = { keys: Math.min(100_000, Math.max(10, options.events >> 1)), seed: 42, faultsEvery: 0, lagMs: [5, 500] as const, ...options };
  mkdirSync(options.out, { recursive: true });
  const source = openSide('source', options);
  const target = openSide('target', options);
  const faults = playHistory(settled, (record) => writeRecord(source, record), (record) => writeRecord(target, record));
  finish(source);
  finish(target);
  const counts = { sourceRecords: source.records, targetRecords: target.records };
  writeFileSync(join(options.out, 'truth.json'), `${JSON.stringify({ ...counts, faults }, undefined, 1)}\n`);
  const configFile = join(options.out, 'paritas.yaml');
  writeFileSync(configFile, configOf(source.files, target.files, settled.lagMs[1]));
  const inFolder = (names: readonly string[]): string[] => names.map((name) => join(options.out, name));
  return { sourceFiles: inFolder(source.files), targetFiles: inFolder(target.files), configFile, ...counts, faults };
}

interface Writer { readonly path: string; readonly fd: number; readonly gz: boolean; pending: string[]; pendingBytes: number }

interface SideWriter {
  readonly topic: string;
  readonly partitions: number;
  readonly form: 1 | 3;
  /** Names of the files of the side; one per partition in form 3. */
  readonly files: readonly string[];
  /** One per partition where they lie apart, else one. */
  readonly writers: readonly Writer[];
  /** Where partitions are written apart and then joined: the file they go into. */
  readonly joined: string | undefined;
  readonly gz: boolean;
  readonly offsets: number[];
  records: number;
}

function openSide(side: 'source' | 'target', options: GenerateOptions): SideWriter {
  const { form = 1, layout = 'interleaved', gz = false, out } = options;
  const partitions = options.partitions ?? (form === 3 ? 1 : 4);
  const ending = gz ? '.jsonl.gz' : '.jsonl';
  const apart = form === 3 && partitions > 1;
  const files = apart ? Array.from({ length: partitions }, (_, partition) => `${side}-${partition}${ending}`) : [side + ending];
  const join_ = form === 1 && layout === 'by-partition';
  const paths = join_ ? Array.from({ length: partitions }, (_, partition) => join(out, `${side}-${partition}.part`)) : files.map((name) => join(out, name));
  return {
    topic: `${side}.shop.orders`, partitions, form, files, joined: join_ ? join(out, files[0]) : undefined, gz,
    writers: paths.map((path) => openWriter(path, gz && !join_)), offsets: new Array<number>(partitions).fill(0), records: 0,
  };
}

function openWriter(path: string, gz: boolean): Writer {
  return { path, fd: openSync(path, 'w+'), gz, pending: [], pendingBytes: 0 };
}

function writeRecord(side: SideWriter, record: HistoryRecord): void {
  const key = `{"id":${record.key}}`;
  const partition = partitionOfKey(Buffer.from(key), 0, key.length, side.partitions);
  const offset = side.offsets[partition]++;
  side.records++;
  const writer = side.writers[side.writers.length === 1 ? 0 : partition];
  if (side.form === 3) return write(writer, `${record.value}\n`);
  const timestampMs = Math.floor((record.commitTimeUs + 3217) / 1000) + 5;
  write(writer, `{"topic":"${side.topic}","partition":${partition},"offset":${offset},"timestamp":${timestampMs},"key":${JSON.stringify(key)},"value":${JSON.stringify(record.value)},"headers":[]}\n`);
}

/** Characters are bytes here: the history is ASCII. */
function write(writer: Writer, line: string): void {
  writer.pending.push(line);
  writer.pendingBytes += line.length;
  if (writer.pendingBytes >= 1 << 20) flush(writer);
}

function flush(writer: Writer): void {
  const bytes = Buffer.from(writer.pending.join(''), 'latin1');
  writer.pending = [];
  writer.pendingBytes = 0;
  if (bytes.length > 0) writeAll(writer.fd, writer.gz ? gzipSync(bytes, { level: 1 }) : bytes);
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

function finish(side: SideWriter): void {
  for (const writer of side.writers) flush(writer);
  if (side.joined !== undefined) joinParts(side, side.joined);
  for (const writer of side.writers) closeSync(writer.fd);
}

function joinParts(side: SideWriter, path: string): void {
  const fd = openSync(path, 'w');
  const chunk = Buffer.alloc(1 << 20);
  for (const part of side.writers) {
    for (let at = 0, count = 0; (count = readSync(part.fd, chunk, 0, chunk.length, at)) > 0; at += count) {
      const bytes = chunk.subarray(0, count);
      writeAll(fd, side.gz ? gzipSync(bytes, { level: 1 }) : bytes);
    }
    rmSync(part.path);
  }
  closeSync(fd);
}

function configOf(source: readonly string[], target: readonly string[], greatestLagMs: number): string {
  const files = (names: readonly string[]): string => (names.length === 1 ? names[0] : `[${names.join(', ')}]`);
  return `application: generated
log: { embedded: { directory: ./data/log } }
state: { directory: ./data/state }
pairs:
  - name: orders
    source: { file: ${files(source)}, topic: source.shop.orders, format: debezium-json, replicaIdentity: full }
    target: { file: ${files(target)}, topic: target.shop.orders, format: debezium-json, replicaIdentity: full }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin_lsn }
    window: { size: 1s, lateness: 500ms, lag: ${Math.max(2000, 4 * greatestLagMs)}ms, skew: 100ms }
    policy: exact
    columns:
      ignore: [origin_lsn]
`;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      events: { type: 'string' }, out: { type: 'string' }, keys: { type: 'string' }, partitions: { type: 'string' }, seed: { type: 'string' },
      'faults-every': { type: 'string' }, form: { type: 'string' }, layout: { type: 'string' }, 'lag-ms': { type: 'string' }, gz: { type: 'boolean' },
    },
  });
  if (values.events === undefined || values.out === undefined) throw new Error('--events N and --out DIR are needed');
  if (values.form !== undefined && values.form !== '1' && values.form !== '3') throw new Error('--form is 1 or 3');
  if (values.layout !== undefined && values.layout !== 'interleaved' && values.layout !== 'by-partition') throw new Error('--layout is interleaved or by-partition');
  const lag = values['lag-ms']?.split('-').map(Number);
  const made = generateCapture({
    events: Number(values.events), out: values.out, ...(values.keys === undefined ? {} : { keys: Number(values.keys) }),
    ...(values.partitions === undefined ? {} : { partitions: Number(values.partitions) }), ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values['faults-every'] === undefined ? {} : { faultsEvery: Number(values['faults-every']) }), ...(values.form === undefined ? {} : { form: values.form === '1' ? 1 : 3 }),
    ...(values.layout === undefined ? {} : { layout: values.layout }), ...(lag === undefined ? {} : { lagMs: [lag[0], lag[1]] as const }), gz: values.gz ?? false,
  });
  process.stderr.write(`source ${made.sourceRecords} records, target ${made.targetRecords} records, ${made.faults.length} faults in ${values.out}\n`);
}

if (import.meta.main) main();
