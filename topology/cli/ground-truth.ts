// The demonstration's ground truth against what was found. It is computed from the list that the fault injector wrote, and nothing else
// knows what is in it.
//
// A fault counts as found where a finding of its pair has the right class and row key, and, where the injector noted the source record it
// hit, names that record. Every finding serves one fault; what is left over was found beyond them.
import type { Class, KeyJson, ManifestRecord } from '../../schemas/records.ts';
import { printTable } from './table.ts';
import { keyText, plural, visible } from './text.ts';
import type { Style } from './text.ts';

/** An entry of faults.json. */
export interface InjectedFault {
  readonly class: string;
  /** tgt: the PostgreSQL target; tgtm: the MariaDB target. */
  readonly target: string;
  readonly table: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly what: string;
  /** False: it left no trace in either log. */
  readonly observable?: boolean;
  readonly source?: { readonly topic: string; readonly partition: number; readonly offset: number };
}

export interface GroundTruth {
  readonly faults: readonly InjectedFault[];
  readonly found: readonly InjectedFault[];
  readonly missed: readonly InjectedFault[];
  readonly unobservable: readonly InjectedFault[];
  /** Findings that no fault accounts for. */
  readonly beyond: readonly ManifestRecord[];
  /** Every observable fault was found, and nothing else. */
  readonly holds: boolean;
}

const CLASS_OF: Readonly<Record<string, Class>> = {
  'oob-update': 'unexpected', 'oob-insert': 'unexpected', 'oob-delete': 'unexpected', lost: 'missing', 'lost-converged': 'missing', duplicate: 'duplicate',
};

export function compareWithTruth(faults: readonly InjectedFault[], manifests: readonly ManifestRecord[]): GroundTruth {
  const beyond = manifests.filter((record) => record.class !== 'collapsed' && record.class !== 'elided');
  const found: InjectedFault[] = [];
  const missed: InjectedFault[] = [];
  for (const fault of faults.filter(isObservable)) {
    const at = beyond.findIndex((record) => isFindingOf(fault, record));
    if (at >= 0) beyond.splice(at, 1);
    (at >= 0 ? found : missed).push(fault);
  }
  const unobservable = faults.filter((fault) => !isObservable(fault));
  return { faults, found, missed, unobservable, beyond, holds: missed.length === 0 && beyond.length === 0 };
}

export function truthLines({ faults, found, missed, unobservable, beyond, holds }: GroundTruth, style: Style): string[] {
  const observable = found.length + missed.length;
  const rest = beyond.length === 0 ? 'nothing else' : `and ${plural(beyond.length, 'finding')} beyond them`;
  const words = `${found.length} of ${plural(observable, 'observable fault')} found, ${rest}.`;
  return [
    style.paint('bold', 'Ground truth'),
    ...printTable(style, ['injected', 'said to be', 'faults', 'observable', 'found'], rowsOf(faults, found)).trimEnd().split('\n'),
    style.paint(holds ? 'green' : 'red', words),
    ...listed('Left no trace in the target\'s log, so no log reader can find them:', unobservable.map((fault) => `${nameOf(fault)}: ${fault.what}`)),
    ...listed('Not found:', missed.map((fault) => `${nameOf(fault)}: expected ${classOf(fault)}; ${fault.what}`)),
    ...listed('Found beyond the injected faults:', beyond.map((record) => `${record.class} ${record.pair} ${keyText(record.key)}`)),
    '',
  ];
}

/** A row for each kind of fault, in the order of the list. */
function rowsOf(faults: readonly InjectedFault[], found: readonly InjectedFault[]): string[][] {
  return [...new Set(faults.map((fault) => fault.class))].map((kind) => {
    const of = (list: readonly InjectedFault[]): string => String(list.filter((fault) => fault.class === kind).length);
    return [kind, CLASS_OF[kind] ?? '-', of(faults), of(faults.filter(isObservable)), of(found)];
  });
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${visible(line)}`)];
}

function isFindingOf(fault: InjectedFault, record: ManifestRecord): boolean {
  if (record.class !== classOf(fault) || record.pair !== pairOf(fault) || !isSameKey(fault.key, record.key)) return false;
  const { source } = fault;
  return source === undefined
    || (record.source?.topic === source.topic && record.source.partition === source.partition && record.source.offset === String(source.offset));
}

function isSameKey(injected: InjectedFault['key'], key: KeyJson): boolean {
  const columns = Object.entries(injected);
  return columns.length === Object.keys(key).length && columns.every(([name, value]) => key[name] === String(value));
}

function isObservable(fault: InjectedFault): boolean {
  return fault.observable !== false;
}

function classOf(fault: InjectedFault): Class | undefined {
  return CLASS_OF[fault.class];
}

function pairOf({ table, target }: InjectedFault): string {
  return target === 'tgtm' ? `${table}-mariadb` : table;
}

function nameOf(fault: InjectedFault): string {
  return `${fault.class} ${pairOf(fault)} ${Object.entries(fault.key).map(([name, value]) => `${name}=${String(value)}`).join(',')}`;
}
