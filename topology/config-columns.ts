// Column settings: type rules brought to one form, names checked. The type names are those of the public contract; what they mean is the
// decoder's business (schemas/canonical).
import type { ColumnSettings, ColumnType } from '../schemas/pair.ts';
import { didYouMean } from './config-nearest.ts';
import type { Problems } from './config-problems.ts';
import type { ColumnTypeFile, PairFile } from './config-file.ts';
import { printPath } from './config-source.ts';
import type { ConfigPath } from './config-source.ts';

const PLAIN_TYPES = [
  'int64', 'uint32', 'uint64', 'float32', 'float64', 'decimal', 'boolean', 'text', 'json', 'enum', 'set', 'bits-text', 'bytes', 'uuid',
  'date-days', 'date-text', 'timestamp-millis', 'timestamp-micros', 'timestamp-nanos', 'datetime-text', 'instant-text', 'time-micros',
  'time-text', 'interval-micros', 'interval-text',
];
/** Types with an argument: how it is written, and an example. */
const SIZED_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^decimal\(\s*\d{1,4}\s*,\s*-?\d{1,4}\s*\)$/, 'decimal(12,2)'], [/^char\(\s*\d{1,9}\s*\)$/, 'char(6)'],
  [/^enum\([^()]+\)$/, 'enum(a,b)'], [/^bits\(\s*\d{1,9}\s*\)$/, 'bits(8)'],
];

export function columnSettings(pair: PairFile, path: ConfigPath, maskKey: string, problems: Problems): ColumnSettings {
  const { columns } = pair;
  const at = [...path, 'columns'];
  const settings: ColumnSettings = {
    ignore: list(columns.ignore),
    rename: sorted(Object.entries(columns.rename).map(([target, sources]) => [target, list(sources)])),
    types: sorted(Object.entries(columns.types).map(([name, type]) => [name, columnType(type, [...at, 'types', name], problems)])),
    mask: list(columns.mask),
    carry: list(columns.carry),
    maskKey: list(columns.mask).length > 0 ? maskKey : '',
  };
  checkNames(pair, settings, at, problems);
  return settings;
}

/** One name or a list of them, as a list. */
export function list(names: string | readonly string[] | undefined): readonly string[] {
  return names === undefined ? [] : typeof names === 'string' ? [names] : names;
}

function columnType(type: ColumnTypeFile, path: ConfigPath, problems: Problems): ColumnType {
  const rule = typeof type === 'string' ? { source: type, target: type } : type;
  for (const side of typeof type === 'string' ? [undefined] : (['source', 'target'] as const)) {
    checkType(side === undefined ? rule.source : rule[side], side === undefined ? path : [...path, side], problems);
  }
  for (const zone of ['zone', 'sourceZone', 'targetZone'] as const) checkZone(rule[zone], [...path, zone], problems);
  if (rule.zone !== undefined && (rule.sourceZone ?? rule.targetZone) !== undefined) {
    problems.add([...path, 'zone'], `${printPath(path)}: either zone or sourceZone and targetZone, not both`);
  }
  if (rule.rounding !== undefined && rule.precision === undefined) {
    problems.add([...path, 'rounding'], `${printPath(path)}: rounding needs a precision, e.g. precision: 3`);
  }
  return {
    source: rule.source.replace(/\s+/g, ''),
    target: rule.target.replace(/\s+/g, ''),
    sourceZone: rule.sourceZone ?? rule.zone,
    targetZone: rule.targetZone ?? rule.zone,
    precision: rule.precision,
    rounding: rule.rounding,
    equate: (rule.equate ?? []).map(({ source, target }) => ({ source: literal(source), target: literal(target) })),
    equality: rule.equality ?? 'bytes',
  };
}

function checkType(type: string, path: ConfigPath, problems: Problems): void {
  if (PLAIN_TYPES.includes(type) || SIZED_TYPES.some(([pattern]) => pattern.test(type))) return;
  const base = type.replace(/\(.*$/, '');
  const example = SIZED_TYPES.find(([, shown]) => shown.startsWith(`${base}(`))?.[1];
  const hint = example === undefined ? didYouMean(type, [...PLAIN_TYPES, 'char', 'bits']) : `; write e.g. ${example}`;
  problems.add(path, `${printPath(path)}: "${type}" is no column type${hint || `; known are ${[...PLAIN_TYPES, ...SIZED_TYPES.map(([, shown]) => shown)].join(' ')}`}`);
}

function checkZone(zone: string | undefined, path: ConfigPath, problems: Problems): void {
  if (zone === undefined) return;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
  } catch {
    problems.add(path, `${printPath(path)}: "${zone}" is no time zone; write e.g. UTC, Europe/Berlin or +08:00`);
  }
}

function checkNames(pair: PairFile, settings: ColumnSettings, at: ConfigPath, problems: Problems): void {
  const ignored = new Set(settings.ignore);
  for (const column of list(pair.key)) {
    if (ignored.has(column)) problems.add([...at, 'ignore'], `${printPath(at)}.ignore: "${column}" is a key column and cannot be ignored`);
  }
  for (const column of settings.carry) {
    if (ignored.has(column)) problems.add([...at, 'carry'], `${printPath(at)}.carry: "${column}" is ignored, so there is nothing to carry`);
  }
  const seen = new Map<string, string>();
  for (const [target, sources] of Object.entries(settings.rename)) {
    if (sources.length === 0) problems.add([...at, 'rename', target], `${printPath([...at, 'rename', target])}: expected the source name of the column`);
    for (const source of sources) {
      const other = seen.get(source);
      if (other !== undefined) problems.add([...at, 'rename', target], `${printPath([...at, 'rename', target])}: "${source}" is already renamed to "${other}"`);
      seen.set(source, target);
    }
  }
}

function literal(value: string | number | boolean | null): string | null {
  return value === null ? null : String(value);
}

/** An object without a prototype whose keys are in code-unit order, so that its JSON does not depend on the order in the file. */
function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const result = Object.create(null) as Record<string, T>;
  for (const [name, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) result[name] = value;
  return result;
}
