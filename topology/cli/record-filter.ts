// Which records of an output a reader wants. A filter that does not apply to a kind of record lets none of it through: asking for a class
// is asking for manifests.
import { ParitasError } from '../../schemas/errors.ts';
import { CLASSES } from '../../schemas/records.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import { didYouMean } from '../config-nearest.ts';
import { parseDurationUs } from '../units.ts';
import { keyMatches, parseKey } from './row-key.ts';

export interface FilterFlags {
  readonly pair?: string;
  readonly chain?: string;
  readonly since?: string;
  readonly until?: string;
  readonly class?: string;
  readonly key?: string;
  readonly change?: string;
  readonly n?: string;
}

export type RecordKind = OutputRecord['record'];
export type RecordFilter = (records: Iterable<OutputRecord>) => OutputRecord[];

const CHANGES = ['parity', 'diverged', 'undecidable'];

/** `nowMs`: what `--since 1h` counts back from. */
export function createFilter(kind: RecordKind, flags: FilterFlags, nowMs: number): RecordFilter {
  const tests: ((record: OutputRecord) => boolean)[] = [(record) => record.record === kind];
  const { pair } = flags;
  if (pair !== undefined) tests.push((record) => record.pair === pair);
  if (flags.chain !== undefined) tests.push(chainTest(flags.chain));
  if (flags.since !== undefined) tests.push(timeTest('--since', flags.since, nowMs, (time, bound) => time >= bound));
  if (flags.until !== undefined) tests.push(timeTest('--until', flags.until, nowMs, (time, bound) => time < bound));
  if (flags.class !== undefined) tests.push(classTest(flags.class));
  if (flags.change !== undefined) tests.push(changeTest(flags.change));
  if (flags.key !== undefined) tests.push(keyTest(flags.key));
  const last = countOf(flags.n);
  return (records) => {
    const kept: OutputRecord[] = [];
    for (const record of records) {
      if (!tests.every((test) => test(record))) continue;
      kept.push(record);
      if (last !== undefined && kept.length > 2 * last + 1000) kept.splice(0, kept.length - last);
    }
    return last === undefined ? kept : kept.slice(Math.max(0, kept.length - last));
  };
}

/** RFC 3339 (a date alone is its midnight, UTC), or a duration back from now. Canonical text, so it compares as text. */
export function parseMoment(flag: string, text: string, nowMs: number): string {
  const back = parseDurationUs(text);
  if (back !== undefined) return `${new Date(nowMs - back / 1000).toISOString().slice(0, -1)}000Z`;
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  const whole = match === null ? NaN : Date.parse(`${match[1]}T${match[2] ?? '00:00'}:${match[3] ?? '00'}${match[5] ?? 'Z'}`);
  if (match === null || Number.isNaN(whole)) {
    throw new ParitasError('usage', `${flag} ${text}: expected a time, e.g. 2026-11-30T12:00:00Z, or a duration back from now, e.g. 1h`);
  }
  return new Date(whole).toISOString().replace(/\.000Z$/, `.${(match[4] ?? '').padEnd(6, '0')}Z`);
}

function timeTest(flag: string, text: string, nowMs: number, holds: (time: string, bound: string) => boolean): (record: OutputRecord) => boolean {
  const bound = parseMoment(flag, text, nowMs);
  return (record) => {
    const time = timeOf(record);
    return time !== undefined && holds(time, bound);
  };
}

/** The start of the window, or the time of a decision. */
function timeOf(record: OutputRecord): string | undefined {
  if ('window' in record) return record.window.start;
  return record.record === 'decision' ? record.closeUpTo : undefined;
}

/** Also for what is read of a whole recording. */
export function chainTest(text: string): (record: OutputRecord) => boolean {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ParitasError('usage', `--chain ${text}: expected the number of a chain, 1 for the first`);
  return record => (('chain' in record ? record.chain : undefined) ?? 1) === Number(text);
}

function classTest(text: string): (record: OutputRecord) => boolean {
  const wanted = text.split(',');
  for (const name of wanted) {
    if (!(CLASSES as readonly string[]).includes(name)) {
      throw new ParitasError('usage', `--class ${name}: no such class${didYouMean(name, CLASSES) || `; known are ${CLASSES.join(', ')}`}`);
    }
  }
  return (record) => record.record === 'manifest' && wanted.includes(record.class);
}

function changeTest(text: string): (record: OutputRecord) => boolean {
  if (!CHANGES.includes(text)) throw new ParitasError('usage', `--change ${text}: expected ${CHANGES.join(', ')}${didYouMean(text, CHANGES)}`);
  return (record) => record.record === 'verdict' && record.change === text;
}

function keyTest(text: string): (record: OutputRecord) => boolean {
  const asked = parseKey(text, undefined);
  return (record) => 'key' in record && keyMatches(asked, record.key);
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new ParitasError('usage', `-n ${text}: expected a number of records, e.g. -n 20`);
  return Number(text);
}
