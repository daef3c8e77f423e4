// Every item of the generators' list (semantics.md §12) happens in the plans that the simulator runs: a generator that has quietly lost one
// finds nothing of its kind any more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Content, type History, type RowChange, UNAVAILABLE } from './history.ts';
import { realize } from './logs.ts';
import type { Plan } from './plan.ts';
import { PROFILES } from './profiles.ts';
import { workload, CLEAN } from './workload.ts';

const plansOf = (profile: string): Plan[] => Array.from({ length: 30 }, (_, seed) => PROFILES[profile].planOf(seed));
const clean = plansOf('clean');
const rough = [...plansOf('rough'), ...plansOf('truncates')];
const histories = [...clean, ...rough].map(realize);

const isRow = (content: Content): content is Content & { kind: 'row' } => content.kind === 'row';
const rowsOf = (history: History, side: 'source' | 'target'): RowChange[] => history[side].flatMap(({ content }) => (isRow(content) ? [content.change] : []));
const inSource = (is: (change: RowChange, before: RowChange | undefined, all: readonly RowChange[]) => boolean): boolean => histories.some(history => {
  const rows = rowsOf(history, 'source').filter(row => !row.unpositioned).sort((a, b) => a.seq - b.seq || a.lsn - b.lsn);
  return rows.some((row, i) => is(row, rows.slice(0, i).findLast(other => other.key === row.key), rows));
});
const values = (history: History): Set<string | null> => new Set(rowsOf(history, 'source').flatMap(row => (row.after === null ? [] : [row.after.v])));

const ITEMS: Readonly<Record<string, () => boolean>> = {
  'skewed keys': () => clean.some(plan => {
    const counts = [...Map.groupBy(plan.changes, change => change.key).values()].map(own => own.length).sort((a, b) => b - a);
    return counts.length >= 30 && counts[0] > 5 * counts[20];
  }),
  'values from {unique, fifty, three}': () => ['u1', 'f1', 't1'].every(value => histories.some(history => values(history).has(value) || [...values(history)].some(v => v?.startsWith(value[0])))),
  'A-B-A': () => clean.some(plan => [...Map.groupBy(plan.changes.filter(change => change.kind === 'put'), change => change.key).values()].some(own => own.some((change, i) => i > 1 && change.value.v?.startsWith('u') === true && change.value.v === own[i - 2].value.v && change.value.v !== own[i - 1].value.v))),
  'no-op updates': () => inSource((row, before) => row.op === 'update' && before?.after !== null && row.after?.v === before?.after.v && row.after?.n === before?.after.n),
  'deletes and re-inserts': () => inSource((row, before) => row.op === 'create' && before?.op === 'delete'),
  'key changes': () => inSource((row, _, all) => row.op === 'delete' && all.some(other => other.op === 'create' && other.lsn === row.lsn && other.key !== row.key)),
  'truncate': () => inSource(row => row.op === 'truncate'),
  'placeholders on both sides': () => (['source', 'target'] as const).every(side => histories.some(history => rowsOf(history, side).some(row => row.after?.v === UNAVAILABLE))),
  'several rows at one position': () => inSource((row, _, all) => all.some(other => other !== row && other.lsn === row.lsn && other.seq === row.seq && other.key !== row.key && other.op !== 'delete' && row.op !== 'delete')),
  'per-key timestamp inversions': () => inSource((row, before) => before !== undefined && before.op !== 'read' && before.timeUs > row.timeUs),
  'one-second timestamps': () => clean.some(plan => plan.resolutionUs.source === 1_000_000) && clean.some(plan => plan.resolutionUs.target === 1_000_000),
  'snapshot rows': () => inSource(row => row.op === 'read'),
  'incremental snapshot rows': () => histories.some(history => rowsOf(history, 'source').some(row => row.unpositioned)),
  'heavy-tailed lag': () => clean.some(plan => {
    const lags = plan.changes.map(change => change.lagUs).filter(lag => lag > 0).sort((a, b) => a - b);
    return lags.length > 50 && lags[lags.length - 1] > 10 * lags[lags.length >> 1];
  }),
  'batch collapse': () => (workload(1, { ...CLEAN, policy: 'collapse' }).merged ?? []).length > 0,
  'sink crash and replay': () => rough.some(plan => (plan.replays ?? []).length > 0),
  'stalled partitions': () => rough.some(plan => plan.disturbances.some(item => item.kind === 'stall')),
  'aborted transactions': () => clean.some(plan => {
    const numbers = new Set(plan.changes.map(change => change.tx));
    return Math.max(...numbers) - Math.min(...numbers) > numbers.size - 1;
  }),
};

for (const [item, happens] of Object.entries(ITEMS)) test(`the generators give ${item}`, () => assert.ok(happens()));
