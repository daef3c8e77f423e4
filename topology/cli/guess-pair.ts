// What the first records of two captures say about how to compare them: format, key, and how the target names its source change. A guess,
// with its reason, for a person to confirm.
import { isObject } from './capture-sample.ts';
import type { JsonObject, SampleRecord } from './capture-sample.ts';

export interface PairGuess {
  readonly sourceFormat: string;
  readonly targetFormat: string;
  readonly key: readonly string[] | undefined;
  /** As it stands behind `match:` in the file. */
  readonly match: string;
  /** Target columns that the source does not have: the sink's own. */
  readonly ignore: readonly string[];
  /** Source columns that the target does not have; to be decided by a person. */
  readonly onlySource: readonly string[];
  readonly reasons: readonly string[];
}

export function guessPair(source: readonly SampleRecord[], target: readonly SampleRecord[]): PairGuess {
  const key = guessKey(source, target);
  const origin = guessOrigin(source, target, key);
  const version = origin === undefined ? guessVersion(source, target) : undefined;
  const [ours, theirs] = [columnsOf(source), columnsOf(target)];
  const onlyTarget = theirs.filter((column) => !ours.includes(column));
  return {
    sourceFormat: guessFormat(source),
    targetFormat: guessFormat(target),
    key,
    match: origin !== undefined
      ? `{ by: origin, source: ${origin.source}, target: after.${origin.target} }`
      : version !== undefined ? `{ by: version, columns: [${version}] }` : '{ by: alignment }',
    ignore: onlyTarget.filter((column) => column !== origin?.target),
    onlySource: ours.filter((column) => theirs.length > 0 && !theirs.includes(column)),
    reasons: [
      key === undefined ? 'key: not found; name the key columns' : `key: ${key.join(', ')}`,
      origin !== undefined
        ? `match: ${origin.found} of ${origin.of} target rows carry ${origin.source} of a source change of the same key in ${origin.target}`
        : version !== undefined
          ? `match: no column carries the source position; ${version} is on both sides and looks like a version`
          : 'match: no column carries the source position, none looks like a version; alignment tells that something is wrong, and its class as the best explanation',
    ],
  };
}

const SHAPES: readonly (readonly [format: string, fits: (value: JsonObject) => boolean])[] = [
  ['debezium-json', (value) => 'op' in value && isObject(value['source'])],
  ['debezium-flat', (value) => '__op' in value || '__deleted' in value || '__lsn' in value],
  ['canal-json', (value) => 'isDdl' in value && 'type' in value],
  ['maxwell', (value) => 'database' in value && 'table' in value && 'type' in value],
  ['dms-json', (value) => isObject(value['metadata'])],
  ['cockroach', (value) => 'resolved' in value || ('after' in value && ('updated' in value || 'mvcc_timestamp' in value || 'topic' in value))],
  ['tidb-open', (value) => isObject(value['u']) || isObject(value['d'])],
];

export function guessFormat(records: readonly SampleRecord[]): string {
  for (const { value } of records) {
    const shape = value === undefined ? undefined : SHAPES.find(([, fits]) => fits(value));
    if (shape !== undefined) return shape[0];
  }
  return records.some(({ framing }) => framing === 0) ? 'debezium-avro' : 'auto';
}

/** Columns of the record keys, where both sides have the same. */
function guessKey(source: readonly SampleRecord[], target: readonly SampleRecord[]): string[] | undefined {
  const [ours, theirs] = [source, target].map((records) => {
    const first = records.find(({ key, value }) => key !== undefined && value !== undefined && rowOf(value) !== undefined)?.key;
    return first === undefined ? undefined : Object.keys(first);
  });
  if (ours !== undefined && ours.length > 0 && (theirs === undefined || [...ours].sort().join() === [...theirs].sort().join())) return ours;
  const shared = columnsOf(source).filter((column) => columnsOf(target).includes(column));
  return shared.includes('id') ? ['id'] : undefined;
}

interface Origin { readonly source: string; readonly target: string; readonly found: number; readonly of: number }

/** Preferred positions first; among equally good columns the first wins. */
const POSITIONS = ['gtid', 'lsn', 'commit_lsn', 'change_lsn', 'commit_scn', 'scn', 'rs_id', 'pos'];

/** The target column whose values occur as a position of a source change of the same key, in at least 9 of 10 rows that have it. */
function guessOrigin(source: readonly SampleRecord[], target: readonly SampleRecord[], key: readonly string[] | undefined): Origin | undefined {
  const bySource = new Map(POSITIONS.map((name) => [name, new Set<string>()]));
  for (const record of source) {
    const block = record.value?.['source'];
    if (!isObject(block)) continue;
    for (const [name, values] of bySource) {
      if (block[name] !== null && block[name] !== undefined) values.add(`${keyOf(record, key)}\u0000${String(block[name])}`);
    }
  }
  const ours = columnsOf(source);
  let best: Origin | undefined;
  for (const [name, values] of bySource) {
    if (values.size === 0) continue;
    for (const column of columnsOf(target).filter((candidate) => !ours.includes(candidate))) {
      const rows = target.filter((record) => rowOf(record.value)?.[column] !== null && rowOf(record.value)?.[column] !== undefined);
      const found = rows.filter((record) => values.has(`${keyOf(record, key)}\u0000${String(rowOf(record.value)?.[column])}`)).length;
      if (found < 1 || found < rows.length * 0.9) continue;
      if (best === undefined || found / rows.length > best.found / best.of) best = { source: `source.${name}`, target: column, found, of: rows.length };
    }
  }
  return best;
}

function guessVersion(source: readonly SampleRecord[], target: readonly SampleRecord[]): string | undefined {
  const theirs = columnsOf(target);
  return columnsOf(source).find((column) => /^(updated_?at|modified(_?at)?|(row_?|lock_?)?ver(sion)?|rev(ision)?)$/i.test(column) && theirs.includes(column));
}

function keyOf(record: SampleRecord, columns: readonly string[] | undefined): string {
  const row = record.key ?? rowOf(record.value) ?? {};
  return (columns ?? Object.keys(row).sort()).map((column) => String(row[column])).join('\u0001');
}

function columnsOf(records: readonly SampleRecord[]): string[] {
  const columns = new Set<string>();
  for (const { value } of records) for (const column of Object.keys(rowOf(value) ?? {})) columns.add(column);
  return [...columns];
}

/** The row after a change. */
function rowOf(value: JsonObject | undefined): JsonObject | undefined {
  const after = value?.['after'];
  if (isObject(after)) return after;
  const data = value?.['data'];
  return isObject(data) ? data : Array.isArray(data) && isObject(data[0]) ? data[0] : undefined;
}
