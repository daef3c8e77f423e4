// Whether a broker is new enough: the versions of the requests that are sent are fixed, and transactions are those of KIP-890, or, where that is
// allowed, those before it (transaction-v1.ts).
import { ParitasError } from '../../../schemas/errors.ts';
import { kafkaRequestMs } from '../../../schemas/limits.ts';
import type { Connection } from './connection.ts';
import { Reader, apiVersionsV4 } from './library.ts';

type Needed = readonly (readonly [api: number, name: string, version: number])[];

/** How a transaction goes: v2 as KIP-890 has it, v1 as before. */
export type Transactions = 'v1' | 'v2';

const NEEDED: Needed = [
  [1, 'Fetch', 17], [2, 'ListOffsets', 9], [3, 'Metadata', 12], [9, 'OffsetFetch', 9], [10, 'FindCoordinator', 6],
  [11, 'JoinGroup', 9], [12, 'Heartbeat', 4], [13, 'LeaveGroup', 5], [14, 'SyncGroup', 5], [15, 'DescribeGroups', 5],
  [19, 'CreateTopics', 7], [20, 'DeleteTopics', 6], [22, 'InitProducerId', 5], [32, 'DescribeConfigs', 4], [42, 'DeleteGroups', 2],
];
const NEEDED_OF: Readonly<Record<Transactions, Needed>> = {
  v1: [[0, 'Produce', 11], [24, 'AddPartitionsToTxn', 3], [25, 'AddOffsetsToTxn', 4], [26, 'EndTxn', 4], [28, 'TxnOffsetCommit', 4]],
  v2: [[0, 'Produce', 12], [26, 'EndTxn', 5], [28, 'TxnOffsetCommit', 5]],
};
const RELEASE: Readonly<Record<Transactions, string>> = { v1: 'Kafka 3.9', v2: 'Kafka 4.0' };
const UNSUPPORTED_VERSION = 35;

export interface BrokerVersions {
  readonly ranges: readonly { readonly apiKey: number; readonly minVersion: number; readonly maxVersion: number }[];
  /** The cluster's `transaction.version`; 0 where it tells none. */
  readonly transactionVersion: number;
}

/** How transactions go with this broker. Throws a ParitasError (`config`) that says what it lacks. */
export async function checkVersions(connection: Connection, clientId: string, allowTransactionsV1: boolean): Promise<Transactions> {
  const body = apiVersionsV4.createRequest(clientId, '1').buffer;
  const versions = await connection.request({ api: 18, version: 4, flexibleAnswer: false }, body, readVersions, kafkaRequestMs);
  const lacks = whatLacks(versions, allowTransactionsV1);
  if (lacks !== undefined) throw new ParitasError('config', `${connection.broker}: ${lacks}`);
  return versions.transactionVersion >= 2 ? 'v2' : 'v1';
}

/** undefined: nothing. */
export function whatLacks({ ranges, transactionVersion }: BrokerVersions, allowTransactionsV1 = false): string | undefined {
  const transactions = transactionVersion >= 2 || !allowTransactionsV1 ? 'v2' : 'v1';
  const missing = missingOf(ranges, transactions);
  if (missing.length > 0) {
    const allowed = transactions === 'v2' && missingOf(ranges, 'v1').length === 0 ? ', or log.kafka.allowTransactionsV1: true' : '';
    return `the broker does not take ${missing.join(', ')}: ${RELEASE[transactions]} or later is needed${allowed}`;
  }
  if (transactionVersion >= 2 || allowTransactionsV1) return undefined;
  return `the cluster has transaction.version ${transactionVersion}, with which a late write can end up in the wrong transaction; upgrade it: `
    + 'kafka-features.sh upgrade --feature transaction.version=2, or set log.kafka.allowTransactionsV1: true';
}

/** Each request that the broker does not take in the version that is sent. */
function missingOf(ranges: BrokerVersions['ranges'], transactions: Transactions): string[] {
  const byApi = new Map(ranges.map(range => [range.apiKey, range]));
  return [...NEEDED_OF[transactions], ...NEEDED]
    .filter(([api, , version]) => version > (byApi.get(api)?.maxVersion ?? -1) || version < (byApi.get(api)?.minVersion ?? 0))
    .map(([, name, version]) => `${name} ${version}`);
}

function readVersions(data: Buffer, at: number): BrokerVersions {
  // A broker that does not know this version answers in the oldest form, whose body is an error code and a plain array.
  if (data.readInt16BE(at) === UNSUPPORTED_VERSION) return { ranges: [], transactionVersion: 0 };
  const { apiKeys, finalizedFeatures } = apiVersionsV4.parseResponse(0, 18, 4, Reader.from(data.subarray(at)));
  const transactions = finalizedFeatures?.find(({ name }) => name === 'transaction.version');
  return { ranges: apiKeys, transactionVersion: transactions?.maxVersionLevel ?? 0 };
}
