// Records and settings for decoder tests, and what a decoded event says, as plain values.
import { readFileSync } from 'node:fs';
import { KIND } from '../../../schemas/change-event.ts';
import type { ChangeEvent, Side } from '../../../schemas/change-event.ts';
import type { Decoder, PairContext } from '../../../schemas/decoder.ts';
import type { ColumnType, ConnectSchema, PairSettings, SideSettings } from '../../../schemas/pair.ts';
import type { RawRecord } from '../../../schemas/raw-record.ts';
import { createPairContext } from '../../../schemas/pair-context.ts';
import { createDecoder } from '../../../schemas/formats/registry.ts';
import { printKey, printOrigin, printPosition, printValue } from '../../../schemas/canonical/print.ts';

export interface Row {
  key?: string | Buffer | null;
  value?: string | Buffer | null;
  headers?: readonly (readonly [string, string])[];
  partition?: number;
  offset?: number;
  timestamp?: number;
}

/** A record whose bytes stand between other bytes, as in a fetch response. */
export function rawRecord({ key = null, value = null, headers = [], partition = 0, offset = 0, timestamp = 0 }: Row): RawRecord {
  const keyBytes = key === null ? undefined : Buffer.from(key);
  const valueBytes = value === null ? undefined : Buffer.from(value);
  const parts = [Buffer.from('"}0'), keyBytes ?? Buffer.alloc(0), Buffer.from('}"1'), valueBytes ?? Buffer.alloc(0), Buffer.from('}9]"')];
  const valueStart = 6 + parts[1].length;
  return {
    topic: 't', partition, offset, timestampMs: timestamp, data: Buffer.concat(parts),
    keyStart: keyBytes === undefined ? -1 : 3, keyEnd: 3 + parts[1].length,
    valueStart: valueBytes === undefined ? -1 : valueStart, valueEnd: valueStart + parts[3].length,
    bad: undefined,
    header: (name) => {
      const found = headers.findLast(([header]) => header === name);
      return found === undefined ? undefined : Buffer.from(found[1]);
    },
  };
}

export function readCapture(path: string): Row[] {
  return readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Row);
}

export function sideSettings(more: Partial<SideSettings> = {}): SideSettings {
  return {
    topic: 't', format: 'debezium-json', files: [], partitions: undefined, valueSchema: undefined, keySchema: undefined,
    transactions: undefined, heartbeat: undefined, delivery: 'at-least-once', deliveryGraceUs: 0, captureDelayUs: undefined, order: 'position', updates: 'in-place',
    unavailablePlaceholder: '__debezium_unavailable_value', replicaIdentity: undefined, noopUpdates: undefined, epoch: 0, ...more,
  };
}

export interface Wish {
  key?: readonly string[];
  source?: Partial<SideSettings>;
  target?: Partial<SideSettings>;
  match?: PairSettings['match'];
  columns?: Partial<PairSettings['columns']>;
}

export function settingsOf({ key, source, target, match, columns }: Wish = {}): PairSettings {
  return {
    name: 'orders', source: sideSettings(source), target: sideSettings(target), key,
    match: match ?? { by: 'origin', source: ['source.lsn'], target: ['after.origin_lsn'] },
    window: { sizeUs: 1e6, latenessUs: 0, lagUs: 0, skewUs: 0, retainUs: 0 }, policy: 'exact', partitioning: 'direct',
    columns: { ignore: [], rename: {}, types: {}, mask: [], carry: [], maskKey: '', ...columns }, configHash: '00',
  };
}

export function typed(source: string, target: string = source, more: Partial<ColumnType> = {}): ColumnType {
  return { source, target, sourceZone: undefined, targetZone: undefined, precision: undefined, rounding: undefined, equate: [], equality: 'bytes', ...more };
}

export function decoderOf(wish: Wish = {}, side: Side = 'source'): { decoder: Decoder; context: PairContext } {
  const context = createPairContext(settingsOf(wish));
  return { decoder: createDecoder(context, side), context };
}

const KIND_NAMES = Object.fromEntries(Object.entries(KIND).map(([name, kind]) => [kind, name]));

/** What an event says, as plain values. */
export interface Said {
  kind: string;
  op: number;
  timeUs: number;
  position: string | undefined;
  key: Record<string, string | null> | undefined;
  origin: string | undefined;
  transaction: string;
  columns: Record<string, { tag: number; bytes: Buffer; print: string | null }> | undefined;
  unavailable: readonly string[];
  dead: string;
}

export function say(event: ChangeEvent): Said {
  let at = event.keyLength;
  const take = (length: number): Buffer => event.bytes.subarray(at, (at += length));
  const origin = take(event.originLength);
  const transaction = take(event.transactionLength).toString();
  take(event.traceLength);
  const image = Buffer.from(take(event.imageLength));
  return {
    kind: KIND_NAMES[event.kind], op: event.op, timeUs: event.commitTimeUs,
    position: event.positioned ? printPosition(event.position) : undefined,
    key: event.keyLength > 0 ? printKey(event.bytes.subarray(0, event.keyLength)) : undefined,
    origin: origin.length > 0 ? printOrigin(origin) : undefined, transaction,
    columns: event.layout === undefined ? undefined : columnsOf(image, event.layout.known),
    unavailable: event.layout?.unavailable ?? [],
    dead: event.kind === KIND.dead ? `${event.deadReason}: ${event.deadDetail}` : '',
  };
}

function columnsOf(image: Buffer, names: readonly string[]): NonNullable<Said['columns']> {
  const columns: NonNullable<Said['columns']> = {};
  let at = 0;
  for (const name of names) {
    const header = image.readInt32LE(at);
    const bytes = image.subarray(at + 4, (at += 4 + (header >>> 8)));
    columns[name] = { tag: header & 255, bytes, print: printValue(header & 255, bytes) };
  }
  return columns;
}

/** Decodes one value with one column `c` in its after row and says that column; the row's key is `id`. */
export function decodeColumn(json: string, wish: Wish = {}, side: Side = 'source', source = '"connector":"postgresql","lsn":1'): Said {
  const { decoder } = decoderOf(wish, side);
  decoder.decode(rawRecord({ key: '{"id":1}', value: `{"before":null,"after":{"id":1,"c":${json}},"source":{"ts_ms":1,${source}},"op":"c"}` }));
  return say(decoder.event);
}

export function connectRow(fields: readonly ConnectSchema[]): ConnectSchema {
  return { type: 'struct', fields: [{ type: 'struct', field: 'after', optional: true, fields }] };
}
