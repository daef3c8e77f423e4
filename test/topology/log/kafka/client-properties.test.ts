// Client properties in both spellings, and what a broker must know, by tables.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { whatLacks } from '../../../../topology/log/kafka/broker-versions.ts';
import { type ClientSettings, clientSettings } from '../../../../topology/log/kafka/client-properties.ts';
import type { TokenSource } from '../../../../topology/log/kafka/oauth-token.ts';
import { parseProperties } from '../../../../topology/log/kafka/properties-file.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----\n';
const FILES: Readonly<Record<string, string>> = { 'ca.pem': PEM, 'client.pem': `${PEM}-----BEGIN PRIVATE KEY-----\n`, 'key.pem': 'KEY', 'store.jks': '\xfe\xed\xfe\xed', 'store.p12': '0\x82' };
const read = (path: string): Buffer => {
  const text = FILES[path];
  if (text === undefined) throw new Error('no such file');
  return Buffer.from(text, 'latin1');
};

const alice = { mechanism: 'PLAIN', username: 'alice', password: 'p;"w' } as const;
const bearer = (token: TokenSource): ClientSettings['sasl'] => ({ mechanism: 'OAUTHBEARER', token });
const ACCEPTED: readonly (readonly [says: string, properties: string, expected: Partial<ClientSettings>])[] = [
  ['nothing', '', { clientId: 'paritas', tls: undefined, sasl: undefined, ignored: [] }],
  ['Java, SASL PLAIN by JAAS', String.raw`security.protocol=SASL_PLAINTEXT
sasl.mechanism=PLAIN
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
    username="alice" password="p;\\"w";`, { sasl: alice, tls: undefined }],
  ['librdkafka, SASL PLAIN', 'security.protocol=sasl_plaintext\nsasl.mechanisms=PLAIN\nsasl.username=alice\nsasl.password=p;"w', { sasl: alice }],
  ['SCRAM over TLS, Java truststore in PEM', 'security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\nsasl.username=u\nsasl.password=p\nssl.truststore.type=PEM\nssl.truststore.location=ca.pem',
    { sasl: { mechanism: 'SCRAM-SHA-512', username: 'u', password: 'p' }, tls: { rejectUnauthorized: true, ca: Buffer.from(PEM) } }],
  ['librdkafka, TLS with a client certificate', 'security.protocol=ssl\nssl.ca.location=ca.pem\nssl.certificate.location=client.pem\nssl.key.location=key.pem\nssl.key.password=secret',
    { tls: { rejectUnauthorized: true, ca: Buffer.from(PEM), cert: Buffer.from(FILES['client.pem']), key: Buffer.from('KEY'), passphrase: 'secret' } }],
  ['Java, a PEM keystore holds key and chain', 'security.protocol=SSL\nssl.keystore.location=client.pem\nssl.keystore.type=PEM',
    { tls: { rejectUnauthorized: true, cert: Buffer.from(FILES['client.pem']), key: Buffer.from(FILES['client.pem']) } }],
  ['a PKCS12 keystore', 'security.protocol=SSL\nssl.keystore.location=store.p12\nssl.keystore.password=pw', { tls: { rejectUnauthorized: true, pfx: Buffer.from(FILES['store.p12'], 'latin1'), passphrase: 'pw' } }],
  ['certificates not checked', 'security.protocol=SSL\nenable.ssl.certificate.verification=false', { tls: { rejectUnauthorized: false } }],
  ['TLS settings without TLS', 'ssl.ca.location=ca.pem', { tls: undefined }],
  ['OAUTHBEARER, a token that is told', 'security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.token=a.b.c', { sasl: bearer({ kind: 'told', token: 'a.b.c' }), ignored: [] }],
  ['OAUTHBEARER, Java, a token in a file', 'security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.token.endpoint.url=file:///run/token\nsasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler',
    { sasl: bearer({ kind: 'file', path: '/run/token' }), ignored: [] }],
  ['OAUTHBEARER, Java, an identity provider', String.raw`security.protocol=SASL_SSL
sasl.mechanism=OAUTHBEARER
sasl.oauthbearer.token.endpoint.url=https://idp/token
sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId="c" clientSecret="s" scope="kafka";`,
  { sasl: bearer({ kind: 'provider', url: 'https://idp/token', clientId: 'c', clientSecret: 's', scope: 'kafka' }) }],
  ['OAUTHBEARER, librdkafka, an identity provider', 'security.protocol=sasl_ssl\nsasl.mechanisms=OAUTHBEARER\nsasl.oauthbearer.method=oidc\nsasl.oauthbearer.token.endpoint.url=https://idp/token\nsasl.oauthbearer.client.id=c\nsasl.oauthbearer.client.secret=s',
    { sasl: bearer({ kind: 'provider', url: 'https://idp/token', clientId: 'c', clientSecret: 's', scope: undefined }), ignored: [] }],
  ['OAUTHBEARER, librdkafka, unsecured', 'security.protocol=sasl_plaintext\nsasl.mechanisms=OAUTHBEARER\nenable.sasl.oauthbearer.unsecure.jwt=true\nsasl.oauthbearer.config=scope=x principal=alice', { sasl: bearer({ kind: 'unsecured', subject: 'alice' }), ignored: [] }],
  ['how long is tried', 'default.api.timeout.ms=5000', { retryMs: 5000, ignored: [] }],
  ['how often topics are looked at, Java', 'metadata.max.age.ms=60000', { metadataMs: 60_000, ignored: [] }],
  ['how often topics are looked at, librdkafka', 'topic.metadata.refresh.interval.ms=60000', { metadataMs: 60_000, ignored: [] }],
  ['a static member with times of its own', 'group.instance.id=one\nsession.timeout.ms=6000\nheartbeat.interval.ms=500', { group: { instance: 'one', sessionMs: 6000, heartbeatMs: 500 }, ignored: [] }],
  ['what means nothing here is told', 'client.id=x\nfetch.min.bytes=1\nsasl.usename=alice\n', { clientId: 'x', ignored: ['fetch.min.bytes', 'sasl.usename'] }],
];

const REFUSED: readonly (readonly [properties: string, says: RegExp])[] = [
  ['session.timeout.ms=6s', /session\.timeout\.ms is "6s".*milliseconds/],
  ['session.timeout.ms=3000\nheartbeat.interval.ms=2000', /heartbeat\.interval\.ms is 2000.*half of session\.timeout\.ms \(3000\)/],
  ['security.protocol=TLS', /security\.protocol is "TLS"/],
  ['security.protocol=SASL_SSL', /sasl\.mechanism is missing.*PLAIN, SCRAM-SHA-256/],
  ['security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI', /sasl\.mechanism is "GSSAPI"/],
  ['security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=a', /gives no password/],
  ['security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER', /sasl\.oauthbearer\.token is missing.*token\.file.*endpoint\.url/],
  ['default.api.timeout.ms=1m', /default\.api\.timeout\.ms is "1m"; it must be a number of milliseconds/],
  ['security.protocol=SSL\nssl.truststore.location=store.jks', /ssl\.truststore\.location is no PEM file.*keytool/],
  ['security.protocol=SSL\nssl.ca.location=none.pem', /ssl\.ca\.location: none\.pem cannot be read: no such file/],
];

describe('client properties', () => {
  for (const [says, properties, expected] of ACCEPTED) {
    test(says, () => {
      const found: Partial<ClientSettings> = clientSettings(Object.fromEntries(parseProperties(properties)), read);
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map(key => [key, found[key as keyof ClientSettings]])), expected);
    });
  }

  for (const [properties, says] of REFUSED) {
    test(`refused: ${properties.replaceAll('\n', ' ')}`, () => {
      assert.throws(() => clientSettings(Object.fromEntries(parseProperties(properties)), read), says);
    });
  }

  test('host names are not checked where the algorithm is empty', () => {
    for (const [value, isChecked] of [['', false], ['none', false], ['https', true]] as const) {
      const { tls } = clientSettings({ 'security.protocol': 'SSL', 'ssl.endpoint.identification.algorithm': value }, read);
      assert.equal(tls?.checkServerIdentity === undefined, isChecked);
    }
  });

  test('a file that is not there is named', () => {
    assert.throws(() => clientSettings('nowhere.properties', read), /log\.kafka\.properties: nowhere\.properties cannot be read/);
  });
});

test('a .properties file, as Java reads it', () => {
  const text = String.raw`# a comment
! another
a=1
  b : two words
c   three
d\=e=f\tg\u00e9
long=one, \
     two
empty=
alone
path=C:\\dir
`;
  assert.deepEqual([...parseProperties(text)], [['a', '1'], ['b', 'two words'], ['c', 'three'], ['d=e', 'f\tgé'], ['long', 'one, two'], ['empty', ''], ['alone', ''], ['path', 'C:\\dir']]);
});

describe('broker versions', () => {
  const newest = [[0, 0, 13], [1, 4, 18], [2, 1, 11], [3, 0, 13], [9, 1, 10], [10, 0, 6], [11, 0, 9], [12, 0, 4], [13, 0, 5], [14, 0, 5], [15, 0, 6], [19, 2, 7], [20, 1, 6], [22, 0, 5], [26, 0, 5], [24, 0, 5], [25, 0, 4], [28, 0, 6], [32, 1, 4], [42, 0, 2]]
    .map(([apiKey, minVersion, maxVersion]) => ({ apiKey, minVersion, maxVersion }));
  const capped = (key: number, maxVersion: number): typeof newest => newest.map(range => (range.apiKey === key ? { ...range, maxVersion } : range));
  const cases: readonly (readonly [says: string, ranges: typeof newest, transactionVersion: number, lacks: RegExp | undefined, allowTransactionsV1?: true])[] = [
    ['Kafka 4.4', newest, 2, undefined],
    ['Kafka 3.9', capped(0, 11), 0, /Produce 12: Kafka 4\.0 or later is needed, or log\.kafka\.allowTransactionsV1: true/],
    ['Kafka 3.9, where it is allowed', capped(0, 11), 0, undefined, true],
    ['Kafka 3.7, where it is allowed', capped(0, 10), 0, /Produce 11: Kafka 3\.9 or later is needed$/, true],
    ['one that has dropped a version', newest.map(range => (range.apiKey === 1 ? { ...range, minVersion: 18 } : range)), 2, /Fetch 17/],
    ['one that does not tell', [], 0, /Produce 12, .*Fetch 17.*Kafka 4\.0 or later is needed$/],
    ['a cluster that was upgraded and not finalised', newest, 1, /transaction\.version 1.*kafka-features\.sh upgrade.*or set log\.kafka\.allowTransactionsV1: true/],
    ['the same, where it is allowed', newest, 1, undefined, true],
    ['Kafka 4.4, where older ones are allowed', newest, 2, undefined, true],
  ];
  for (const [says, ranges, transactionVersion, lacks, allowTransactionsV1] of cases) {
    test(says, () => {
      const found = whatLacks({ ranges, transactionVersion }, allowTransactionsV1);
      if (lacks === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', lacks);
    });
  }
});
