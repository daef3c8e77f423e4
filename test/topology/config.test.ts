import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import { ParitasError } from '../../schemas/errors.ts';
import { configFromFlags, loadConfig, selectPairs } from '../../topology/config.ts';
import type { Config, ConfigOverrides } from '../../topology/config.ts';
import { parseSet } from '../../topology/config-overrides.ts';
import { jsonSchema } from '../../topology/config-schema.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MINIMAL = `application: shop
pairs:
  - name: orders
    source: { file: s.jsonl }
    target: { file: t.jsonl }
    match: { by: alignment }
`;

// The example of the public contract, as printed there.
const FULL = `application: shop-parity            # consumer group, transactional ids, prefix of internal topics
log:                                # exactly one of the two; default embedded
  kafka:    { bootstrapServers: [kafka-1:9092], properties: ./client.properties }   # Java or librdkafka keys
schemaRegistry: { url: http://registry:8081 }      # optional
state: { directory: ./data/state, standbyReplicas: 0 }
commit: { interval: 500ms }
pairs:
  - name: orders
    source: { topic: source.shop.orders, format: debezium-json, captureDelay: 5s }
    target: { topic: target.shop.orders, format: debezium-json, captureDelay: 5s }
    key: [id]                       # column names; default: the columns of the Debezium record key
    match: { by: origin, source: source.lsn, target: after.origin_lsn }
    window: { size: 1s, lateness: 5s, lag: 30s, skew: 1s, retain: 1h }
    policy: exact                   # exact | collapse | replay
    columns:
      ignore: [origin_lsn, loaded_at]
      rename: { full_name: name }   # target column: source column
      types:  { amount: 'decimal(12,2)', created_at: { source: timestamp-micros, target: datetime-text, zone: UTC } }
      mask:   [email]
outputs:
  verdicts: paritas.verdicts        # topic names; these are the defaults
  manifests: paritas.manifests
  deadLetters: paritas.dead-letters
  audit: paritas.audit              # decisions, append-only
  status: paritas.status
  format: json                      # json | protobuf
status: { listen: 127.0.0.1:8088 }
`;

function load(t: TestContext, text: string, overrides: ConfigOverrides = {}): Config {
  return loadConfig(join(tempFolder(t, { 'paritas.yaml': text }), 'paritas.yaml'), overrides);
}

void test('every configuration of the cases is read', (t) => {
  const texts = readFileSync(new URL('../fixtures/configs/cases.yaml', import.meta.url), 'utf8').split('---\n');
  assert.equal(texts.length, 89);
  const hashes = new Set<string>();
  for (const text of texts) {
    const config = load(t, text);
    for (const pair of config.pairs) {
      hashes.add(pair.configHash);
      assert.equal(pair.source.files.length, 1);
      assert.match(pair.configHash, /^[0-9a-f]{64}$/);
    }
  }
  assert.ok(hashes.size > 40);
});

void test('the embedded log: fsync and retention', (t) => {
  const config = load(t, `${MINIMAL}log: { embedded: { directory: /data, fsync: interval, fsyncInterval: 250ms, retention: { age: 7d, size: 10GiB } } }\n`);
  assert.deepEqual(config.log, {
    kind: 'embedded', directory: '/data', fsync: 'interval', fsyncIntervalMs: 250, retention: { ageMs: 7 * 86_400_000, sizeBytes: 10 * 2 ** 30 },
  });
  for (const bad of ['fsync: sometimes', 'retention: { size: 10 }', 'retention: { age: old }', 'retention: { sizes: 1GiB }']) {
    assert.throws(() => load(t, `${MINIMAL}log: { embedded: { ${bad} } }\n`), bad);
  }
});

void test('the example of the contract', (t) => {
  const config = load(t, FULL, { env: { PARITAS_MASK_KEY: 'secret' } });
  assert.deepEqual(config.log.kind, 'kafka');
  assert.deepEqual(config.schemaRegistry, { url: 'http://registry:8081' });
  assert.deepEqual(config.status, { host: '127.0.0.1', port: 8088 });
  assert.deepEqual(config.warnings, []);
  const [pair] = config.pairs;
  assert.equal(pair.source.captureDelayUs, 5_000_000);
  assert.deepEqual(pair.match, { by: 'origin', source: ['source.lsn'], target: ['after.origin_lsn'] });
  assert.deepEqual(pair.window, { sizeUs: 1e6, latenessUs: 5e6, lagUs: 30e6, skewUs: 1e6, retainUs: 3.6e9 });
  assert.deepEqual({ ...pair.columns.rename }, { full_name: ['name'] });
  assert.deepEqual(pair.columns.types['amount'], {
    source: 'decimal(12,2)', target: 'decimal(12,2)', sourceZone: undefined, targetZone: undefined, precision: undefined, rounding: undefined,
    equate: [], equality: 'bytes',
  });
  assert.equal(pair.columns.types['created_at'].targetZone, 'UTC');
  // SHA-256 of "secret"
  assert.equal(pair.columns.maskKey, '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b');
});

void test('defaults, and files relative to the folder of the file', (t) => {
  const folder = tempFolder(t, { 'sub/paritas.yaml': MINIMAL });
  const config = loadConfig(join(folder, 'sub/paritas.yaml'));
  const [pair] = config.pairs;
  assert.deepEqual(pair.source.files, [join(folder, 'sub/s.jsonl')]);
  assert.equal(pair.source.topic, '');
  assert.equal(pair.source.format, 'auto');
  assert.equal(pair.source.unavailablePlaceholder, '__debezium_unavailable_value');
  assert.equal(pair.policy, 'exact');
  assert.equal(pair.key, undefined);
  assert.equal(pair.columns.maskKey, '');
  assert.deepEqual(config.log, { kind: 'embedded', directory: join(folder, 'sub/data/log'), fsync: 'always', fsyncIntervalMs: 1000, retention: {} });
  assert.equal(config.commit.intervalUs, 500_000);
});

void test('a version column has its own name on each side', (t) => {
  const config = load(t, MINIMAL.replace('by: alignment', 'by: version, columns: ver').concat('    columns: { rename: { v2: ver } }\n'));
  assert.deepEqual(config.pairs[0].match, { by: 'version', source: ['after.ver'], target: ['after.v2'] });
});

void test('digits are kept', (t) => {
  const text = `${MINIMAL}    columns: { types: { a: { source: text, target: text, equate: [{ source: 9223372036854775807, target: 1.10 }, { source: null, target: 0 }] } } }\n`;
  assert.deepEqual(load(t, text).pairs[0].columns.types['a'].equate, [
    { source: '9223372036854775807', target: '1.10' }, { source: null, target: '0' },
  ]);
});

void test('column names that objects have of themselves', (t) => {
  const { columns } = load(t, `${MINIMAL}    columns: { types: { constructor: int64 }, rename: { toString: valueOf } }\n`).pairs[0];
  assert.deepEqual(Object.keys(columns.types), ['constructor']);
  assert.equal(columns.types['hasOwnProperty'], undefined);
});

void test('a Connect schema as object, text and file', (t) => {
  const schema = '{"type":"struct","fields":[{"type":"int64","field":"id"}]}';
  const folder = tempFolder(t, { 'v.json': schema, 'envelope.json': `{"schema":${schema},"payload":null}` });
  for (const given of [schema, `'${schema}'`, 'v.json', './envelope.json']) {
    const config = configFromYaml(t, folder, MINIMAL.replace('s.jsonl', `s.jsonl, valueSchema: ${given}`));
    assert.deepEqual(config.pairs[0].source.valueSchema?.fields?.[0].field, 'id', given);
  }
});

void test('overrides: the environment over the file, flags over the environment', (t) => {
  const env = { PARITAS_PAIRS_ORDERS_WINDOW_LAG: '1m', PARITAS_STATE_DIRECTORY: '/data', PARITAS_PAIRS_ORDERS_KEY: '[id, part]', PARITAS_COMMIT_INTERVAL: '1s', PARITAS_STATE_ENGINE: 'rocksdb-native' };
  const config = load(t, MINIMAL, { env, flags: [parseSet('pairs.orders.window.lag=2m'), parseSet('pairs[0].source.partitions=3')] });
  assert.equal(config.pairs[0].window.lagUs, 120_000_000);
  assert.deepEqual([config.state.directory, config.state.engine], ['/data', 'rocksdb-native']);
  assert.deepEqual(config.pairs[0].key, ['id', 'part']);
  assert.equal(config.pairs[0].source.partitions, 3);
  const from = Object.fromEntries(config.effective.map((value) => [value.path, value.from]));
  assert.equal(from['pairs[0].window.lag'], '--set pairs.orders.window.lag');
  assert.equal(from['commit.interval'], 'PARITAS_COMMIT_INTERVAL');
  assert.equal(from['pairs[0].policy'], 'default');
  assert.match(from['pairs[0].name'], /paritas\.yaml:3:11$/);
});

void test('an environment variable that names no setting is a warning; those of Kubernetes are none', (t) => {
  const env = { PARITAS_STATE_DIRECTORI: 'x', PARITAS_SERVICE_HOST: '10.0.0.1', PARITAS_PORT_8088_TCP: 'tcp://', PARITAS_TEST_BOOTSTRAP: 'x' };
  assert.deepEqual(load(t, MINIMAL, { env }).warnings, [
    'the environment variable PARITAS_STATE_DIRECTORI names no setting; did you mean "PARITAS_STATE_DIRECTORY"?',
  ]);
});

void test('${NAME}, NAME_FILE, defaults, and what is not shown of them', (t) => {
  const folder = tempFolder(t, { 'pw': 's3cret\n' });
  const text = `${MINIMAL}log:
  kafka:
    bootstrapServers: '\${HOST:-localhost}:9092'
    properties: { sasl.password: '\${DB_PASSWORD}', note: 'a $\${b}', client.id: x, partitions: '\${N}' }
schemaRegistry: { url: 'http://user:pw@registry' }
`;
  const config = load(t, text, { env: { DB_PASSWORD_FILE: join(folder, 'pw'), N: '7' } });
  assert.deepEqual({ ...config.log }, {
    kind: 'kafka', bootstrapServers: ['localhost:9092'], properties: { 'sasl.password': 's3cret', note: 'a ${b}', 'client.id': 'x', partitions: '7' }, allowTransactionsV1: false,
  });
  const shown = JSON.stringify(config.effective);
  assert.ok(!shown.includes('s3cret') && !shown.includes('user:pw'), shown);
  assert.ok(shown.includes('http://[redacted]@registry'));
});

void test('a secret in the wrong place is not printed', (t) => {
  const env = { DB_PASSWORD: 's3cret' };
  assert.throws(() => load(t, MINIMAL.replace('s.jsonl', "s.jsonl, partitions: '${DB_PASSWORD}'"), { env }), (error: unknown) =>
    error instanceof ParitasError && error.message.includes('expected a number of partitions') && !error.message.includes('s3cret'));
});

void test('a masked column without a key of its own is a warning', (t) => {
  const config = load(t, `${MINIMAL}    columns: { mask: [email] }\n`);
  assert.equal(config.warnings.length, 1);
  assert.match(config.pairs[0].columns.maskKey, /^[0-9a-f]{64}$/);
});

void test('the hash is about what decides a verdict, not about how and where it is written', (t) => {
  const hash = (text: string, env = {}): string => load(t, text, { env }).pairs[0].configHash;
  const plain = hash(MINIMAL);
  assert.equal(hash(MINIMAL.replace('s.jsonl', 'elsewhere.jsonl, topic: x').replace('shop', 'other').replace('orders', 'o2')), plain);
  assert.equal(hash(`${MINIMAL}    window: { lag: 30000ms, size: 1s }\n`), plain);
  assert.equal(hash(`${MINIMAL}    columns: { types: { a: int64, b: text } }\n`), hash(`${MINIMAL}    columns: { types: { b: { target: text, source: text }, a: int64 } }\n`));
  const others = [
    `${MINIMAL}    window: { lag: 31s }\n`, `${MINIMAL}    policy: collapse\n`, `${MINIMAL}    columns: { ignore: [a] }\n`,
    `${MINIMAL}    key: [id]\n`, MINIMAL.replace('s.jsonl', 's.jsonl, epoch: 1'), MINIMAL.replace('s.jsonl', 's.jsonl, transactionTopic: tx'),
    `${MINIMAL}    columns: { mask: [a] }\n`,
  ];
  assert.equal(new Set([plain, ...others.map((text) => hash(text)), hash(others[6], { PARITAS_MASK_KEY: 'k' })]).size, others.length + 2);
});

void test('flags alone make a configuration', () => {
  const pair = { name: 'check', source: { file: 'a' }, target: { file: 'b' }, match: { by: 'alignment' } };
  const flags = [{ path: ['application'], value: 'x', flag: 'f' }, { path: ['pairs'], value: [pair], flag: 'f' }];
  const config = configFromFlags('/base', { flags });
  assert.deepEqual(config.pairs[0].target.files, ['/base/b']);
  assert.throws(() => selectPairs(config, 'chek'), /there is no pair "chek"; did you mean "check"\?/);
});

void test('the JSON Schema lists what the file may hold', () => {
  const schema = jsonSchema();
  assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
  assert.deepEqual(Object.keys(schema.properties ?? {}), [
    'application', 'log', 'schemaRegistry', 'workers', 'state', 'commit', 'pairs', 'outputs', 'status',
  ]);
});

void test('a missing file says how to get one', () => {
  assert.throws(() => loadConfig('/nowhere/paritas.yaml'), (error: unknown) =>
    error instanceof ParitasError && error.exitCode === 2 && error.message.startsWith('/nowhere/paritas.yaml: no such file; write one with "paritas init'));
});

function configFromYaml(t: TestContext, folder: string, text: string): Config {
  const schemas = ['v.json', 'envelope.json'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return loadConfig(join(tempFolder(t, { ...Object.fromEntries(schemas) as Record<string, string>, 'paritas.yaml': text }), 'paritas.yaml'));
}
