// SASL on a fresh connection: PLAIN, SCRAM (RFC 5802) and OAUTHBEARER (RFC 7628). Written here because the library's brings every codec with it, half a CPU-second.
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import { ParitasError } from '../../../schemas/errors.ts';
import { kafkaRequestMs } from '../../../schemas/limits.ts';
import type { Connection } from './connection.ts';
import { BrokerError } from './kafka-error.ts';
import { Reader, Writer } from './library.ts';
import { readToken, type TokenSource } from './oauth-token.ts';

export const SASL_MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'] as const;
export interface PasswordSettings { readonly mechanism: Exclude<(typeof SASL_MECHANISMS)[number], 'OAUTHBEARER'>; readonly username: string; readonly password: string }
export type SaslSettings = PasswordSettings | { readonly mechanism: 'OAUTHBEARER'; readonly token: TokenSource };

/** Throws a ParitasError (`not-authorised`) where user or password are wrong. */
export async function authenticate(connection: Connection, settings: SaslSettings): Promise<void> {
  await handshake(connection, settings.mechanism);
  const sessionMs = settings.mechanism === 'OAUTHBEARER' ? await bearer(connection, settings.token)
    : settings.mechanism === 'PLAIN' ? (await exchange(connection, Buffer.from(`\0${settings.username}\0${settings.password}`))).sessionMs
      : await scram(connection, settings);
  if (sessionMs > 0) connection.retireAfter(sessionMs * 0.8);
}

async function handshake(connection: Connection, mechanism: string): Promise<void> {
  const form = { api: 17, version: 1, flexibleRequest: false, flexibleAnswer: false };
  const { errorCode, offered } = await connection.request(form, Writer.create().appendString(mechanism, false).buffer, (data, at) => {
    const reader = Reader.from(data.subarray(at));
    return { errorCode: reader.readInt16(), offered: reader.readArray(entry => entry.readString(false), false, false) };
  }, kafkaRequestMs);
  if (errorCode !== 0) throw new BrokerError('SaslHandshake', errorCode, connection.broker, `offers ${offered.join(', ') || 'none'}, not ${mechanism}`);
}

async function exchange(connection: Connection, bytes: Buffer): Promise<{ bytes: Buffer; sessionMs: number }> {
  const body = Writer.create().appendBytes(bytes).appendTaggedFields().buffer;
  return await connection.request({ api: 36, version: 2 }, body, (data, at) => {
    const reader = Reader.from(data.subarray(at));
    const errorCode = reader.readInt16();
    const message = reader.readNullableString();
    if (errorCode !== 0) throw new BrokerError('SaslAuthenticate', errorCode, connection.broker, message);
    return { bytes: Buffer.from(reader.readBytes()), sessionMs: Number(reader.readInt64()) };
  }, kafkaRequestMs);
}

async function bearer(connection: Connection, source: TokenSource): Promise<number> {
  const { bytes, sessionMs } = await exchange(connection, Buffer.from(`n,,\x01auth=Bearer ${await readToken(source)}\x01\x01`));
  if (bytes.length === 0) return sessionMs;
  // Refused, with JSON that says why; it wants an empty message, and then ends the exchange with its error.
  await exchange(connection, Buffer.of(1));
  throw refused(connection, `it refuses the token: ${bytes.toString()}`);
}

const derive = promisify(pbkdf2);

async function scram(connection: Connection, { mechanism, username, password }: PasswordSettings): Promise<number> {
  const algorithm = mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512';
  const hmac = (key: Buffer, text: string): Buffer => createHmac(algorithm, key).update(text).digest();
  const nonce = randomBytes(24).toString('base64url');
  const first = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`;
  const challenge = (await exchange(connection, Buffer.from(`n,,${first}`))).bytes.toString();
  const { r = '', s = '', i = '0' } = attributesOf(challenge);
  const iterations = Number(i);
  if (!r.startsWith(nonce) || !(iterations >= 4096 && iterations <= 10_000_000)) throw refused(connection, 'its SCRAM challenge is not one');
  const salted = await derive(password.normalize('NFKC'), Buffer.from(s, 'base64'), iterations, algorithm === 'sha256' ? 32 : 64, algorithm);
  const clientKey = hmac(salted, 'Client Key');
  const last = `c=biws,r=${r}`;
  const signed = `${first},${challenge},${last}`;
  const signature = hmac(createHash(algorithm).update(clientKey).digest(), signed);
  const proof = Buffer.from(clientKey.map((byte, index) => byte ^ signature[index]));
  const answer = await exchange(connection, Buffer.from(`${last},p=${proof.toString('base64')}`));
  const { v = '', e } = attributesOf(answer.bytes.toString());
  if (e !== undefined) throw refused(connection, `it refuses SCRAM: ${e}`);
  const expected = hmac(hmac(salted, 'Server Key'), signed);
  const given = Buffer.from(v, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw refused(connection, 'it does not know the password itself: this is not the broker it claims to be');
  return answer.sessionMs;
}

function attributesOf(message: string): Record<string, string | undefined> {
  return Object.fromEntries(message.split(',').map(part => [part.slice(0, 1), part.slice(2)]));
}

function refused(connection: Connection, why: string): ParitasError {
  return new ParitasError('not-authorised', `${connection.broker}: ${why}`);
}
