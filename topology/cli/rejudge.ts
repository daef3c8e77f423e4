// `paritas replay --diff`: the same logs judged again under another configuration. Its decisions are its own, for another lag or lateness asks
// for other evidence; so it is a chain of its own beside the recorded one. Told are the windows of which the two say something else.
import { stringify } from 'yaml';

import type { RecordedLine } from '../../processors/verify-chain.ts';
import type { KeyJson, ManifestRecord, ManifestSide, OutputRecord, VerdictRecord, WindowBounds } from '../../schemas/records.ts';
import { printTable } from './table.ts';
import { keyText, plural, shortTime, type Style } from './text.ts';

type Judged = Pick<VerdictRecord, 'change' | 'state'>;
/** `source` and `target` as `topic-partition@offset`; `columns` by name. */
interface Found { readonly class: string; readonly key: KeyJson; readonly source?: string; readonly target?: string; readonly columns?: readonly string[] }

/** A window of which two configurations say something else; `null`: no verdict. */
export interface Rejudged {
  readonly record: 'rejudged';
  readonly pair: string;
  readonly window: WindowBounds;
  readonly before: Judged | null;
  readonly after: Judged | null;
  /** Discrepancies that only the new configuration, or only the recorded one, finds. One whose columns changed is in both. */
  readonly appeared: readonly Found[];
  readonly gone: readonly Found[];
}

export interface PairRejudging { readonly pair: string; readonly before: string; readonly after: string; readonly windows: number; readonly changed: readonly Rejudged[] }

/** Both of one pair. Windows are the same where start and end are. */
export function diffVerdicts(pair: string, configHash: string, recorded: readonly RecordedLine[], judged: readonly OutputRecord[]): PairRejudging {
  const before = windowsOf(recorded.map(({ record }) => record));
  const after = windowsOf(judged);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = names.flatMap((name): Rejudged[] => {
    const [was, is] = [before.get(name), after.get(name)];
    const window = (is ?? was)?.window as WindowBounds;
    const appeared = without(is?.found, was?.found);
    const gone = without(was?.found, is?.found);
    const same = JSON.stringify(was?.judged) === JSON.stringify(is?.judged) && appeared.length + gone.length === 0;
    return same ? [] : [{ record: 'rejudged', pair, window, before: was?.judged ?? null, after: is?.judged ?? null, appeared, gone }];
  });
  const first = recorded.map(({ record }) => record).find(record => record.record === 'verdict');
  return { pair, before: first?.configHash ?? '', after: configHash, windows: names.length, changed };
}

interface Window { readonly window: WindowBounds; judged: Judged | undefined; readonly found: Map<string, Found> }

function windowsOf(records: readonly OutputRecord[]): Map<string, Window> {
  const windows = new Map<string, Window>();
  const at = (window: WindowBounds): Window => {
    const name = `${window.start} ${window.end}`;
    let known = windows.get(name);
    if (known === undefined) windows.set(name, (known = { window, judged: undefined, found: new Map() }));
    return known;
  };
  for (const record of records) {
    if (record.record === 'verdict') at(record.window).judged = { change: record.change, state: record.state };
    if (record.record === 'manifest') {
      const found = foundOf(record);
      at(record.window).found.set(JSON.stringify(found), found);
    }
  }
  return windows;
}

/** Ids differ by configuration: a discrepancy is the same where class, key, places in the logs and columns are. */
function foundOf({ class: name, key, source, target, columns }: ManifestRecord): Found {
  const place = ({ topic, partition, offset }: ManifestSide): string => `${topic}-${partition}@${offset}`;
  return {
    class: name, key, ...(source === undefined ? {} : { source: place(source) }), ...(target === undefined ? {} : { target: place(target) }),
    ...(columns === undefined ? {} : { columns: columns.map(column => column.name) }),
  };
}

function without(found: ReadonlyMap<string, Found> | undefined, others: ReadonlyMap<string, Found> | undefined): Found[] {
  return [...found ?? []].filter(([name]) => others?.has(name) !== true).map(([, one]) => one);
}

export function* formatRejudgings(of: readonly PairRejudging[], format: string, style: Style): Iterable<string> {
  const records = [
    ...of.flatMap(({ changed }) => changed),
    ...of.map(({ changed, windows, ...pair }) => ({ record: 'rejudging', ...pair, windows: String(windows), changed: String(changed.length) })),
  ];
  if (format === 'json') yield `${JSON.stringify(records, null, 1)}\n`;
  else if (format === 'jsonl') for (const record of records) yield `${JSON.stringify(record)}\n`;
  else if (format === 'yaml') yield stringify(records, { lineWidth: 0 });
  else {
    const rows = of.flatMap(({ changed }) => changed).map(({ pair, window, before, after, appeared, gone }) => [
      pair, shortTime(window.start), judgedText(before), judgedText(after), foundText(appeared, '+'), foundText(gone, '-'),
    ]);
    if (rows.length > 0) yield `${printTable(style, ['pair', 'window', 'recorded (change, state)', 'now', 'appeared', 'gone'], rows)}\n`;
    for (const { pair, before, after, windows, changed } of of) {
      yield `${style.paint('bold', pair)}: ${changed.length === 0 ? 'no window' : plural(changed.length, 'window')} of ${windows} judged otherwise; configuration ${before.slice(0, 16)} → ${after.slice(0, 16)}.\n`;
    }
  }
}

function judgedText(judged: Judged | null): string {
  return judged === null ? '-' : `${judged.change}, ${judged.state}`;
}

function foundText(found: readonly Found[], sign: string): string {
  return found.map(one => `${sign} ${one.class} ${keyText(one.key)}${one.columns === undefined ? '' : ` (${one.columns.join(', ')})`}`).join('\n');
}
