// The shape of paritas.yaml: every key, its default and what it means. Strict: a key that is not here is an error. The JSON Schema that
// `paritas config --schema` prints comes from this file, and so do the names for "did you mean". Meaning is checked in config-pair.ts.
import { z } from 'zod';

import { commitIntervalMsMax } from '../schemas/limits.ts';
import { ROCKSDB_PACKAGES } from '../stores/rocksdb-platform.ts';
import type { ConfigFile } from './config-file.ts';
import { DURATION_EXAMPLES, DURATION_PATTERN, parseDurationUs, parseSizeBytes, SIZE_EXAMPLES } from './units.ts';

export const FORMATS = [
  'auto', 'debezium-json', 'debezium-avro', 'debezium-protobuf', 'debezium-flat', 'maxwell', 'canal-json', 'tidb-open', 'dms-json',
  'cockroach', 'mongo',
] as const;
export const DEFAULT_PLACEHOLDER = '__debezium_unavailable_value';

// A file is checked once: to compile the check, as zod does unless told otherwise, costs more than it saves.
z.config({ jitless: true });

/** Says of a value that it is missing, or what was expected of it with an example. */
const expected = (what: string) => ({
  error: (issue: { input?: unknown }): string => (issue.input === undefined ? `is missing: ${what}` : `expected ${what}, got ${shown(issue.input)}`),
});

const duration = (meaning: string): z.ZodString => {
  const bad = expected(`a duration, e.g. ${DURATION_EXAMPLES}`);
  return z.string(bad).regex(DURATION_PATTERN, { ...bad, abort: true }).refine((text) => parseDurationUs(text) !== undefined, bad).describe(meaning);
};
const size = (meaning: string): z.ZodString => {
  const bad = expected(`a size, e.g. ${SIZE_EXAMPLES}`);
  return z.string(bad).refine((text) => parseSizeBytes(text) !== undefined, bad).describe(meaning);
};
const text = (what: string) => z.string(expected(what)).min(1, expected(what)).describe(what);
const names = (what: string) => z.union([text(what), z.array(text(what))], expected(what)).describe(what);
const oneOf = <const T extends readonly string[]>(values: T, meaning: string) =>
  z.enum(values, expected(`one of ${values.join(', ')}`)).describe(meaning);
const whole = (what: string, least: number) => z.int(expected(what)).min(least, expected(what)).max(2 ** 31 - 1, expected(what)).describe(what);
const yesOrNo = (meaning: string) => z.boolean(expected('true or false')).describe(meaning);
const object = <T extends z.core.$ZodLooseShape>(shape: T, what: string) => z.strictObject(shape, { error: objectError(what) });

const connectSchema = (whose: string) => z.union([
  text('the path of a JSON file, or the schema itself as JSON text'),
  z.record(z.string(), z.unknown()),
], expected('a Kafka Connect schema: an object, JSON text or the path of a JSON file')).describe(`Kafka Connect schema of the ${whose}, as JsonConverter takes it in schema.content`);

const side = object({
  topic: text('a topic name, e.g. source.shop.orders').optional(),
  file: names('a capture file, relative to the folder of this file').optional(),
  format: oneOf(FORMATS, 'How the values are written; auto detects the JSON ones.').default('auto'),
  captureDelay: duration('The longest time from a commit to its record in the log, where the connector promises one.').optional(),
  partitions: whole('a number of partitions, e.g. 3', 1).optional(),
  valueSchema: connectSchema('values').optional(),
  keySchema: connectSchema('keys').optional(),
  transactionTopic: text('the topic of BEGIN and END markers, e.g. src.transaction').optional(),
  transactionFile: names('a capture of the transaction topic, relative to the folder of this file').optional(),
  heartbeat: object({
    topic: text('the topic of a heartbeat table, of logical messages or of Debezium heartbeats, e.g. src.public.heartbeat').optional(),
    file: names('a capture of the heartbeat topic, relative to the folder of this file').optional(),
  }, 'e.g. { topic: src.public.heartbeat, file: heartbeat.jsonl }').optional(),
  delivery: oneOf(['exactly-once', 'at-least-once'], "What the side's connector promises of the order in which its records appear.").default('at-least-once'),
  deliveryGrace: duration('At least once: for how long a record may be under way (delivery.timeout.ms of its producer).').default('2m'),
  order: oneOf(['position', 'timestamp'], 'What orders the changes of a key.').default('position'),
  updates: oneOf(['in-place', 'delete-insert'], 'How the sink writes an update.').default('in-place'),
  unavailablePlaceholder: text('the text that stands for an unavailable value').default(DEFAULT_PLACEHOLDER),
  replicaIdentity: oneOf(['default', 'full'], 'REPLICA IDENTITY of a PostgreSQL table.').optional(),
  noopUpdates: oneOf(['logged', 'elided'], 'Whether the engine logs an update that changes nothing.').optional(),
  epoch: whole('a whole number from 0, bumped after a failover that restarts the numbers of the log', 0).default(0),
}, 'a side, e.g. { topic: source.shop.orders, format: debezium-json }');

const literal = z.union([z.string(), z.number(), z.boolean(), z.null()], expected('a value or null'));
const columnType = z.union([
  text('a column type, e.g. decimal(12,2)'),
  object({
    source: text('a column type, e.g. timestamp-micros'),
    target: text('a column type, e.g. datetime-text'),
    zone: text('a time zone, e.g. UTC or Europe/Berlin').optional(),
    sourceZone: text('a time zone, e.g. UTC or Europe/Berlin').optional(),
    targetZone: text('a time zone, e.g. UTC or Europe/Berlin').optional(),
    precision: whole('a number of digits after the point, e.g. 3', 0).optional(),
    rounding: oneOf(['truncate', 'half-up', 'either'], 'How the less precise side drops digits.').optional(),
    equate: z.array(object({ source: literal, target: literal }, "a pair of values, e.g. { source: infinity, target: '9999-12-31 23:59:59' }"),
      expected("a list of pairs, e.g. [{ source: infinity, target: '9999-12-31 23:59:59' }]")).optional(),
    equality: oneOf(['bytes', 'ci', 'nfc'], 'How text compares.').optional(),
  }, 'a type of both sides, e.g. { source: timestamp-micros, target: datetime-text, zone: UTC }'),
], expected('a type, e.g. decimal(12,2), or { source: TYPE, target: TYPE }'));

const fieldPaths = names("a field path or a list of them, e.g. source.lsn or ['@partition', '@offset']");
const match = object({
  by: oneOf(['origin', 'version', 'alignment'], 'How a target change is attributed to a source change.'),
  source: fieldPaths.optional(),
  target: fieldPaths.optional(),
  columns: names('a column name or a list of them, e.g. [updated_at]').optional(),
}, 'a match, e.g. { by: origin, source: source.lsn, target: after.origin_lsn }');

const pair = object({
  name: text('a name, e.g. orders'),
  source: side,
  target: side,
  key: names('a column name or a list of them, e.g. [id]').optional(),
  match,
  window: object({
    size: duration('Z: the length of a window of source commit time.').default('1s'),
    lateness: duration('How far records of a partition may be out of commit-time order.').default('5s'),
    lag: duration('L: within what time a change is applied on the target.').default('30s'),
    skew: duration("ε: how far the two sides' clocks may differ.").default('1s'),
    retain: duration('How long applications of closed windows are remembered.').default('1h'),
  }, 'windows, e.g. { size: 1s, lateness: 5s, lag: 30s, skew: 1s }').prefault({}),
  policy: oneOf(['exact', 'collapse', 'replay'], 'What the sink may do to the history of a key.').default('exact'),
  partitioning: oneOf(['direct', 'repartition'], 'Whether equal keys lie in equal partitions of both topics.').default('direct'),
  columns: object({
    ignore: names('a column name or a list of them, e.g. [loaded_at]').default([]),
    rename: z.record(z.string(), names('the source name of the column, or its successive source names'),
      expected('target names with source names, e.g. { full_name: name }')).default({}).describe('Target column: source column.'),
    types: z.record(z.string(), columnType, expected("columns with types, e.g. { amount: 'decimal(12,2)' }")).default({}).describe('Column types.'),
    mask: names('a column name or a list of them, e.g. [email]').default([]),
    carry: names('a column name or a list of them, e.g. [doc]').default([]),
  }, 'columns, e.g. { ignore: [origin_lsn] }').prefault({}),
}, 'a pair with name, source, target and match');

/** The whole file. */
export const configSchema: z.ZodType<ConfigFile> = object({
  application: text('a name: consumer group, transactional ids, prefix of internal topics'),
  log: object({
    embedded: object({
      directory: text('a folder, e.g. ./data/log').default('./data/log'),
      fsync: oneOf(['always', 'interval', 'never'], 'When appends are forced to the disk: what the loss of power may take.').default('always'),
      fsyncInterval: duration('For fsync interval: so long an append may wait.').default('1s'),
      retention: object({
        age: duration('Records older than this may go; by default none do.').optional(),
        size: size('Bytes of a partition beyond which its oldest records may go; by default none do.').optional(),
      }, 'e.g. { age: 7d, size: 10GiB }').prefault({}),
    }, 'e.g. { directory: ./data/log }').optional(),
    kafka: object({
      bootstrapServers: names('a broker or a list of them, e.g. [kafka-1:9092]'),
      properties: z.union([text('the path of a .properties file'), z.record(z.string(), literal)],
        expected('the path of a .properties file, or client properties as an object')).optional(),
      allowTransactionsV1: yesOrNo('Whether a cluster before transaction.version 2 (Kafka 4.0) will do, from Kafka 3.9 on.').default(false),
    }, 'e.g. { bootstrapServers: [kafka-1:9092] }').optional(),
  }, 'either { embedded: { directory: ./data/log } } or { kafka: { bootstrapServers: [kafka-1:9092] } }').prefault({}),
  schemaRegistry: object({
    url: text('the address of a registry, e.g. http://registry:8081').optional(),
    directory: text('a folder of schemas named by id, e.g. ./schemas').optional(),
  }, 'either { url: http://registry:8081 } or { directory: ./schemas }').optional(),
  workers: whole('a number of worker threads, e.g. 2', 1).default(1),
  state: object({
    directory: text('a folder, e.g. ./data/state').default('./data/state'),
    engine: oneOf(['auto', ...ROCKSDB_PACKAGES], 'Through which package RocksDB is used; auto takes the first that has a binary for this machine.').default('auto'),
    standbyReplicas: whole('a number of standby replicas, e.g. 1', 0).default(0),
  }, 'e.g. { directory: ./data/state }').prefault({}),
  commit: object({
    interval: duration('How often state, outputs and positions are committed.')
      .refine((text) => (parseDurationUs(text) ?? 0) <= commitIntervalMsMax * 1000, expected('a duration up to 1m: so much is read again after a crash, and so old are verdicts when they come')).default('500ms'),
  }, 'e.g. { interval: 500ms }').prefault({}),
  pairs: z.array(pair, expected('a list of pairs')).min(1, { error: 'has no pair: list at least one' }),
  outputs: object({
    verdicts: text('a topic name').default('paritas.verdicts'),
    manifests: text('a topic name').default('paritas.manifests'),
    deadLetters: text('a topic name').default('paritas.dead-letters'),
    audit: text('a topic name').default('paritas.audit'),
    status: text('a topic name').default('paritas.status'),
    format: oneOf(['json', 'protobuf'], 'How output records are written.').default('json'),
  }, 'e.g. { verdicts: paritas.verdicts }').prefault({}),
  status: object({ listen: text('an address, e.g. 127.0.0.1:8088').default('127.0.0.1:8088') }, 'e.g. { listen: 127.0.0.1:8088 }').prefault({}),
}, 'settings: application, pairs and so on (see paritas config --schema)');

/** A node of the JSON Schema, as far as it is read here. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
}

/** Made once: it takes milliseconds, and every configuration that is read asks for it. */
let madeSchema: (SchemaNode & Record<string, unknown>) | undefined;

export function jsonSchema(): SchemaNode & Record<string, unknown> {
  const schema = madeSchema ??= z.toJSONSchema(configSchema, { io: 'input' }) as SchemaNode & Record<string, unknown>;
  return { $schema: schema['$schema'], title: 'paritas.yaml', ...schema };
}

/** The names a key may have at a path of the file; none where any name may stand. */
export function namesAt(schema: SchemaNode, path: readonly PropertyKey[]): string[] {
  const [step, ...rest] = path;
  const branches = schema.anyOf ?? [schema];
  if (step === undefined) return branches.flatMap((branch) => Object.keys(branch.properties ?? {}));
  return branches.flatMap((branch) => {
    const below = branch.properties?.[String(step)] ?? branch.items ?? branch.additionalProperties;
    return typeof below === 'object' ? namesAt(below, rest) : [];
  });
}

function objectError(what: string) {
  return (issue: { code?: string; input?: unknown }): string | undefined =>
    issue.code === 'unrecognized_keys' ? undefined : expected(what).error(issue);
}

/** A value as it is quoted in a message: short, and never a whole structure. */
function shown(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const printed = JSON.stringify(value);
  return printed.length > 60 ? `${printed.slice(0, 57)}..."` : printed;
}
