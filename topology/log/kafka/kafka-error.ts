// What a broker refuses and what the network loses, in our words: what is wrong, where, what to do. `retriable` is what another try can mend.
import { type ErrorCode, ParitasError } from '../../../schemas/errors.ts';
import { protocolErrorsCodesById } from './library.ts';
import { inSeconds } from './outage.ts';

/** The broker answered with an error code. */
export class BrokerError extends ParitasError {
  override name = 'BrokerError';
  /** Name of the request, as in Kafka's protocol. */
  readonly api: string;
  readonly errorCode: number;

  constructor(api: string, errorCode: number, where: string, detail?: string | null) {
    const name = nameOf(errorCode);
    const said = detail === undefined || detail === null || detail === '' ? '' : ` (${detail})`;
    super(kindOf(name), `${where}: the broker answers ${name} to ${api}${said}${remedyOf(name, api)}`);
    this.api = api;
    this.errorCode = errorCode;
  }

  get errorName(): string {
    return nameOf(this.errorCode);
  }
}

/** No answer: the connection could not be made, or was lost before the answer came. Whether the request took effect is not known. */
export class ConnectionLost extends ParitasError {
  override name = 'ConnectionLost';
  readonly why: string;

  constructor(broker: string, why: string, cause?: unknown) {
    super('unreachable', `${broker}: ${why}`, cause === undefined ? undefined : { cause });
    this.why = why;
  }
}

/** What may pass by itself has not, for as long as it was tried. Of the last attempt it is not known whether it took effect. */
export class GivenUp extends ParitasError {
  override name = 'GivenUp';

  constructor(last: Error, triedMs: number, isStopping: boolean) {
    const why = isStopping ? 'then given up, for it is to stop; nothing is lost' : 'then given up (default.api.timeout.ms); start again when it is mended, nothing is lost';
    super('unreachable', `${last.message}; it was tried for ${inSeconds(triedMs)}, ${why}`, { cause: last });
  }
}

/** Codes up to 127 are known to the library; later ones are told by their number. */
export function nameOf(errorCode: number): string {
  return protocolErrorsCodesById[errorCode] ?? `error ${errorCode}`;
}

/** What passes by itself: elections, coordinators that load, transactions that end, lost connections. */
export function isRetriable(error: unknown): error is Error {
  return error instanceof ConnectionLost || error instanceof GivenUp || (error instanceof BrokerError && RETRIABLE.has(error.errorName));
}

export function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof BrokerError && names.includes(error.errorName);
}

/** The leader of a partition is elsewhere by now; where, the next metadata tell. */
export const LEADER_MOVED: ReadonlySet<string> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_OR_FOLLOWER', 'REPLICA_NOT_AVAILABLE', 'KAFKA_STORAGE_ERROR',
  'FENCED_LEADER_EPOCH', 'UNKNOWN_LEADER_EPOCH', 'OFFSET_NOT_AVAILABLE', 'UNKNOWN_TOPIC_ID', 'INCONSISTENT_TOPIC_ID',
]);

const RETRIABLE: ReadonlySet<string> = new Set([
  ...LEADER_MOVED, 'COORDINATOR_LOAD_IN_PROGRESS', 'COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR', 'CONCURRENT_TRANSACTIONS', 'UNSTABLE_OFFSET_COMMIT',
  'REQUEST_TIMED_OUT', 'NOT_ENOUGH_REPLICAS', 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'NETWORK_EXCEPTION', 'THROTTLING_QUOTA_EXCEEDED', 'NOT_CONTROLLER',
]);

const REMEDY: Readonly<Record<string, string>> = {
  SASL_AUTHENTICATION_FAILED: '; check user and password, or the token, in log.kafka.properties',
  UNSUPPORTED_SASL_MECHANISM: '; sasl.mechanism must be one that this listener has',
  ILLEGAL_SASL_STATE: '; this listener takes no SASL: check security.protocol and the port',
  MESSAGE_TOO_LARGE: '; raise max.message.bytes of the topic',
  INVALID_TIMESTAMP: '; widen message.timestamp.before.max.ms and message.timestamp.after.max.ms of the topic: its records carry event times',
  INVALID_RECORD: '; a compacted topic takes no record without a key',
  INVALID_TRANSACTION_TIMEOUT: '; transaction.max.timeout.ms of the broker must be at least 10000',
  POLICY_VIOLATION: '; create the topic beforehand as the policy of the cluster wants it',
  INCONSISTENT_GROUP_PROTOCOL: '; a group of that name is in use by something else: choose another application name',
  GROUP_MAX_SIZE_REACHED: '; group.max.size of the broker must be at least the number of instances',
  INVALID_SESSION_TIMEOUT: '; group.min.session.timeout.ms and group.max.session.timeout.ms of the broker must allow session.timeout.ms',
  INVALID_REPLICATION_FACTOR: '; the cluster has too few brokers: create the topic beforehand, or set the replication factor',
};

/** What a request needs of its topic. READ, WRITE and ALTER bring DESCRIBE with them. */
const ON_TOPIC: Readonly<Record<string, string>> = {
  Fetch: 'READ', TxnOffsetCommit: 'READ', Produce: 'WRITE', CreateTopics: 'CREATE', DeleteTopics: 'DELETE', DescribeConfigs: 'DESCRIBE_CONFIGS', IncrementalAlterConfigs: 'ALTER_CONFIGS',
};

function remedyOf(name: string, api: string): string {
  switch (name) {
    case 'TOPIC_AUTHORIZATION_FAILED': return needs(ON_TOPIC[api] ?? 'DESCRIBE', 'topic');
    case 'GROUP_AUTHORIZATION_FAILED': return needs(api === 'DeleteGroups' ? 'DELETE' : api === 'DescribeGroups' ? 'DESCRIBE' : 'READ', 'group');
    case 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED': return needs('WRITE', 'transactional-id');
    case 'CLUSTER_AUTHORIZATION_FAILED': return api === 'CreateTopics' ? '; this user needs CREATE on the cluster, or topics that are there: paritas topics plan lists them' : '; this user needs DESCRIBE on the cluster';
    default: return REMEDY[name] ?? '';
  }
}

function needs(operation: string, resource: string): string {
  return `; this user needs ${operation} on the ${resource}: kafka-acls.sh --add --allow-principal User:… --operation ${operation} --${resource} …`;
}

function kindOf(name: string): ErrorCode {
  if (name.endsWith('AUTHORIZATION_FAILED') || name === 'SASL_AUTHENTICATION_FAILED') return 'not-authorised';
  if (RETRIABLE.has(name)) return 'unreachable';
  return name in REMEDY ? 'config' : 'state';
}
