// How a pair matches: which fields of each side carry the origin or the version. Every mode needs its own fields and no others.
import type { MatchSettings } from '../schemas/pair.ts';
import { list } from './config-columns.ts';
import { distance } from './config-nearest.ts';
import type { Problems } from './config-problems.ts';
import type { PairFile } from './config-file.ts';
import { printPath } from './config-source.ts';
import type { ConfigPath } from './config-source.ts';

const EXAMPLES = {
  origin: '{ by: origin, source: source.lsn, target: after.origin_lsn }',
  version: '{ by: version, columns: [updated_at] }',
  alignment: '{ by: alignment }',
} as const;

export function matchSettings(pair: PairFile, path: ConfigPath, problems: Problems): MatchSettings {
  const { match } = pair;
  checkFields(match, path, problems);
  switch (match.by) {
    case 'origin': return { by: 'origin', source: list(match.source), target: list(match.target) };
    case 'version': return versionFields(pair);
    case 'alignment': return { by: 'alignment', source: [], target: [] };
  }
}

/** Version columns are named as the source names them; the target may call them otherwise (`rename`). */
function versionFields(pair: PairFile): MatchSettings {
  const columns = list(pair.match.columns);
  const onTarget = (column: string): string =>
    Object.entries(pair.columns.rename).find(([, sources]) => list(sources).includes(column))?.[0] ?? column;
  return { by: 'version', source: columns.map((column) => `after.${column}`), target: columns.map((column) => `after.${onTarget(column)}`) };
}

function checkFields(match: PairFile['match'], path: ConfigPath, problems: Problems): void {
  const needed: readonly string[] = match.by === 'origin' ? ['source', 'target'] : match.by === 'version' ? ['columns'] : [];
  for (const field of ['source', 'target', 'columns'] as const) {
    const given = list(match[field]);
    if (needed.includes(field) && given.length === 0) {
      problems.add(path, `${printPath(path)}: match by ${match.by} needs "${field}", e.g. ${EXAMPLES[match.by]}`);
    } else if (!needed.includes(field) && match[field] !== undefined) {
      problems.add([...path, field], `${printPath(path)}: match by ${match.by} takes no "${field}"; write ${EXAMPLES[match.by]}`, 'key');
    }
    if (field !== 'columns') for (const fieldPath of given) checkFieldPath(fieldPath, [...path, field], problems);
  }
  const [source, target] = [list(match.source), list(match.target)];
  if (match.by === 'origin' && source.length > 0 && target.length > 0 && source.length !== target.length) {
    problems.add(path, `${printPath(path)}: source has ${source.length} fields and target ${target.length}; a composite origin needs as many on each side`);
  }
}

const ROOTS = ['key', 'before', 'after', 'source', 'transaction'];
const COORDINATES = ['@partition', '@offset', '@timestamp'];

/** Formats bring roots of their own (`data.x`, `__lsn`, `mvcc_timestamp`), so only what looks like a slip of a known one is refused. */
function checkFieldPath(fieldPath: string, path: ConfigPath, problems: Problems): void {
  if (fieldPath.startsWith('@')) {
    if (COORDINATES.includes(fieldPath) || /^@headers\../.test(fieldPath)) return;
    problems.add(path, `${printPath(path)}: "${fieldPath}" is no log coordinate; known are ${COORDINATES.join(' ')} @headers.NAME`);
    return;
  }
  const [root, ...rest] = fieldPath.split('.');
  if (root === '' || rest.includes('')) problems.add(path, `${printPath(path)}: "${fieldPath}" is no field path; write e.g. source.lsn`);
  if (ROOTS.includes(root)) {
    if (rest.length === 0) problems.add(path, `${printPath(path)}: "${fieldPath}" names no field; write e.g. ${root}.${root === 'source' ? 'lsn' : 'id'}`);
    return;
  }
  const meant = rest.length > 0 && root.length > 3 ? ROOTS.find((known) => distance(known, root) <= 2) : undefined;
  if (meant !== undefined) problems.add(path, `${printPath(path)}: "${fieldPath}" is no field path; did you mean "${[meant, ...rest].join('.')}"?`);
}
