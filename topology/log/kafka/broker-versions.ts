// Whether a broker is new enough: the versions of the requests that are sent are fixed, and transactions are those of KIP-890.
import { ParitasError } from '../../../schemas/errors.ts';
import { kafkaRequestMs } from '../../../schemas/limits.ts';
import type { Connection } from './connection.ts';
import { Reader, apiVersionsV4 } from './library.ts';

/** Name and version, by the number of the request. */
const NEEDED: ReadonlyMap<number, readonly [name: string, version: number]> = new Map([
  [0, ['Produce', 12]], [1, ['Fetch', 17]], [2, ['ListOffsets', 9]], [3, ['Metadata', 12]], [9, ['OffsetFetch', 9]], [10, ['FindCoordinator', 6]],
  [11, ['JoinGroup', 9]], [12, ['Heartbeat', 4]], [13, ['LeaveGroup', 5]], [14, ['SyncGroup', 5]], [15, ['DescribeGroups', 5]],
  [19, ['CreateTopics', 7]], [20, ['DeleteTopics', 6]], [22, ['InitProducerId', 5]], [26, ['EndTxn', 5]], [28, ['TxnOffsetCommit', 5]], [32, ['DescribeConfigs', 4]], [42, ['DeleteGroups', 2]],
]);
const UNSUPPORTED_VERSION = 35;

export interface BrokerVersions {
  readonly ranges: readonly { readonly apiKey: number; readonly minVersion: number; readonly maxVersion: number }[];
  /** The cluster's `transaction.version`; 0 where it tells none. */
  readonly transactionVersion: number;
}

/** Throws a ParitasError (`config`) that says what the broker lacks. */
export async function checkVersions(connection: Connection, clientId: string): Promise<void> {
  const body = apiVersionsV4.createRequest(clientId, '1').buffer;
  const versions = await connection.request({ api: 18, version: 4, flexibleAnswer: false }, body, readVersions, kafkaRequestMs);
  const lacks = whatLacks(versions);
  if (lacks !== undefined) throw new ParitasError('config', `${connection.broker}: ${lacks}`);
}

/** undefined: nothing. */
export function whatLacks({ ranges, transactionVersion }: BrokerVersions): string | undefined {
  const byKey = new Map(ranges.map(range => [range.apiKey, range]));
  const missing = [...NEEDED].filter(([key, [, version]]) => version > (byKey.get(key)?.maxVersion ?? -1) || version < (byKey.get(key)?.minVersion ?? 0));
  if (missing.length > 0) {
    return `the broker does not take ${missing.map(([, [name, version]]) => `${name} ${version}`).join(', ')}: Kafka 4.0 or later is needed`;
  }
  if (transactionVersion >= 2) return undefined;
  return `the cluster has transaction.version ${transactionVersion}, with which a late write can end up in the wrong transaction; upgrade it: kafka-features.sh upgrade --feature transaction.version=2`;
}

function readVersions(data: Buffer, at: number): BrokerVersions {
  // A broker that does not know this version answers in the oldest form, whose body is an error code and a plain array.
  if (data.readInt16BE(at) === UNSUPPORTED_VERSION) return { ranges: [], transactionVersion: 0 };
  const { apiKeys, finalizedFeatures } = apiVersionsV4.parseResponse(0, 18, 4, Reader.from(data.subarray(at)));
  const transactions = finalizedFeatures?.find(({ name }) => name === 'transaction.version');
  return { ranges: apiKeys, transactionVersion: transactions?.maxVersionLevel ?? 0 };
}
