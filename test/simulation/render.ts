// History -> captures of the real form (product.md §4, form 1) with Debezium PostgreSQL JSON, and the pair's entry in paritas.yaml.
// Only what a Debezium connector would write is written; what the oracle knows beside it stays out.
import { SIDES, type Side } from '../../schemas/change-event.ts';
import type { Beat, History, Image, LogRecord, RowChange, RowOp } from './history.ts';
import type { Plan } from './plan.ts';

const OPS: Readonly<Record<RowOp, string>> = { create: 'c', update: 'u', delete: 'd', read: 'r', truncate: 't' };

/** JSON Lines of one side. */
export function toCapture(history: History, side: Side): string[] {
  return history[side].map((record) => renderRecord(history.plan, record));
}

/** JSON Lines of a side's transaction topic. */
function toEnds(history: History, side: Side): string[] {
  return (history.ends?.[side] ?? []).map(({ tx, lsn, timeUs, rows }, offset) => JSON.stringify({
    topic: `${side}.transaction`, partition: 0, offset, timestamp: timeUs / 1000 + 7, key: JSON.stringify({ id: `${String(tx)}:${String(lsn + 4)}` }),
    value: JSON.stringify({
      status: 'END', id: `${String(tx)}:${String(lsn + 4)}`, event_count: rows, data_collections: [{ data_collection: 'shop.orders', event_count: rows }], ts_ms: timeUs / 1000,
    }),
  }));
}

/** JSON Lines of a side's heartbeat topic. */
export function toBeats(history: History, side: Side): string[] {
  return (history.beats?.[side] ?? []).map((beat, offset) => JSON.stringify({
    topic: `${side}.shop.heartbeat`, partition: 0, offset, timestamp: beat.timestampMs, key: '{"id":1}', value: beat.kind === 'garbage' ? '{"before":nul' : JSON.stringify(beatOf(side, beat, offset)),
  }));
}

function beatOf(side: Side, { kind, timeUs }: Beat, offset: number): Record<string, unknown> {
  if (kind === 'timer') return { ts_ms: Math.floor(timeUs / 1000) };
  const lsn = 9_000_000 + 8 * offset;
  return {
    before: null, after: { id: 1, at: String(timeUs) }, op: kind === 'read' ? 'r' : 'u', ts_ms: Math.floor(timeUs / 1000) + 5, transaction: null,
    source: {
      version: '3.6.1.Final', connector: 'postgresql', name: side, ts_ms: Math.floor(timeUs / 1000), snapshot: kind === 'read' ? 'true' : 'false', db: 'shop',
      sequence: `["${String(lsn)}","${String(lsn)}"]`, ts_us: timeUs, schema: 'public', table: 'heartbeat', txId: 5_000_000 + offset, lsn, xmin: null, origin: null, origin_lsn: null,
    },
  };
}

/** What lies beside the rows, by the name of its file. */
export function toBeside(history: History): Record<string, string[]> {
  return Object.fromEntries(SIDES.flatMap((side) => [
    ...(history.ends === undefined ? [] : [[endsFileOf(side), toEnds(history, side)] as const]), ...(history.beats === undefined ? [] : [[beatsFileOf(side), toBeats(history, side)] as const]),
  ]));
}

function beatsFileOf(side: Side): string {
  return `${side}.heartbeat.jsonl`;
}

function endsFileOf(side: Side): string {
  return `${side}.tx.jsonl`;
}

/** What is no row has no time of its own. */
export function timestampMsOf({ content }: LogRecord): number {
  return content.kind === 'row' ? Math.floor(content.change.timeUs / 1000) + 7 : 1_700_000_000_000;
}

export function renderRecord(plan: Plan, record: LogRecord): string {
  const { content } = record;
  const at = { topic: topicOf(record.side), partition: record.partition, offset: record.offset, timestamp: timestampMsOf(record) };
  switch (content.kind) {
    case 'garbage': return JSON.stringify({ ...at, key: '{"id":0}', value: '{"before":nul' });
    case 'tombstone': return JSON.stringify({ ...at, key: JSON.stringify({ id: content.key }), value: null });
    case 'row': return JSON.stringify({
      ...at,
      key: content.change.key === null ? null : JSON.stringify({ id: content.change.key }),
      value: JSON.stringify(envelope(plan, record.side, content.change)),
    });
  }
}

function envelope(plan: Plan, side: Side, change: RowChange): Record<string, unknown> {
  const { timeUs } = change;
  const transaction = change.totalOrder < 0 ? null : { id: `${String(change.tx)}:${String(change.lsn)}`, total_order: change.totalOrder, data_collection_order: change.totalOrder };
  return {
    before: row(plan, side, change.key, change.before), after: row(plan, side, change.key, change.after),
    source: {
      version: '3.6.1.Final', connector: 'postgresql', name: side, ts_ms: Math.floor(timeUs / 1000), snapshot: change.unpositioned ? 'incremental' : change.op === 'read' ? 'true' : 'false',
      db: 'shop', sequence: change.unpositioned ? null : `[${change.seq === 0 ? 'null' : `"${String(change.seq)}"`},"${String(change.lsn)}"]`, ts_us: timeUs,
      schema: 'public', table: 'orders', txId: change.tx, lsn: change.unpositioned ? null : change.lsn, xmin: null, origin: null, origin_lsn: null,
    },
    transaction, op: OPS[change.op], ts_ms: Math.floor(timeUs / 1000) + 5,
  };
}

function row(plan: Plan, side: Side, key: number | null, image: Image | null): Record<string, unknown> | null {
  if (image === null) return null;
  const columns = { id: key, v: image.v, n: image.n };
  if (plan.matchBy === 'alignment') return columns;
  if (plan.matchBy === 'version') return { ...columns, ver: image.tag };
  return side === 'source' ? columns : { ...columns, origin_lsn: image.tag };
}

export function topicOf(side: Side): string {
  return `${side}.shop.orders`;
}

function besideOf(plan: Plan, side: Side): Record<string, unknown> {
  if (plan.ends === undefined && plan.beats === undefined) return {};
  return {
    ...(plan.graceUs === undefined ? { delivery: 'exactly-once' } : { deliveryGrace: `${String(plan.graceUs)}us` }),
    ...(plan.ends === undefined ? {} : { transactionTopic: `${side}.transaction`, transactionFile: endsFileOf(side) }),
    ...(plan.beats === undefined ? {} : { heartbeat: { topic: `${side}.shop.heartbeat`, file: beatsFileOf(side) } }),
  };
}

const MATCHES: Readonly<Record<Plan['matchBy'], Record<string, unknown>>> = {
  origin: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' }, version: { by: 'version', columns: ['ver'] }, alignment: { by: 'alignment' },
};

/** The pair's entry, as in paritas.yaml. */
export function toConfig(plan: Plan): Record<string, unknown> {
  const { window } = plan;
  const us = (amount: number): string => `${String(amount)}us`;
  return {
    name: 'orders',
    source: { ...besideOf(plan, 'source'), topic: topicOf('source'), format: 'debezium-json', ...(plan.identity.source === 'full' ? { replicaIdentity: 'full' } : {}) },
    target: { ...besideOf(plan, 'target'), topic: topicOf('target'), format: 'debezium-json', ...(plan.identity.target === 'full' ? { replicaIdentity: 'full' } : {}) },
    key: ['id'],
    match: MATCHES[plan.matchBy],
    ...(plan.policy === undefined ? {} : { policy: plan.policy }),
    ...(plan.carry === undefined ? {} : { columns: { carry: plan.carry } }),
    window: { size: us(window.sizeUs), lateness: us(window.latenessUs), lag: us(window.lagUs), skew: us(window.skewUs) },
  };
}
