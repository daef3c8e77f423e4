// The outputs of the records since the last commit, in order, as bytes for their topics. Handed to the log in one append.
import type { OutputRecord } from '../../schemas/records.ts';
import type { AppendRecord } from '../log/log.ts';
import { sinksOf, type Topology } from '../topology.ts';

export interface RecordCollector {
  /** Takes an output record for a sink of the topology. `key`: where the record's own content does not make one. */
  collect(sink: string, record: OutputRecord, key?: string): void;
  /** What was collected since the last call. */
  drain(): readonly AppendRecord[];
  /** Bytes of the keys and values collected since then. */
  readonly sizeBytes: number;
}

export function createRecordCollector(topology: Topology): RecordCollector {
  const topics = new Map(sinksOf(topology).map(sink => [sink.name, sink.topic]));
  let records: AppendRecord[] = [];
  let sizeBytes = 0;
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    collect(sink, record, key) {
      const topic = topics.get(sink);
      if (topic === undefined) throw new Error(`no sink ${sink} in the topology of ${topology.pair}`);
      const [name, value] = [Buffer.from(key ?? keyOf(record)), Buffer.from(JSON.stringify(record))];
      records.push({ topic, partition: 0, key: name, value });
      sizeBytes += name.length + value.length;
    },
    drain() {
      const drained = records;
      records = [];
      sizeBytes = 0;
      return drained;
    },
  };
}

/** Emitting a record again overwrites itself: its key is its content-derived id, or for a status the partition or the task it speaks of. */
export function keyOf(record: OutputRecord): string {
  switch (record.record) {
    case 'verdict': return record.verdictId;
    case 'manifest': return record.manifestId;
    case 'decision': return record.decisionId;
    case 'status': return `${record.pair}/${record.side}/${record.topic}/${record.partition}`;
    case 'task': return record.task;
    case 'schema': return `${record.pair}/${record.side}/${record.column}${record.chain === undefined ? '' : `/${record.chain}`}`;
    default: return record.pair;
  }
}
