// Client properties in Java's and in librdkafka's spelling, as people have them in a client.properties: what of them concerns a connection.
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

import { ParitasError } from '../../../schemas/errors.ts';
import { groupHeartbeatMs, groupSessionMs, kafkaMetadataMs, kafkaRetryMs } from '../../../schemas/limits.ts';
import { tokenSource } from './oauth-token.ts';
import { parseProperties } from './properties-file.ts';
import { SASL_MECHANISMS, type SaslSettings } from './sasl.ts';

export interface ClientSettings {
  readonly clientId: string;
  readonly tls: ConnectionOptions | undefined;
  readonly sasl: SaslSettings | undefined;
  /** So long what may pass by itself is tried again, milliseconds. */
  readonly retryMs: number;
  /** Milliseconds between two looks at the topics that are followed. */
  readonly metadataMs: number;
  readonly group: GroupTimes & {
    /** Of a static member. */
    readonly instance: string | undefined;
  };
  /** Keys that mean nothing here; to be said once. */
  readonly ignored: readonly string[];
}

interface GroupTimes {
  /** Milliseconds without a heartbeat after which an instance has no tasks any more. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
}

/** Where a cluster is, and how it is spoken with. */
export interface KafkaCluster {
  readonly bootstrapServers: readonly string[];
  /** Client properties, or the path of a .properties file. */
  readonly properties?: string | PropertyValues | undefined;
  /** Whether a cluster before transaction.version 2 will do (transaction-v1.ts says what is weaker with it). */
  readonly allowTransactionsV1?: boolean | undefined;
}

export type PropertyValues = Readonly<Record<string, string | number | boolean | null>>;

/** `properties`: the keys themselves or the path of a file. Throws a ParitasError (`config`, `input`) that names the key. */
export function clientSettings(properties: string | PropertyValues | undefined, read: (path: string) => Buffer = readFileSync): ClientSettings {
  const given = typeof properties === 'string' ? parseProperties(readNamed('log.kafka.properties', properties, read).toString())
    : new Map(Object.entries(properties ?? {}).map(([key, value]) => [key, value === null ? '' : String(value)]));
  const used = new Set<string>();
  const take: Take = (...keys) => {
    for (const key of keys) used.add(key);
    return keys.map(key => given.get(key)).find(value => value !== undefined && value !== '');
  };
  const protocol = (take('security.protocol') ?? 'PLAINTEXT').toUpperCase();
  if (!['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'].includes(protocol)) throw refuse('security.protocol', `is "${protocol}"; it must be PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL`);
  const tls = tlsSettings(take, read, given);
  const sasl = protocol.startsWith('SASL') ? saslSettings(take) : undefined;
  if (sasl === undefined) {
    take('sasl.mechanism', 'sasl.mechanisms', 'sasl.jaas.config', 'sasl.username', 'sasl.password');
    tokenSource(take, new Map());
  }
  const clientId = take('client.id') ?? 'paritas';
  const retryMs = durationMs(take, 'default.api.timeout.ms') ?? kafkaRetryMs;
  const metadataMs = durationMs(take, 'metadata.max.age.ms', 'topic.metadata.refresh.interval.ms') ?? kafkaMetadataMs;
  return { clientId, retryMs, metadataMs, tls: protocol.endsWith('SSL') ? tls : undefined, sasl, group: groupSettings(take), ignored: [...given.keys()].filter(key => !used.has(key)) };
}

function durationMs(take: Take, key: string, other: string = key): number | undefined {
  const text = take(key, other);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw refuse(key, `is "${text}"; it must be a number of milliseconds`);
  return Number(text);
}

type Take = (...keys: string[]) => string | undefined;
type Read = (path: string) => Buffer;

function groupSettings(take: Take): ClientSettings['group'] {
  const [sessionMs, heartbeatMs] = [durationMs(take, 'session.timeout.ms') ?? groupSessionMs, durationMs(take, 'heartbeat.interval.ms') ?? groupHeartbeatMs];
  if (heartbeatMs > sessionMs / 2) throw refuse('heartbeat.interval.ms', `is ${heartbeatMs}; it must be at most half of session.timeout.ms (${sessionMs})`);
  return { instance: take('group.instance.id'), sessionMs, heartbeatMs };
}

function saslSettings(take: Take): SaslSettings {
  const mechanism = take('sasl.mechanism', 'sasl.mechanisms')?.toUpperCase();
  const jaas = jaasOptions(take('sasl.jaas.config'));
  const token = tokenSource(take, jaas);
  const username = take('sasl.username') ?? jaas.get('username');
  const password = take('sasl.password') ?? jaas.get('password');
  const known = SASL_MECHANISMS.find(name => name === mechanism);
  if (known === undefined) throw refuse('sasl.mechanism', `${mechanism === undefined ? 'is missing' : `is "${mechanism}"`}; it must be ${SASL_MECHANISMS.join(', ')}`);
  if (known === 'OAUTHBEARER') {
    if (token === undefined) throw refuse('sasl.oauthbearer.token', 'is missing, and so are sasl.oauthbearer.token.file, sasl.oauthbearer.token.endpoint.url with a client id and secret, and unsecuredLoginStringClaim_sub in sasl.jaas.config');
    return { mechanism: known, token };
  }
  if (username === undefined || password === undefined) throw refuse('sasl.jaas.config', `gives no ${username === undefined ? 'username' : 'password'}, nor does sasl.${username === undefined ? 'username' : 'password'}`);
  return { mechanism: known, username, password };
}

/** `….PlainLoginModule required username="u" password="p";` */
function jaasOptions(jaas: string | undefined): Map<string, string> {
  const options = (jaas ?? '').matchAll(/(\w+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s;]+))/g);
  return new Map([...options].map(([, key, quoted, single, plain]) => [key, quoted?.replaceAll(/\\(.)/gs, '$1') ?? single ?? plain]));
}

function tlsSettings(take: Take, read: Read, given: ReadonlyMap<string, string>): ConnectionOptions {
  const ca = take('ssl.truststore.certificates', 'ssl.ca.pem') ?? file('ssl.ca.location') ?? store('ssl.truststore');
  const cert = take('ssl.keystore.certificate.chain', 'ssl.certificate.pem') ?? file('ssl.certificate.location');
  const key = take('ssl.keystore.key', 'ssl.key.pem') ?? file('ssl.key.location');
  const isPkcs12 = take('ssl.keystore.type')?.toUpperCase() === 'PKCS12' || /\.(p12|pfx)$/i.test(given.get('ssl.keystore.location') ?? '');
  const keystore = isPkcs12 ? file('ssl.keystore.location') : store('ssl.keystore');
  const passphrase = take('ssl.key.password') ?? take('ssl.keystore.password');
  take('ssl.truststore.password', 'ssl.truststore.type', 'ssl.keystore.password');
  const identity = given.get('ssl.endpoint.identification.algorithm');
  take('ssl.endpoint.identification.algorithm');
  const isVerified = take('enable.ssl.certificate.verification') !== 'false';
  return {
    rejectUnauthorized: isVerified,
    ...(ca === undefined ? {} : { ca }),
    ...(keystore === undefined ? {} : isPkcs12 ? { pfx: keystore } : { cert: keystore, key: keystore }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(identity !== undefined && (identity === '' || identity === 'none') ? { checkServerIdentity: () => undefined } : {}),
  };

  function file(name: string): Buffer | undefined {
    const path = take(name);
    return path === undefined ? undefined : readNamed(name, path, read);
  }

  /** A store must be PEM: Java's own forms cannot be read here. */
  function store(name: string): Buffer | undefined {
    const bytes = file(`${name}.location`);
    if (bytes === undefined || bytes.includes('-----BEGIN')) return bytes;
    throw refuse(`${name}.location`, `is no PEM file; convert it: keytool -importkeystore … -deststoretype PKCS12, then openssl pkcs12 -nodes -in store.p12 -out store.pem`);
  }
}

function readNamed(key: string, path: string, read: Read): Buffer {
  try {
    return read(path);
  } catch (cause) {
    throw new ParitasError('input', `${key}: ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function refuse(key: string, why: string): ParitasError {
  return new ParitasError('config', `log.kafka.properties: ${key} ${why}`);
}
