// The rows of a soak: they change over and over, and of one change in so many nothing comes to the target: by turns of a row that changes again,
// and of one that does not, so that open divergences pile up for as long as it goes on.
import type { AppendRecord } from '../../topology/log/log.ts';

export interface Feed { readonly keys: number; /** One change in so many; 0: none. */ readonly lostOneIn: number }

export const FEED_PAIRS = `pairs:
  - name: orders
    source: { topic: src, format: debezium-json, replicaIdentity: full }
    target: { topic: tgt, format: debezium-json, replicaIdentity: full }
    key: [id]
    match: { by: origin, source: source.lsn, target: after.origin }
    columns: { ignore: [origin] }
`;

/** The n-th change, made 200 ms before `nowMs`, and its application, made then. */
export function* changesOf({ keys, lostOneIn }: Feed, n: number, nowMs: number): Generator<AppendRecord> {
  const lost = lostOneIn > 0 && n % lostOneIn === lostOneIn >> 1;
  const again = Math.floor(n / lostOneIn) % 2 === 0;
  const id = lost && !again ? keys + n : n % keys;
  yield changeAt('src', n, id, nowMs - 200);
  if (!lost) yield changeAt('tgt', n, id, nowMs);
}

/** The n-th change of the source, or its application. */
export function changeAt(topic: 'src' | 'tgt', n: number, id: number, ms: number): AppendRecord {
  const lsn = (topic === 'src' ? 0 : 1e12) + n + 1;
  const after = { id, note: `row ${id} as of ${n}, somewhat longer than it has to be`, amount: n % 997, ...(topic === 'tgt' ? { origin: n + 1 } : {}) };
  const source = { connector: 'postgresql', ts_ms: ms, snapshot: 'false', sequence: `[null,"${lsn}"]`, lsn, txId: n };
  return { topic, partition: 0, key: Buffer.from(`{"id":${id}}`), timestampMs: ms, value: Buffer.from(JSON.stringify({ before: null, after, source, op: 'c', ts_ms: ms })) };
}
