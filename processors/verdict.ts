// From what the shards say of a window to the records that are published: one verdict, its manifest, and what it resolved. Shard windows
// merge by sums, unions and minima, so the order and the number of shards cannot be seen (semantics.md §8).
import { printKey } from '../schemas/canonical/print.ts';
import { hashText } from '../schemas/hash-text.ts';
import { windowDetailsMax } from '../schemas/limits.ts';
import type { PairSettings } from '../schemas/pair.ts';
import {
  chainOf, CLASSES, COUNT_NAMES,
  type Change, type Class, type Confidence, type CountName, type Evidence, type KeyJson, type ManifestRecord, type ResolvedRecord, type SchemaRecord, type State, type Status,
  type VerdictRecord, type WindowBounds,
} from '../schemas/records.ts';
import { formatTime } from '../schemas/time.ts';
import type { ShardWindow } from './window.ts';
import { evidenceHashOf, verdictIdOf } from './chain.ts';
import { linkKeys } from './linked-keys.ts';
import { boundDetail } from './manifest-detail.ts';
import type { Decision } from './decision.ts';
import { printDigest } from './digest.ts';
import type { Finding, FindingRef } from './finding.ts';
import { COUNT, printCounts } from './tally.ts';
import { mergeParts, printTorn } from './torn.ts';

/** Merges two shards' words on one window. Associative and commutative but for the order of lists, which is settled when they are printed. */
export function mergeWindows(a: ShardWindow, b: ShardWindow): ShardWindow {
  const amended = new Map(a.amended);
  for (const [window, by] of b.amended) amended.set(window, (amended.get(window) ?? 0) + by);
  return {
    window: a.window,
    tally: a.tally.map((n, i) => n + b.tally[i]),
    sums: a.sums.map((sum, i) => sum + b.sums[i]),
    findings: [...a.findings, ...b.findings],
    resolved: [...a.resolved, ...b.resolved],
    amended,
    schema: [...a.schema, ...b.schema],
    undecidable: a.undecidable || b.undecidable,
    loads: a.loads + b.loads,
    openDivergences: a.openDivergences + b.openDivergences,
    targetElides: a.targetElides || b.targetElides,
    transactions: mergeParts(a.transactions, b.transactions),
  };
}

export interface PublishedWindow {
  readonly verdict: VerdictRecord;
  readonly manifest: readonly ManifestRecord[];
  readonly schema: readonly SchemaRecord[];
  readonly resolved: readonly ResolvedRecord[];
}

/** The records of one window. Its manifest is bounded: of the records beyond the limit only class and key are left, and the verdict counts them. */
export function publish(pair: PairSettings, result: ShardWindow, decision: Decision, status: Status, previousVerdictHash: string, detailsMax: number = windowDetailsMax): PublishedWindow {
  const window = bounds(pair, result.window);
  const verdictId = verdictIdOf(pair.name, pair.configHash, (result.window + 1) * pair.window.sizeUs, pair);
  const linkedKey = linkKeys(result.findings);
  const manifest = result.findings.map(finding => ({ finding, record: manifestOf(pair, finding, verdictId, decision, linkedKey(finding)) })).sort(inPrintingOrder);
  const bounded = boundDetail(manifest.map(({ record }) => record), detailsMax);
  const digests = { source: printDigest(result.sums, 0), target: printDigest(result.sums, 1) };
  const counts = printCounts(result.tally);
  const { torn, cut: tornCut } = printTorn(result.transactions);
  const evidence = decision.evidenceFor((result.window + 1) * pair.window.sizeUs);
  const core = JSON.stringify([window.start, CORE_COUNTS.map(name => counts[name]), digests, manifest.map(({ finding, record }) => coreOf(finding, record))]);
  return {
    verdict: {
      record: 'verdict', verdictId, pair: pair.name, ...chainOf(pair), window, status,
      change: changeOf(result), state: stateOf(result), confidence: confidenceOf(evidence), attribution: pair.match.by, policy: pair.policy, notObservable: notObservable(pair, result),
      counts, ...(bounded.cut === 0 ? {} : { detailCut: String(bounded.cut) }),
      ...(torn.length === 0 ? {} : { torn: [...torn] }), ...(tornCut === 0 ? {} : { tornCut: String(tornCut) }), watermarks: { ...decision.watermarks }, evidence, digests,
      decisionId: decision.record.decisionId, configHash: pair.configHash, previousVerdictHash,
      coreHash: hashText('core', core), evidenceHash: evidenceHashOf(evidence, decision.record, pair.configHash),
    },
    manifest: bounded.records,
    schema: result.schema.map(({ side, column }): SchemaRecord => ({
      record: 'schema', pair: pair.name, ...chainOf(pair), side, column, window,
      detail: `column ${column} is missing on the ${side} and not declared; name it in columns.types, in a valueSchema, or in columns.ignore`,
    })),
    resolved: result.resolved.map((resolution): ResolvedRecord => ({
      record: 'resolved', pair: pair.name, ...chainOf(pair), key: printKey(resolution.key), window,
      ...(resolution.finding === undefined ? {} : { manifestId: manifestIdOf(pair, resolution.finding, resolution.key) }),
    })).sort((a, b) => byBytes(JSON.stringify(a.key), JSON.stringify(b.key))),
  };
}

/** What could have happened in this window and left the same logs: a repeat or lost no-op on an engine that elides them; a loss inside a collapse. */
function notObservable(pair: PairSettings, result: ShardWindow): string[] {
  const elided = pair.match.by === 'alignment' && result.targetElides ? ['duplicate', 'noop'] : [];
  return result.tally[COUNT.collapsed] > 0 ? [...elided, 'missing'] : elided;
}

const NOT_IN_CORE: ReadonlySet<CountName> = new Set(['redelivered', 'late', 'deadLettered', 'excluded', 'pending']);
const CORE_COUNTS = COUNT_NAMES.filter(name => !NOT_IN_CORE.has(name));

/** What a core hash covers of a record (ruling 19): never coordinates in a topic, which another layout of the same changes has elsewhere. */
function coreOf(finding: Finding, record: ManifestRecord): unknown {
  return [record.class, record.key, finding.source?.identity ?? '', finding.target?.identity ?? '', finding.columns.map(column => column.name)];
}

function changeOf(result: ShardWindow): Change {
  if (result.findings.some(finding => finding.hint !== 'evidence-gap')) return 'diverged';
  // What is left are evidence gaps: the stream itself has a hole, and nobody can tell what was in it.
  return result.undecidable || result.findings.length > 0 ? 'undecidable' : 'parity';
}

function stateOf(result: ShardWindow): State {
  if (result.tally[COUNT.openDivergences] > 0) return 'diverged';
  return result.undecidable ? 'unknown' : 'parity';
}

function bounds(pair: PairSettings, window: number): WindowBounds {
  const { sizeUs } = pair.window;
  return { start: formatTime(window * sizeUs), end: formatTime((window + 1) * sizeUs) };
}

/** The weakest of the evidence used: `proven` where each partition has a marker, or a heartbeat that was in the database, of a connector that writes exactly once (semantics.md §3). */
function confidenceOf(evidence: readonly Evidence[]): Confidence {
  return evidence.every(({ tier }) => tier === 'marker' || tier === 'heartbeat-action') ? 'proven' : 'assumed';
}

function manifestIdOf(pair: PairSettings, ref: Pick<FindingRef, 'window' | 'class' | 'source' | 'target'>, key: Buffer): string {
  return hashText('manifest', verdictIdOf(pair.name, pair.configHash, (ref.window + 1) * pair.window.sizeUs, pair), ref.class, key.toString('hex'), ref.source, ref.target).slice(0, 32);
}

const REMEDY: Readonly<Record<Class, NonNullable<ManifestRecord['remedy']>>> = {
  missing: 'reapply', unexpected: 'investigate', mismatch: 'reapply', duplicate: 'investigate', reordered: 'investigate',
  gap: 'investigate', late_applied: 'investigate', collapsed: 'investigate', elided: 'investigate',
};
const SEVERITY: Readonly<Record<Class, NonNullable<ManifestRecord['severity']>>> = {
  missing: 'error', unexpected: 'error', mismatch: 'error', duplicate: 'warning', reordered: 'warning',
  gap: 'error', late_applied: 'info', collapsed: 'info', elided: 'info',
};

function manifestOf(pair: PairSettings, finding: Finding, verdictId: string, decision: Decision, linkedKey: KeyJson | undefined): ManifestRecord {
  const { source, target, columns, hint } = finding;
  const ref = { window: finding.window, class: finding.class, source: source?.identity ?? '', target: target?.identity ?? '' };
  const traceparent = source?.traceparent ?? target?.traceparent;
  return {
    record: 'manifest', manifestId: manifestIdOf(pair, ref, finding.key), verdictId, pair: pair.name, ...chainOf(pair),
    window: bounds(pair, finding.window), class: finding.class, key: printKey(finding.key),
    ...(linkedKey === undefined ? {} : { linkedKey }),
    ...(source === undefined ? {} : { source: source.record }),
    ...(target === undefined ? {} : { target: target.record }),
    ...(columns.length === 0 ? {} : { columns: [...columns] }),
    ...(hint === undefined ? {} : { hint }),
    ...(finding.detail === undefined ? {} : { detail: finding.detail }),
    attribution: finding.attribution, remedy: remedyOf(finding), severity: SEVERITY[finding.class], firstSeen: decision.takenAt,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/** A row that nobody wrote at the source is to be deleted; a row that somebody deleted, and a run that was lost, is to be applied again. */
function remedyOf(finding: Finding): NonNullable<ManifestRecord['remedy']> {
  if (finding.hint === 'coverage-gap') return 'reapply';
  // Which change it is was a guess: nothing may be written or deleted because of it.
  if (finding.hint === 'bulk-mismatch') return 'investigate';
  if (finding.class !== 'unexpected') return REMEDY[finding.class];
  if (finding.target?.record.op === 'create') return 'delete on target';
  return finding.target?.record.op === 'delete' ? 'reapply' : 'investigate';
}

interface Printed { readonly finding: Finding; readonly record: ManifestRecord }

/** Class in the order of semantics.md §7, key by the UTF-8 bytes of its JSON, source position, target position (ruling 26). */
function inPrintingOrder(a: Printed, b: Printed): number {
  return (
    CLASSES.indexOf(a.record.class) - CLASSES.indexOf(b.record.class) ||
    byBytes(JSON.stringify(a.record.key), JSON.stringify(b.record.key)) ||
    byBytes(a.finding.source?.sortKey ?? '', b.finding.source?.sortKey ?? '') ||
    byBytes(a.finding.target?.sortKey ?? '', b.finding.target?.sortKey ?? '')
  );
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
