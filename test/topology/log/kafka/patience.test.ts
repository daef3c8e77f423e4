// How long what fails is tried again: by itself, by the cluster as a whole, and when the service is to stop.
import { deepEqual, doesNotThrow, equal, match, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';

import { BrokerError, ConnectionLost, GivenUp } from '../../../../topology/log/kafka/kafka-error.ts';
import { kafkaStopMs } from '../../../../schemas/limits.ts';
import { Failing, Patience } from '../../../../topology/log/kafka/patience.ts';

const LOST = new ConnectionLost('broker:1', 'connection reset');
const MOVED = new BrokerError('Produce', 6, 'rows-0');
const BUSY = new BrokerError('EndTxn', 51, 'id');
const BOUND_MS = 60_000;

/** A clock that stands still until it is set, and a service that can be stopped. */
function bench(t: { mock: { method(of: object, name: string, by: () => number): unknown } }): { at(ms: number): void; stop(atMs: number): void; patience: Patience } {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const stop = new AbortController();
  const at = (ms: number): void => { nowMs = ms; };
  return { at, stop: ms => { at(ms); stop.abort(); }, patience: new Patience(stop.signal) };
}

void test('each kind of failure has a time of its own, from its first', () => {
  const failing = new Failing();
  deepEqual([failing.since(LOST, 1), failing.since(LOST, 2), failing.since(MOVED, 3), failing.since(BUSY, 4), failing.since(LOST, 5), failing.since(MOVED, 6)], [1, 1, 3, 4, 1, 3]);
});

void test('what has failed just now is tried again, and so until its bound', t => {
  const { at, patience } = bench(t);
  const over = [0, BOUND_MS, BOUND_MS + 1].map(ms => { at(ms); return patience.isOver(0, BOUND_MS); });
  deepEqual(over, [false, false, true]);
  at(0);
  equal(patience.isOver(0, 0), false);
});

void test('where nobody has had an answer for so long, who asks late does not begin anew; one answer, a refusal too, and he does', t => {
  for (const answer of [(patience: Patience) => { patience.answered(); }, (patience: Patience) => { patience.failed(MOVED, BOUND_MS + 1); }]) {
    const { at, patience } = bench(t);
    patience.failed(LOST, 0);
    at(BOUND_MS + 1);
    patience.failed(LOST, BOUND_MS + 1);
    equal(patience.isOver(BOUND_MS + 1, BOUND_MS), true);
    doesNotThrow(() => { patience.check(); }, 'while it runs everything is tried at least once');
    answer(patience);
    equal(patience.isOver(BOUND_MS + 1, BOUND_MS), false);
  }
});

void test('a service that is to stop tries for a moment from then on, and asks nothing more once nobody has answered for that long', t => {
  const { at, stop, patience } = bench(t);
  patience.failed(LOST, 0);
  stop(50_000);
  const found = [0, kafkaStopMs, kafkaStopMs + 1].map(ms => {
    at(50_000 + ms);
    return [patience.isOver(0, BOUND_MS), patience.isOver(50_000 + ms, BOUND_MS)];
  });
  deepEqual(found, [[false, false], [false, false], [true, true]]);
  throws(() => { patience.check(); }, (error: unknown) => {
    ok(error instanceof GivenUp);
    equal(error.cause, LOST);
    match(error.message, /^broker:1: connection reset; it was tried for \d+ s, then given up, for it is to stop; nothing is lost$/);
    return true;
  });
  patience.answered();
  doesNotThrow(() => { patience.check(); });
});
