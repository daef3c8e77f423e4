// Where a bearer token comes from: told, read from a file, asked of an identity provider (OAuth client credentials), or made here and unsigned,
// which only a broker for tests takes. It is asked for anew for every connection, so a file or a provider may change it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { ParitasError } from '../../../schemas/errors.ts';
import { kafkaRequestMs } from '../../../schemas/limits.ts';
import { unreachable } from '../../../schemas/unreachable.ts';
import { ConnectionLost } from './kafka-error.ts';
import { whyLost } from './why-lost.ts';

export type TokenSource =
  | { readonly kind: 'told'; readonly token: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'provider'; readonly url: string; readonly clientId: string; readonly clientSecret: string; readonly scope: string | undefined }
  | { readonly kind: 'unsecured'; readonly subject: string };

/** `take`: the first of these client properties that is set. undefined: none of them says. */
export function tokenSource(take: (...keys: string[]) => string | undefined, jaas: ReadonlyMap<string, string>): TokenSource | undefined {
  const told = take('sasl.oauthbearer.token');
  const file = take('sasl.oauthbearer.token.file');
  const url = take('sasl.oauthbearer.token.endpoint.url');
  const clientId = take('sasl.oauthbearer.client.credentials.client.id', 'sasl.oauthbearer.client.id') ?? jaas.get('clientId');
  const clientSecret = take('sasl.oauthbearer.client.credentials.client.secret', 'sasl.oauthbearer.client.secret') ?? jaas.get('clientSecret');
  const scope = take('sasl.oauthbearer.scope') ?? jaas.get('scope');
  const isUnsecured = take('enable.sasl.oauthbearer.unsecure.jwt') === 'true';
  const subject = jaas.get('unsecuredLoginStringClaim_sub') ?? (isUnsecured ? /(?:^|\s)principal=(\S+)/.exec(take('sasl.oauthbearer.config') ?? '')?.[1] : undefined);
  take('sasl.oauthbearer.method', 'sasl.login.callback.handler.class');
  if (told !== undefined) return { kind: 'told', token: told };
  if (file !== undefined) return { kind: 'file', path: file };
  if (url?.startsWith('file:') === true) return { kind: 'file', path: fileURLToPath(url) };
  if (url !== undefined && clientId !== undefined && clientSecret !== undefined) return { kind: 'provider', url, clientId, clientSecret, scope };
  return subject === undefined ? undefined : { kind: 'unsecured', subject };
}

/** Throws a ParitasError: `input`, `unreachable`, `not-authorised`. The token itself is in no message. */
export async function readToken(source: TokenSource): Promise<string> {
  switch (source.kind) {
    case 'told': return source.token;
    case 'file': return tokenInFile(source.path);
    case 'provider': return await askProvider(source);
    case 'unsecured': return unsecured(source.subject);
    default: return unreachable(source);
  }
}

function tokenInFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new ParitasError('input', `log.kafka.properties: the token file ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function askProvider({ url, clientId, clientSecret, scope }: Extract<TokenSource, { kind: 'provider' }>): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  const authorization = `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization, accept: 'application/json' }, body, signal: AbortSignal.timeout(kafkaRequestMs) }).catch((cause: unknown) => {
    throw new ConnectionLost(url, `the identity provider does not answer: ${whyNoAnswer(cause)}`, cause);
  });
  const told = await answer.json().catch(() => undefined) as { access_token?: unknown; error?: unknown } | undefined;
  if (typeof told?.access_token === 'string') return told.access_token;
  const why = typeof told?.error === 'string' ? `: ${told.error}` : '';
  if (answer.status >= 500) throw new ConnectionLost(url, `the identity provider gives no token (HTTP ${answer.status}${why})`);
  throw new ParitasError('not-authorised', `${url}: the identity provider gives no token (HTTP ${answer.status}${why}); check client id, secret and scope in log.kafka.properties`);
}

/** What `fetch` throws says only that it failed; why is in its cause. */
function whyNoAnswer(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === 'TimeoutError') return `not within ${kafkaRequestMs} ms`;
  return whyLost(thrown.cause instanceof Error ? thrown.cause : thrown, false);
}

function unsecured(subject: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nowS = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: nowS, exp: nowS + 3600 })}.`;
}
