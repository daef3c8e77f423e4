// What a case says is right (expected.json), held against the records that `check` gave. Each function answers with what is wrong, nothing
// where all is as it should be. What a case does not state is left free.
import type { ColumnValue, CountName, ManifestRecord, OutputRecord, SummaryRecord, VerdictRecord } from '../../schemas/records.ts';

export interface ExpectedVerdict { readonly window: string; readonly pair?: string; readonly change?: string; readonly state?: string }

export interface ExpectedManifest {
  /** A list: equally right. `any` (only in `notManifests`): every class but `collapsed` and `late_applied`. */
  readonly class: string | readonly string[];
  readonly pair?: string;
  readonly key?: Readonly<Record<string, string | null>>;
  /** Exactly these. */
  readonly columns?: readonly string[];
  /** Of the one column. */
  readonly sourceValue?: ColumnValue;
  readonly targetValue?: ColumnValue;
  /** Of the manifest or of its column. */
  readonly hint?: string;
}

export interface Expected {
  readonly id: string;
  readonly title: string;
  readonly complete: boolean;
  readonly exitCode: number;
  /** Each is found among the verdicts. */
  readonly verdicts: readonly ExpectedVerdict[];
  /** Each is found, by a record of its own. */
  readonly manifests: readonly ExpectedManifest[];
  readonly notManifests: readonly ExpectedManifest[];
  /** `false`: no discrepancy beyond the manifests. */
  readonly others?: false;
  /** The reasons of all dead letters. */
  readonly deadLetters: readonly string[];
  /** Of the summary; `>=1` is a minimum. */
  readonly counts?: Readonly<Partial<Record<CountName, string>>>;
  readonly windows?: Readonly<Partial<Record<keyof SummaryRecord['windows'], string>>>;
  /** Starts of windows that must still be open. */
  readonly noVerdict?: readonly string[];
  readonly note: string;
  readonly reference: string;
}

/** What is wrong with the outcome of a case, in words. */
export function problemsWith(expected: Expected, records: readonly OutputRecord[], exitCode: number): string[] {
  const verdicts = records.filter(record => record.record === 'verdict');
  const manifests = records.filter(record => record.record === 'manifest');
  const reasons = records.filter(record => record.record === 'dead-letter').map(letter => letter.reason);
  return [
    ...(exitCode === expected.exitCode ? [] : [`exit code ${exitCode}, not ${expected.exitCode}`]),
    ...expected.verdicts.filter(want => !verdicts.some(verdict => isVerdict(want, verdict))).map(want => `no verdict ${JSON.stringify(want)}`),
    ...(expected.noVerdict ?? []).filter(start => verdicts.some(verdict => verdict.window.start === start)).map(start => `a verdict for ${start}, which is open`),
    ...manifestProblems(expected, manifests),
    ...(equal(reasons.sort(), [...expected.deadLetters].sort()) ? [] : [`dead letters ${JSON.stringify(reasons)}, not ${JSON.stringify(expected.deadLetters)}`]),
    ...summaryProblems(expected, records.filter(record => record.record === 'summary')),
  ];
}

function isVerdict(want: ExpectedVerdict, verdict: VerdictRecord): boolean {
  return (want.window === 'any' || want.window === verdict.window.start)
    && (want.pair === undefined || want.pair === verdict.pair)
    && (want.change === undefined || want.change === verdict.change)
    && (want.state === undefined || want.state === verdict.state);
}

function manifestProblems(expected: Expected, manifests: readonly ManifestRecord[]): string[] {
  const wrong = expected.notManifests.flatMap(not => manifests.filter(manifest => isManifest(not, manifest)).map(manifest => `not expected: ${shown(manifest)}`));
  const own = assign(expected.manifests, manifests);
  if (own === undefined) return [...wrong, `not all of ${JSON.stringify(expected.manifests)} among [${manifests.map(shown).join(', ')}]`];
  if (expected.others !== false) return wrong;
  const others = manifests.filter(manifest => !own.includes(manifest) && !['collapsed', 'late_applied', 'elided'].includes(manifest.class));
  return [...wrong, ...others.map(manifest => `beyond the expected: ${shown(manifest)}`)];
}

/** A record of its own for each of them, or undefined. */
function assign(wanted: readonly ExpectedManifest[], manifests: readonly ManifestRecord[]): readonly ManifestRecord[] | undefined {
  if (wanted.length === 0) return [];
  for (const manifest of manifests.filter(candidate => isManifest(wanted[0], candidate))) {
    const rest = assign(wanted.slice(1), manifests.filter(other => other !== manifest));
    if (rest !== undefined) return [manifest, ...rest];
  }
  return undefined;
}

function isManifest(want: ExpectedManifest, manifest: ManifestRecord): boolean {
  const columns = manifest.columns ?? [];
  const classes = typeof want.class === 'string' ? [want.class] : want.class;
  const hints = [manifest.hint, ...columns.map(column => column.hint)];
  return (classes.includes(manifest.class) || (classes.includes('any') && manifest.class !== 'collapsed' && manifest.class !== 'late_applied'))
    && (want.pair === undefined || want.pair === manifest.pair)
    && (want.key === undefined || equal(sorted(want.key), sorted(manifest.key)))
    && (want.columns === undefined || equal([...want.columns].sort(), columns.map(column => column.name).sort()))
    && (want.sourceValue === undefined || (columns.length === 1 && sameValue(want.sourceValue, columns[0].source)))
    && (want.targetValue === undefined || (columns.length === 1 && sameValue(want.targetValue, columns[0].target)))
    && (want.hint === undefined || hints.some(hint => hint === want.hint));
}

function shown(manifest: ManifestRecord): string {
  return JSON.stringify({ class: manifest.class, key: manifest.key, window: manifest.window.start, columns: manifest.columns, hint: manifest.hint });
}

function summaryProblems(expected: Expected, summaries: readonly SummaryRecord[]): string[] {
  const total = (of: (summary: SummaryRecord) => string): bigint => summaries.reduce((sum, summary) => sum + BigInt(of(summary)), 0n);
  const check = (name: string, want: string, got: bigint): string[] => {
    const right = want.startsWith('>=') ? got >= BigInt(want.slice(2)) : got === BigInt(want);
    return right ? [] : [`${name} ${got}, not ${want}`];
  };
  return [
    ...Object.entries(expected.counts ?? {}).flatMap(([name, want]) => check(name, want, total(summary => summary.counts[name as CountName]))),
    ...Object.entries(expected.windows ?? {}).flatMap(([name, want]) => check(`windows ${name}`, want, total(summary => summary.windows[name as keyof SummaryRecord['windows']]))),
  ];
}

/** Numbers are equal as decimals: 10.50 and 10.5. */
function sameValue(want: ColumnValue, got: ColumnValue): boolean {
  return equal(typeof want === 'string' ? plainDecimal(want) : want, typeof got === 'string' ? plainDecimal(got) : got);
}

function plainDecimal(text: string): string {
  const parts = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text);
  if (parts === null) return text;
  const [, sign, whole, fraction = ''] = parts;
  const digits = fraction === '' ? whole : `${whole}.${fraction}`;
  return digits === '0' ? '0' : sign + digits;
}

function sorted(object: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
