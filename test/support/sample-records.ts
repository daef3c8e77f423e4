// A small output with one record of each kind, as `check` gives it.
import { COUNT_NAMES } from '../../schemas/records.ts';
import type { CountName, Counts, ManifestRecord, OutputRecord, VerdictRecord } from '../../schemas/records.ts';

export function counts(some: Partial<Record<CountName, string>> = {}): Counts {
  return Object.fromEntries(COUNT_NAMES.map((name) => [name, some[name] ?? '0'])) as Counts;
}

/** The window of 1 s that begins so many seconds after noon. */
export function windowAt(second: number): { start: string; end: string } {
  const time = (at: number): string => `2026-11-30T12:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}.000000Z`;
  return { start: time(second), end: time(second + 1) };
}

export function verdict(second: number, more: Partial<VerdictRecord> = {}): VerdictRecord {
  return {
    record: 'verdict', verdictId: `v${second}`, pair: 'orders', window: windowAt(second), status: 'final', change: 'parity', state: 'parity',
    confidence: 'assumed', attribution: 'origin', policy: 'exact', notObservable: [], counts: counts({ sourceEvents: '2', targetEvents: '2', matched: '2' }),
    watermarks: { source: windowAt(second + 40).start, target: windowAt(second + 41).start }, evidence: [], digests: { source: 'aa', target: 'aa' },
    decisionId: 'd1', configHash: 'c', previousVerdictHash: '', coreHash: 'h', evidenceHash: 'e', ...more,
  };
}

export function manifest(second: number, more: Partial<ManifestRecord> = {}): ManifestRecord {
  return {
    record: 'manifest', manifestId: `m${second}`, verdictId: `v${second}`, pair: 'orders', window: windowAt(second), class: 'mismatch', key: { id: '42' },
    source: { op: 'update', position: '0:1:2', commitTime: windowAt(second).start, topic: 'src.orders', partition: 0, offset: '7' },
    target: { op: 'update', origin: '24023128', commitTime: windowAt(second).start, topic: 'tgt.orders', partition: 1, offset: '9' },
    columns: [{ name: 'amount', source: '10.00', target: '10.01', hint: 'precision-loss' }, { name: 'note', source: 'red \u001b[31m', target: null }],
    attribution: 'origin', remedy: 'reapply', severity: 'error', firstSeen: windowAt(second).start, ...more,
  };
}

export const SAMPLE: readonly OutputRecord[] = [
  { record: 'decision', decisionId: 'd1', pair: 'orders', closeUpTo: windowAt(2).end, frontiers: [], claims: [], overrides: [], takenAt: windowAt(50).start },
  verdict(0),
  manifest(1),
  manifest(1, { manifestId: 'm1b', class: 'missing', key: { id: '43' }, target: undefined, columns: undefined } as unknown as Partial<ManifestRecord>),
  verdict(1, { change: 'diverged', state: 'diverged', counts: counts({ sourceEvents: '1234', targetEvents: '1', missing: '1', mismatch: '1', openDivergences: '2' }),
    torn: [
      { transaction: '949', applied: '2', missing: '1', keys: [{ id: '43' }] },
      { transaction: '950', applied: '1', missing: '1209', keys: Array.from({ length: 7 }, (_, i) => ({ id: String(60 + i) })), keysCut: '1202' },
    ], tornCut: '1',
  }),
  { record: 'schema', pair: 'orders', side: 'target', column: 'loaded_at', window: windowAt(1), detail: 'only the target has this column' },
  verdict(2, { status: 'amended' }),
  { record: 'resolved', pair: 'orders', key: { id: '42' }, window: windowAt(2), manifestId: 'm1' },
  { record: 'dead-letter', pair: 'orders', side: 'source', topic: 'src.orders', partition: 0, offset: '9', reason: 'malformed', detail: 'byte 12: expected a colon' },
  { record: 'dead-letter', pair: 'orders', side: 'target', file: '/data/t.jsonl', line: '3', reason: 'bad-line', detail: 'not JSON' },
  { record: 'status', pair: 'orders', side: 'target', topic: 'tgt.orders', partition: 1, watermark: windowAt(43).start, lagMs: '1200', stalled: true, reason: 'no record' },
  { record: 'task', pair: 'orders', task: 'orders/0', state: 'running', owner: 'worker-1:4711', since: windowAt(3).start, at: windowAt(50).start, recordsRead: '1243', openWindows: '3', eventsBuffered: '17', openDivergences: '2' },
  { record: 'summary', pair: 'orders', windows: { parity: '2', diverged: '1', undecidable: '0', open: '3' }, counts: counts({ sourceEvents: '1238', targetEvents: '5', matched: '4' }), exitCode: 1 },
];
