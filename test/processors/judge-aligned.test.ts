// Match mode `alignment` from the lines of two logs to what is told: what the aligner alone cannot show. A source change that is owed
// outlives its slot, a version that is repeated outlives both, a window names what an earlier one has consumed only once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../support/check.ts';

type Connector = 'postgresql' | 'mariadb';
/** [millisecond, value]; null: the row is deleted. One key, in the order of the log. */
type Change = readonly [ms: number, value: string | null, key?: number];
interface Case { readonly source: readonly Change[]; readonly target: readonly Change[]; readonly on?: Connector; readonly noopUpdates?: 'logged'; readonly policy?: 'collapse' | 'replay'; readonly tells: readonly string[] }

const START_MS = 1_700_000_000_000;

function lines(connector: Connector, changes: readonly Change[]): string[] {
  return changes.map(([ms, value, id = 1], i) => {
    const place = connector === 'postgresql' ? { schema: 'shop', lsn: 100 + i } : { file: 'bin.000001', pos: 100 + i, row: 0, server_id: 1 };
    const source = { connector, db: 'shop', table: 'orders', ts_ms: START_MS + ms, ...place };
    const row = value === null ? { before: { id }, after: null, op: 'd' } : { before: null, after: { id, v: value }, op: 'u' };
    return JSON.stringify({ ...row, source, ts_ms: START_MS + ms });
  });
}

/** Windows of a second, L two seconds, ε a tenth. */
async function told(c: Case): Promise<string[]> {
  const pair = {
    name: 'orders', key: ['id'], match: { by: 'alignment' }, policy: c.policy ?? 'exact', window: { size: '1s', lateness: '0ms', lag: '2s', skew: '100ms' },
    source: { format: 'debezium-json', topic: 's' }, target: { format: 'debezium-json', topic: 't', ...(c.noopUpdates === undefined ? {} : { noopUpdates: c.noopUpdates }) },
  };
  const { records } = await check({ pair }, lines('postgresql', c.source), lines(c.on ?? 'postgresql', c.target), { complete: true });
  return records.flatMap(record => {
    if (record.record === 'manifest') return [`${(Date.parse(record.window.start) - START_MS) / 1000}s ${record.class} S${record.source?.offset ?? '-'} T${record.target?.offset ?? '-'}`];
    if (record.record !== 'summary') return [];
    const { elided, collapsed, openDivergences } = record.counts;
    return [...elided === '0' ? [] : [`elided ${elided}`], ...collapsed === '0' ? [] : [`collapsed ${collapsed}`], ...openDivergences === '0' ? [] : ['differs']];
  });
}

/** Changes of another key, so that windows close and slots are freed: at each second up to the given one. */
const other = (untilS: number, lagMs: number): Change[] => Array.from({ length: untilS }, (_, s): Change => [s * 1000 + 500 + lagMs, `x${s}`, 2]);
const merged = (a: readonly Change[], b: readonly Change[]): Change[] => [...a, ...b].sort((x, y) => x[0] - y[0]);

const CASES: Readonly<Record<string, Case>> = {
  'a change in step': { source: [[100, 'a'], [200, 'b']], target: [[150, 'a'], [250, 'b']], tells: [] },
  'a lost change': { source: [[100, 'a'], [200, 'b']], target: [[150, 'a']], tells: ['0s missing S1 T-', 'differs'] },
  'a lost change, converged since': { source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[150, 'a'], [350, 'c']], tells: ['0s missing S1 T-'] },
  'another value': { source: [[100, 'a']], target: [[150, 'x']], tells: ['0s mismatch S0 T0', 'differs'] },
  'two in the wrong order, named once though both windows look at them': {
    source: [[900, 'a'], [950, 'b'], [2500, 'c']], target: [[1100, 'b'], [1200, 'a'], [2600, 'c']], tells: ['0s reordered S0 T1'],
  },
  'a pair out of order forbids later pairs nothing': {
    source: [[900, 'a'], [950, 'b'], [1000, 'c']], target: [[1100, 'b'], [1300, 'c'], [1950, 'a']], tells: ['0s reordered S0 T2', 'differs'],
  },
  'nor does a late application': {
    source: [[3100, 'a'], [3200, 'b'], [6000, 'c']], target: [[3150, 'a'], [5950, 'c'], [5990, 'b']], tells: ['3s missing S1 T-', '3s late_applied S1 T2', 'differs'],
  },
  'a missing change is applied long after its slot is freed': {
    source: merged([[100, 'a'], [200, 'b']], other(20, 0)), target: merged([[150, 'a'], [15_100, 'b']], other(20, 10)),
    tells: ['0s missing S1 T-', '0s late_applied S1 T16'],
  },
  'and applied once more after that': {
    source: merged([[100, 'a'], [200, 'b']], other(30, 0)), target: merged([[150, 'a'], [15_100, 'b'], [25_100, 'b']], other(30, 10)),
    tells: ['0s missing S1 T-', '0s late_applied S1 T16', '25s duplicate S1 T27'],
  },
  'a delete is applied long after its slot is freed': {
    source: merged([[100, 'a'], [200, null]], other(20, 0)), target: merged([[150, 'a'], [15_100, null]], other(20, 10)),
    tells: ['0s missing S1 T-', '0s late_applied S1 T16'],
  },
  'a version applied long ago is written again': {
    source: merged([[100, 'a'], [200, 'b']], other(20, 0)), target: merged([[150, 'a'], [250, 'b'], [15_100, 'a']], other(20, 10)),
    tells: ['15s duplicate S0 T17', 'differs'],
  },
  'a value that no change ever wrote': {
    source: merged([[100, 'a']], other(20, 0)), target: merged([[150, 'a'], [15_100, 'x']], other(20, 10)), tells: ['15s unexpected S- T16', 'differs'],
  },
  'a no-op that MariaDB does not log': { on: 'mariadb', source: [[100, 'a'], [200, 'a'], [300, 'b']], target: [[150, 'a'], [350, 'b']], tells: ['elided 1'] },
  'a no-op behind a version whose slots are gone': {
    on: 'mariadb', source: merged([[100, 'a'], [15_100, 'a']], other(20, 0)), target: merged([[150, 'a']], other(20, 10)), tells: ['elided 1'],
  },
  'a no-op that PostgreSQL would have logged': { source: [[100, 'a'], [200, 'a'], [300, 'b']], target: [[150, 'a'], [350, 'b']], tells: ['0s missing S1 T-'] },
  'collapse: merged into a later change': { policy: 'collapse', source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[350, 'c']], tells: ['collapsed 2'] },
  'collapse: into one that is not due yet': { policy: 'collapse', source: [[900, 'a'], [1050, 'b']], target: [[1100, 'b']], tells: ['collapsed 1'] },
  'collapse: the last change is never merged': { policy: 'collapse', source: [[100, 'a'], [200, 'b']], target: [[150, 'a']], tells: ['0s missing S1 T-', 'differs'] },
  'collapse: nor into one that was applied too late for its window': {
    policy: 'collapse', source: [[100, 'a'], [2900, 'b']], target: [[3100, 'b']], tells: ['0s missing S0 T-'],
  },
  'collapse: a delete is never merged, and nothing across it': {
    policy: 'collapse', source: [[100, 'a'], [200, 'b'], [300, null], [400, 'c']], target: [[150, 'a'], [450, 'c']], tells: ['0s missing S1 T-', '0s missing S2 T-'],
  },
  'collapse: but into one': { policy: 'collapse', source: [[100, 'a'], [200, 'b'], [300, null]], target: [[150, 'a'], [350, null]], tells: ['collapsed 1'] },
  'collapse: an insert and its delete leave no trace': { policy: 'collapse', source: [[100, 'a'], [200, null]], target: [], tells: ['elided 1', 'collapsed 1'] },
  'collapse: nor over the edge of a window': { policy: 'collapse', source: [[900, 'a'], [1050, null]], target: [], tells: ['elided 1', 'collapsed 1'] },
  'collapse: a write of other values is a mismatch of the nearest, rather than a merge and a write of nobody': {
    policy: 'collapse', source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[150, 'a'], [250, 'x'], [350, 'c']], tells: ['0s mismatch S1 T1'],
  },
  // a, b | a merged into one a: the target change is the first one's until the last is due and has none of its own.
  'collapse: the application of an equal change before, over the edge of a window': {
    policy: 'collapse', source: [[900, 'a'], [950, 'b'], [1020, 'a']], target: [[1050, 'a']], tells: ['collapsed 2'],
  },
  'collapse: not where the change came after it by more than the skew': {
    policy: 'collapse', source: [[800, 'a'], [1020, 'a']], target: [[850, 'a']], tells: ['1s missing S1 T-'],
  },
  'collapse: what was merged is written again': {
    policy: 'collapse', source: merged([[100, 'a'], [200, 'b']], other(20, 0)), target: merged([[250, 'b'], [15_100, 'a']], other(20, 10)),
    tells: ['15s duplicate S0 T16', 'collapsed 1', 'differs'],
  },
  'replay: thrown back, and applied again to the end': { policy: 'replay', source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[150, 'a'], [250, 'b'], [350, 'c'], [400, 'b'], [410, 'c']], tells: [] },
  'replay: and a second time on the way': {
    policy: 'replay', source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[150, 'a'], [250, 'b'], [350, 'c'], [400, 'b'], [405, 'a'], [410, 'b'], [415, 'c']], tells: [],
  },
  'replay: a repeat that nothing follows': { policy: 'replay', source: [[100, 'a'], [200, 'b']], target: [[150, 'a'], [250, 'b'], [300, 'a']], tells: ['0s duplicate S0 T2', 'differs'] },
  'replay: one left out': {
    policy: 'replay', source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[150, 'a'], [250, 'b'], [350, 'c'], [400, 'a'], [410, 'c']],
    tells: ['0s duplicate S0 T3', '0s duplicate S2 T4'],
  },
  'replay: not back before the evidence ends': {
    policy: 'replay', source: [[100, 'a'], [200, 'b']], target: [[150, 'a'], [250, 'b'], [900, 'a'], [3100, 'b']], tells: ['0s duplicate S0 T2'],
  },
  // Paired first, the b of the no-op would go to the last but one, and be left out of what follows the second a.
  'replay: what a repeat is, is told by what follows': {
    policy: 'replay', source: [[100, 'a'], [200, 'b'], [300, 'b']], target: [[150, 'a'], [250, 'b'], [260, 'a'], [270, 'b'], [340, 'b']], tells: [],
  },
  'replay: of versions whose slots are gone': {
    policy: 'replay', source: merged([[100, 'a'], [200, 'b']], other(20, 0)), target: merged([[150, 'a'], [250, 'b'], [15_100, 'a'], [15_110, 'b']], other(20, 10)), tells: [],
  },
  // The last b leads the second a back, so it is not the no-op's, which is due one window later.
  'replay: what leads back over a window\'s edge is no application too': {
    policy: 'replay', source: [[100, 'a'], [200, 'b'], [1900, 'b']], target: [[150, 'a'], [250, 'b'], [500, 'a'], [1950, 'b']], tells: ['1s missing S2 T-'],
  },
  'replay: nor what leads back to a change that is not due': {
    policy: 'replay', source: [[800, 'a'], [900, 'b'], [1050, 'a'], [1900, 'a']], target: [[810, 'a'], [910, 'b'], [990, 'a'], [995, 'b'], [1060, 'a']], tells: ['1s missing S3 T-'],
  },
  'replay: and where the no-op is applied behind it all is well': {
    policy: 'replay', source: [[100, 'a'], [200, 'b'], [1900, 'b']], target: [[150, 'a'], [250, 'b'], [500, 'a'], [1950, 'b'], [1960, 'b']], tells: [],
  },
  'replay: a lost change beside it': {
    policy: 'replay', source: [[100, 'a'], [200, 'b'], [300, 'c']], target: [[150, 'a'], [250, 'b'], [300, 'a'], [310, 'b']],
    tells: ['0s mismatch S2 T2', '0s duplicate S1 T3', 'differs'],
  },
  'a no-op that is declared to be logged': { on: 'mariadb', noopUpdates: 'logged', source: [[100, 'a'], [200, 'a'], [300, 'b']], target: [[150, 'a'], [350, 'b']], tells: ['0s missing S1 T-'] },
};

for (const [name, c] of Object.entries(CASES)) test(name, async () => assert.deepEqual(await told(c), c.tells));
