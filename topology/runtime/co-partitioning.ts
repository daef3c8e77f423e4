// A pair whose reconcile tasks have a partition each stands on this: a key's changes lie in the partition that Kafka's partitioner gives it, on
// both sides. It is verified on every record, not believed; where it does not hold, no verdict of any task could be trusted.
import { partitionOfKey } from '../../schemas/murmur2.ts';
import { printKey } from '../../schemas/canonical/print.ts';
import { KIND, OP, type ChangeEvent } from '../../schemas/change-event.ts';
import { ParitasError } from '../../schemas/errors.ts';
import { keysCompared } from '../../schemas/limits.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { RawRecord } from '../../schemas/raw-record.ts';
import { toBeginAnew } from './same-chain.ts';

/** Throws ParitasError `input` for the first record that cannot be judged partition by partition. `event`: what the record was decoded to. */
export type VerifyPlace = (record: RawRecord, event: ChangeEvent) => void;

export function verifyPlaces({ name }: PairSettings, partitions: number): VerifyPlace {
  const refuse = ({ topic, partition, offset }: RawRecord, what: string): never => {
    throw new ParitasError('input', `pair "${name}": ${topic}-${partition}@${offset}: ${what}; set partitioning: repartition for the pair, which then runs as one task, and ${toBeginAnew(name)}`);
  };
  const isWrittenAlike = compareKeys(keysCompared);
  return (record, event) => {
    if (event.kind === KIND.change && event.op === OP.truncate) refuse(record, `a truncate speaks of the rows of every partition, and the pair's ${partitions} tasks see one each`);
    if (record.keyStart < 0 || !(event.kind === KIND.change || event.kind === KIND.tombstone || event.kind === KIND.dead)) return;
    const should = partitionOfKey(record.data, record.keyStart, record.keyEnd, partitions);
    if (should !== record.partition) refuse(record, `the key${keyText(event)} belongs to partition ${should} of ${partitions} by Kafka's partitioner (murmur2), so equal keys need not lie in equal partitions`);
    if (event.kind === KIND.change && !isWrittenAlike(record, event)) refuse(record, `the key${keyText(event)} stands there in other bytes than on the other side, so equal keys lie in different partitions`);
  };
}

/** False: the other side has the row's key in other bytes. Only the first `most` rows are remembered, and nothing is once as many were alike. */
function compareKeys(most: number): (record: RawRecord, event: ChangeEvent) => boolean {
  const seen = new Map<string, { readonly topic: string; readonly key: string }>();
  let alike = 0;
  return ({ topic, data, keyStart, keyEnd }, { bytes, keyLength }) => {
    if (alike >= most) return true;
    const row = bytes.toString('latin1', 0, keyLength);
    const known = seen.get(row);
    const key = data.toString('latin1', keyStart, keyEnd);
    if (known === undefined) {
      if (seen.size < most) seen.set(row, { topic, key });
      return true;
    }
    if (known.topic === topic) return true;
    alike++;
    return known.key === key;
  };
}

/** Masked columns are masked in the canonical key already. */
function keyText({ kind, bytes, keyLength }: ChangeEvent): string {
  return kind === KIND.change ? ` ${JSON.stringify(printKey(Buffer.from(bytes.subarray(0, keyLength))))}` : '';
}
