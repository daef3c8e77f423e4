// What becomes of a connection that is refused, reset, closed or never answered: one kind of fault, in words that say where and what to look at,
// whichever of them comes first or last. Servers of a few lines stand for the broker.
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';

import { isRetriable, BrokerError, ConnectionLost, GivenUp } from '../../../../topology/log/kafka/kafka-error.ts';
import { clientSettings } from '../../../../topology/log/kafka/client-properties.ts';
import { Cluster } from '../../../../topology/log/kafka/cluster.ts';
import { Connection } from '../../../../topology/log/kafka/connection.ts';
import { kafkaStopMs } from '../../../../schemas/limits.ts';
import { whyLost } from '../../../../topology/log/kafka/why-lost.ts';

type Manner = (socket: Socket) => void;

const onData = (then: (socket: Socket) => void): Manner => socket => { socket.once('data', () => then(socket)); };
/** Answers of a broker begin with their length and the number of the request. */
const HALF_AN_ANSWER = Buffer.of(0, 0, 0, 20, 0, 0, 0, 1, 0);

const RESET = 'connection reset; the broker was stopped, or something before it (a proxy, a firewall) cut the connection';
const CLOSED = 'the broker closed the connection; it is being stopped, or lets this client not in';
const MANNERS: readonly (readonly [what: string, manner: Manner | undefined, why: string, within?: number])[] = [
  ['nobody listens', undefined, 'connection refused; is a broker listening there?'],
  ['reset at once', socket => { socket.resetAndDestroy(); }, RESET],
  ['reset at the question', onData(socket => { socket.resetAndDestroy(); }), RESET],
  ['reset within the answer', onData(socket => { socket.write(HALF_AN_ANSWER, () => socket.resetAndDestroy()); }), RESET],
  ['closed at the question', onData(socket => { socket.end(); }), CLOSED],
  ['closed within the answer', onData(socket => { socket.end(HALF_AN_ANSWER); }), CLOSED],
  ['never answered', onData(() => undefined), 'no answer within 30 ms; the broker stands still, or something before it swallows what is sent', 30],
  ['half answered', onData(socket => { socket.write(HALF_AN_ANSWER); }), 'no answer within 30 ms; the broker stands still, or something before it swallows what is sent', 30],
  ['another protocol', onData(socket => { socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'); }), 'what answers there is no Kafka broker'],
  ['TLS', onData(socket => { socket.write(Buffer.of(0x15, 3, 3, 0, 2, 2, 0x46)); }), 'it speaks TLS there; set security.protocol to SSL or SASL_SSL'],
];

for (const [what, manner, why, timeoutMs = 60_000] of MANNERS) {
  void test(`${what}: where, and what to look at`, async t => {
    const address = await serve(t, manner);
    const connection = new Connection(address, 'test');
    const error = await connection.connect(address, undefined).then(() => connection.request({ api: 18, version: 4 }, Buffer.alloc(0), () => 'answered', timeoutMs)).catch((thrown: unknown) => thrown);
    ok(error instanceof ConnectionLost);
    deepEqual([error.message, error.exitCode, isRetriable(error), connection.isOpen], [`127.0.0.1:${address.port}: ${why}`, 4, true, false]);
    await rejects(connection.request({ api: 18, version: 4 }, Buffer.alloc(0), () => 'answered', 60_000), error);
  });
}

void test('who is to stop waits a moment for what is under way, and for what is asked from then on', async t => {
  const address = await serve(t, onData(() => undefined));
  const stop = new AbortController();
  const connections = [new Connection(address, 'test', stop.signal), new Connection(address, 'test', stop.signal)];
  for (const connection of connections) await connection.connect(address, undefined);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ask = (connection: Connection): Promise<unknown> => connection.request({ api: 18, version: 4 }, Buffer.alloc(0), () => 'answered', 20_000).catch((error: unknown) => error);
  const before = ask(connections[0]);
  stop.abort();
  const after = ask(connections[1]);
  t.mock.timers.tick(kafkaStopMs - 1);
  deepEqual(connections.map(({ isOpen }) => isOpen), [true, true]);
  t.mock.timers.tick(1);
  for (const error of await Promise.all([before, after])) match((error as ConnectionLost).message, new RegExp(`: no answer within ${kafkaStopMs} ms`));
});

// Those that a server of a few lines cannot bring about. No system's name for it stays the text.
const CODES: readonly (readonly [code: string, says: RegExp])[] = [
  ['ECONNREFUSED', /^connection refused/], ['ECONNRESET', /^connection reset/], ['EPIPE', /^connection reset/], ['ERR_STREAM_DESTROYED', /^connection reset/],
  ['ETIMEDOUT', /^the host does not answer/], ['EHOSTUNREACH', /^there is no way to the host/], ['ENETUNREACH', /^there is no way to the host/],
  ['ENOTFOUND', /^the host is not known.*advertised\.listeners/], ['EMFILE', /too many open files.*ulimit -n/], ['CERT_HAS_EXPIRED', /has expired/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /not trusted.*ssl\.truststore\.location/], ['ERR_TLS_CERT_ALTNAME_INVALID', /another name.*ssl\.endpoint\.identification\.algorithm/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /is this a PLAINTEXT port\?/], ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /ssl\.keystore\.location/],
];
for (const [code, says] of CODES) {
  void test(`${code} in words`, () => {
    const why = whyLost(Object.assign(new Error(`read ${code}`), { code }), true);
    match(why, says);
    doesNotMatch(why, /^read|^E[A-Z]+$/);
  });
}

void test('what has no words of ours keeps its own, with its code', () => {
  equal(whyLost(Object.assign(new Error('it rains'), { code: 'EWEATHER' }), false), 'it rains (EWEATHER)');
  equal(whyLost(Object.assign(new Error(''), { code: 'EWEATHER' }), false), '(EWEATHER)');
  equal(whyLost(new Error('it rains'), false), 'it rains');
});

// In any order: what is told at the end is the last, with how long it was tried. A refusal is the end of the server.
const ENDS = ['nobody listens', 'reset at the question', 'closed at the question', 'never answered'];
for (const first of ENDS.slice(1)) {
  for (const last of ENDS) {
    void test(`${first}, in the end ${last}: how long it was tried, and what to do`, async t => {
      const [begins, goesOn] = [first, last].map(what => MANNERS.find(([name]) => name === what));
      const address = await serve(t, begins?.[1], goesOn?.[1]);
      const cluster = new Cluster([`127.0.0.1:${address.port}`], clientSettings({ 'default.api.timeout.ms': '100' }));
      t.after(() => cluster.close());
      let tries = 0;
      const error = await cluster.retrying(async () => {
        const [,,, timeoutMs = 60_000] = (tries++ === 0 ? begins : goesOn) ?? [];
        const connection = new Connection(address, 'test');
        await connection.connect(address, undefined);
        await connection.request({ api: 18, version: 4 }, Buffer.alloc(0), () => 'answered', timeoutMs);
      }).catch((thrown: unknown) => thrown);
      ok(error instanceof GivenUp && error.cause instanceof ConnectionLost);
      match(error.message, /^127\.0\.0\.1:\d+: .*; it was tried for \d+(\.\d+)? s, then given up \(default\.api\.timeout\.ms\); start again when it is mended, nothing is lost$/);
      ok(error.message.startsWith(error.cause.message) && tries > 1);
      equal(error.cause.why, goesOn?.[2]);
      deepEqual([error.exitCode, isRetriable(error)], [4, true]);
    });
  }
}

void test('an attempt that hangs before it fails was not tried for long: it is tried again', async () => {
  const cluster = new Cluster(['127.0.0.1:1'], clientSettings(undefined));
  const failures = [new ConnectionLost('broker:1', RESET), undefined];
  equal(await cluster.retrying(() => { const failure = failures.shift(); return failure === undefined ? Promise.resolve('answered') : Promise.reject(failure); }, 0), 'answered');
});

void test('a cluster that is busy is not one that cannot be reached: the time of one is none of the other', async t => {
  t.mock.method(performance, 'now', () => nowMs);
  let nowMs = 0;
  const cluster = new Cluster(['127.0.0.1:1'], clientSettings(undefined));
  const failures = [[0, new BrokerError('EndTxn', 51, 'id')], [900, new BrokerError('EndTxn', 51, 'id')], [1900, new ConnectionLost('broker:1', RESET)], [2900, new ConnectionLost('broker:1', RESET)]] as const;
  let tries = 0;
  const answer = await cluster.retrying(() => {
    const failure = failures.at(tries++);
    if (failure === undefined) return Promise.resolve('answered');
    nowMs = failure[0];
    return Promise.reject(failure[1]);
  }, 1000);
  equal(answer, 'answered');
});

void test('several known addresses of one broker are asked once', async () => {
  const cluster = new Cluster(['127.0.0.1:1', '127.0.0.1:1'], clientSettings(undefined));
  await rejects(cluster.any(), { message: '127.0.0.1:1: connection refused; is a broker listening there?' });
});

/** Meets the first connection in one manner and those after it in another; without one nobody listens. */
async function serve(t: { after(end: () => void): void }, ...manners: readonly (Manner | undefined)[]): Promise<{ host: string; port: number }> {
  const server: Server = createServer(socket => {
    socket.on('error', () => undefined);
    const manner = manners[Math.min(count++, manners.length - 1)];
    if (manners[Math.min(count, manners.length - 1)] === undefined) server.close();
    manner?.(socket);
  });
  let count = 0;
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as { port: number };
  if (manners[0] === undefined) await new Promise(resolve => { server.close(resolve); });
  t.after(() => { server.close(); });
  return { host: '127.0.0.1', port };
}
