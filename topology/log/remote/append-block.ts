// An append as one block of bytes with what does not fit into frames beside it: handed over, it costs the same for one record and for ten
// thousand. The place of a record stands where its offset would be.
import type { AppendBatch, AppendRecord, TopicPartition } from '../log.ts';
import { frameBytes, frameHeaders, newRecord, readFrame, writeFrame } from '../record-frame.ts';

export interface AppendBlock {
  readonly frames: Uint8Array<ArrayBuffer>;
  readonly places: readonly TopicPartition[];
  readonly positions: AppendBatch['positions'];
  readonly group: string;
}

/** Bytes are copied. The records were checked. */
export function toBlock({ records, positions, group }: AppendBatch): AppendBlock {
  const data = Buffer.from(new ArrayBuffer(records.reduce((sum, record) => sum + frameBytes(record), 0)));
  const places: TopicPartition[] = [];
  const placeOf = new Map<string, number>();
  let at = 0;
  for (const record of records) {
    const { topic, partition } = record;
    const name = `${topic}-${partition}`;
    let place = placeOf.get(name);
    if (place === undefined) {
      placeOf.set(name, place = places.length);
      places.push({ topic, partition });
    }
    // Without a timestamp of its own a record gets that of the append, which the owner knows.
    at = writeFrame(data, at, place, record, record.timestampMs ?? NaN);
  }
  return { frames: data, places, positions: positions.map(({ topic, partition, offset }) => ({ topic, partition, offset })), group };
}

/** Views into the block. */
export function fromBlock({ frames, places, positions, group }: AppendBlock): AppendBatch {
  const data = Buffer.from(frames.buffer);
  const records: AppendRecord[] = [];
  const view = newRecord('', 0);
  for (let at = 0; at < data.length;) {
    const place = places[data.readUInt32LE(at)];
    at = readFrame(view, data, at, 0);
    const { keyStart, keyEnd, valueStart, valueEnd, timestampMs } = view;
    records.push({
      topic: place.topic, partition: place.partition,
      key: keyStart < 0 ? null : data.subarray(keyStart, keyEnd), value: valueStart < 0 ? null : data.subarray(valueStart, valueEnd),
      ...(Number.isNaN(timestampMs) ? {} : { timestampMs }), headers: frameHeaders(view),
    });
  }
  return { records, positions, group };
}
