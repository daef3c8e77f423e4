// A bearer token from a file and from an identity provider: what is asked, and what is said where none comes.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { readToken } from '../../../../topology/log/kafka/oauth-token.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function provider(t: TestContext, status: number, answer: object): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => { body += String(chunk); }).on('end', () => {
      asked.push(`${request.method} ${request.headers.authorization} ${body}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve); });
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/token`, asked };
}

const client = { kind: 'provider', clientId: 'paritas', clientSecret: 'p w', scope: 'kafka' } as const;

void test('a file, read anew each time', async t => {
  const folder = tempFolder(t, { token: 'a.b.c\n' });
  assert.equal(await readToken({ kind: 'file', path: join(folder, 'token') }), 'a.b.c');
  await assert.rejects(readToken({ kind: 'file', path: join(folder, 'none') }), { code: 'input', message: /the token file .*none cannot be read/ });
});

void test('an identity provider is asked with the client\'s credentials', async t => {
  const { url, asked } = await provider(t, 200, { access_token: 'x.y.z', expires_in: 300 });
  assert.equal(await readToken({ ...client, url }), 'x.y.z');
  assert.deepEqual(asked, [`POST Basic ${Buffer.from('paritas:p%20w').toString('base64')} grant_type=client_credentials&scope=kafka`]);
});

void test('one that refuses, and one that does not answer', async t => {
  const { url } = await provider(t, 401, { error: 'invalid_client' });
  await assert.rejects(readToken({ ...client, url }), { code: 'not-authorised', message: `${url}: the identity provider gives no token (HTTP 401: invalid_client); check client id, secret and scope in log.kafka.properties` });
  await assert.rejects(readToken({ ...client, url: 'http://127.0.0.1:1/token' }), { code: 'unreachable', message: /the identity provider does not answer/ });
});
