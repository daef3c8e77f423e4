// Terse builders for histories written by hand. Times are milliseconds after START; windows are [0, 1000), [1000, 2000) … from there.
import type { Content, History, Image, LogRecord, RowOp } from '../simulation/history.ts';
import type { Plan } from '../simulation/plan.ts';
import type { Judgement } from './judgement.ts';
import { CLASSES } from '../../schemas/records.ts';
import { judge } from './oracle.ts';

export const START_US = 1_700_000_000_000_000;

/** [op, ms, key, value, tag]: tag is the origin on a target row (of a delete: in its before image). Values are `v`; `n` is 0. */
export type Row = readonly [op: RowOp, ms: number, key: number | null, value?: string, tag?: number | null, more?: { seq?: number; lsn?: number; partition?: number; offset?: number }];
export type Entry = Row | 'garbage' | 'tombstone';

export interface Case {
  /** The source row at index i has lsn 10·(i+1), the target row 1000·(i+1). */
  readonly source: readonly Entry[];
  readonly target: readonly Entry[];
  readonly matchBy?: 'origin' | 'version';
  /** Milliseconds; default lateness 0, lag 2000, skew 0. */
  readonly window?: { lateness?: number; lag?: number; skew?: number };
  readonly complete?: false;
}

export function judgeCase(c: Case): Judgement {
  const history = historyOf(c);
  return judge(history, history.plan.window, { complete: c.complete !== false });
}

export function historyOf(c: Case): History {
  const window = { sizeUs: 1_000_000, latenessUs: (c.window?.lateness ?? 0) * 1000, lagUs: (c.window?.lag ?? 2000) * 1000, skewUs: (c.window?.skew ?? 0) * 1000 };
  const plan: Plan = {
    seed: 0, matchBy: c.matchBy ?? 'origin', identity: { source: 'default', target: 'default' }, window, partitions: { source: 1, target: 1 },
    resolutionUs: { source: 1, target: 1 }, transactionBlocks: false, tombstones: false, holes: false, jitterUs: 0, jitterSeed: 0,
    changes: [], faults: [], disturbances: [],
  };
  return { plan, source: log('source', c.source, c.matchBy ?? 'origin'), target: log('target', c.target, c.matchBy ?? 'origin') };
}

function log(side: 'source' | 'target', entries: readonly Entry[], matchBy: 'origin' | 'version'): LogRecord[] {
  const next = new Map<number, number>();
  return entries.map((entry, i) => {
    const more = typeof entry === 'string' ? undefined : entry[5];
    const partition = more?.partition ?? 0;
    const offset = more?.offset ?? next.get(partition) ?? 0;
    next.set(partition, offset + 1);
    return { side, partition, offset, content: content(entry, (i + 1) * (side === 'source' ? 10 : 1000), side === 'source' && matchBy === 'origin') };
  });
}

function content(entry: Entry, place: number, untagged: boolean): Content {
  if (entry === 'garbage') return { kind: 'garbage' };
  if (entry === 'tombstone') return { kind: 'tombstone', key: 0 };
  const [op, ms, key, value, tag, more] = entry;
  const image: Image = { v: value ?? null, n: 0, tag: untagged ? null : tag ?? null };
  const gone = op === 'delete' || op === 'truncate';
  return {
    kind: 'row',
    change: {
      op, key, timeUs: START_US + ms * 1000, seq: more?.seq ?? 1, lsn: more?.lsn ?? place, tx: 1, totalOrder: -1, before: gone && key !== null ? image : null, after: gone ? null : image,
    },
  };
}

/** `0 diverged/parity: missing 1 S0 T2` per printed window; findings as class, key, source and target offset, columns, then resolved keys. */
export function brief(judgement: Judgement): string[] {
  const at = (letter: string, a: { partition: number; offset: number } | undefined): string => (a === undefined ? '' : ` ${letter}${String(a.offset)}`);
  return judgement.windows.map((w) => {
    const findings = w.findings.toSorted((a, b) => CLASSES.indexOf(a.class) - CLASSES.indexOf(b.class)).map((f) => `${f.class} ${String(f.key)}${at('S', f.source)}${at('T', f.target)}${f.columns.length > 0 ? ` ${f.columns.join()}` : ''}`);
    const resolved = w.resolved.map((r) => `resolved ${String(r.key)}${r.findingStartUs === undefined ? '' : ` by ${String((r.findingStartUs - START_US) / 1000)}`}`);
    const status = w.status === 'final' ? '' : ` ${w.status}`;
    return [`${String((w.startUs - START_US) / 1000)} ${w.change}/${w.state}${status}`, ...findings, ...resolved].join('; ');
  });
}
