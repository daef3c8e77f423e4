// Verifies recorded verdicts and decisions by themselves, without the logs: every id is that of its content, every verdict rests on a decision
// that stands before it, and every link of the chain holds. A chain that was wholly computed anew holds too: only its head, kept elsewhere,
// tells it from the first, or a replay from the logs.
import { chainOf, type DecisionRecord, type OfChain, type OutputRecord, type SummaryRecord, type VerdictRecord } from '../schemas/records.ts';
import { parseTime } from '../schemas/time.ts';
import { CHAIN_START, evidenceHashOf, verdictHash, verdictIdOf } from './chain.ts';
import { decisionIdOf } from './decision.ts';

/** A record and where it stands, as `file:line`; `text`: as it was read, where it was. */
export interface RecordedLine<R = OutputRecord> { readonly at: string; readonly text?: string; readonly record: R }

/** What is wrong first, and where. */
export interface BrokenLink { readonly at: string; readonly window?: string; readonly what: string }

/** One chain: the verdicts of a pair under one configuration, since its beginning or since a reset. */
export interface ChainReport { readonly pair: string; readonly chain?: number; readonly configHash: string; verdicts: number; decisions: number; head: string; broken: BrokenLink | undefined }

/** What is there of one chain of a pair, by configuration. */
interface PairChains {
  readonly pair: string;
  readonly of: OfChain;
  readonly chains: Map<string, ChainReport>;
  readonly decisions: Map<string, { readonly configHash: string; readonly record: DecisionRecord }>;
  readonly lastDecision: Map<string, DecisionRecord>;
}

/**
 * `configHashes`: of the present configuration by pair, for decisions that no verdict uses; without it and without verdicts a pair's chain has
 * an empty configHash, and nothing of it can be verified. Reports in the order of the first mention.
 */
export function verifyChains(lines: readonly RecordedLine[], configHashes: ReadonlyMap<string, string> = new Map()): ChainReport[] {
  const pairs = new Map<string, PairChains>();
  for (const { record } of lines) if (record.record === 'verdict') reportOf(pairOf(pairs, record), record.configHash);
  for (const { record } of lines) if (record.record === 'decision') foresee(pairOf(pairs, record), record, configHashes.get(record.pair));
  for (const { at, text, record } of lines) {
    if (record.record === 'verdict') verifyVerdict(pairOf(pairs, record), { at, record, ...(text === undefined ? {} : { text }) });
    else if (record.record === 'decision') verifyDecision(pairOf(pairs, record), { at, record, ...(text === undefined ? {} : { text }) });
    else if (record.record === 'summary' && pairs.has(nameOf(record))) verifyHead(pairOf(pairs, record), { at, record });
  }
  return [...pairs.values()].flatMap(({ chains }) => [...chains.values()]);
}

/** Of the present configuration there is a chain that no verdict tells of yet, where a decision is of it, or nothing else says of what it is. */
function foresee(pair: PairChains, record: DecisionRecord, configHash: string | undefined): void {
  if (configHash === undefined || pair.chains.has(configHash)) return;
  if (pair.chains.size === 0 || decisionIdOf(configHash, record) === record.decisionId) reportOf(pair, configHash);
}

function nameOf({ pair, chain = 1 }: { readonly pair: string } & OfChain): string {
  return `${chain} ${pair}`;
}

function pairOf(pairs: Map<string, PairChains>, record: { readonly pair: string } & OfChain): PairChains {
  let pair = pairs.get(nameOf(record));
  if (pair === undefined) pairs.set(nameOf(record), (pair = { pair: record.pair, of: chainOf(record), chains: new Map(), decisions: new Map(), lastDecision: new Map() }));
  return pair;
}

function reportOf(pair: PairChains, configHash: string): ChainReport {
  let chain = pair.chains.get(configHash);
  if (chain === undefined) pair.chains.set(configHash, (chain = { pair: pair.pair, ...pair.of, configHash, verdicts: 0, decisions: 0, head: CHAIN_START, broken: undefined }));
  return chain;
}

function verifyDecision(pair: PairChains, { at, text, record }: RecordedLine<DecisionRecord>): void {
  const configHash = [...pair.chains.keys()].find(hash => decisionIdOf(hash, record) === record.decisionId);
  const chain = configHash === undefined ? (pair.chains.values().next().value ?? reportOf(pair, '')) : reportOf(pair, configHash);
  chain.decisions++;
  const broken = (what: string): void => void (chain.broken ??= { at, what: `the decision ${record.decisionId.slice(0, 16)} that closes up to ${record.closeUpTo} ${what}` });
  if (text !== undefined && text !== JSON.stringify(record)) broken('is not in the bytes that were written');
  if (configHash === undefined) return broken('has an id that is not that of its content');
  const before = pair.lastDecision.get(configHash);
  if (before !== undefined && goesBack(before, record)) broken('goes back behind the one before it');
  pair.lastDecision.set(configHash, record);
  pair.decisions.set(record.decisionId, { configHash, record });
}

/** Windows and frontiers only move forward. */
function goesBack(before: DecisionRecord, after: DecisionRecord): boolean {
  return parseTime(after.closeUpTo) <= parseTime(before.closeUpTo) || before.frontiers.some(({ side, topic, partition, offset }) => {
    const next = after.frontiers.find(frontier => frontier.side === side && frontier.topic === topic && frontier.partition === partition);
    return next === undefined || BigInt(next.offset) < BigInt(offset);
  });
}

function verifyVerdict(pair: PairChains, { at, text, record }: RecordedLine<VerdictRecord>): void {
  const chain = reportOf(pair, record.configHash);
  const broken = (what: string): void => void (chain.broken ??= { at, window: record.window.start, what });
  const decision = pair.decisions.get(record.decisionId);
  if (text !== undefined && text !== JSON.stringify(record)) broken('the verdict is not in the bytes that were written');
  if (record.verdictId !== verdictIdOf(record.pair, record.configHash, parseTime(record.window.end), record)) broken('the verdict has an id that is not that of its pair, configuration and window');
  if (record.previousVerdictHash !== chain.head) broken(linkText(chain));
  if (decision === undefined) broken(`the decision ${record.decisionId.slice(0, 16)} does not stand before the verdict that rests on it`);
  else if (decision.configHash !== record.configHash || parseTime(decision.record.closeUpTo) < parseTime(record.window.end)) broken(`the decision ${record.decisionId.slice(0, 16)} does not close this window`);
  else if (!restsOn(record, decision.record)) broken('the evidence is not that of the decision');
  chain.head = verdictHash(record);
  chain.verdicts++;
}

function linkText(chain: ChainReport): string {
  if (chain.verdicts === 0) return 'the chain does not begin here: verdicts before this one are missing';
  return 'previousVerdictHash is not the hash of the verdict before it: one of the two was changed, or what stood between was taken out';
}

function restsOn(verdict: VerdictRecord, decision: DecisionRecord): boolean {
  return verdict.evidenceHash === evidenceHashOf(verdict.evidence, decision, verdict.configHash)
    && JSON.stringify(verdict.evidence.map(({ side, topic, partition, fromOffset, toOffset }) => [side, topic, partition, fromOffset, toOffset]))
      === JSON.stringify(decision.frontiers.map(({ side, topic, partition, fromOffset, offset }) => [side, topic, partition, fromOffset, offset]));
}

/** The last verdict has no link behind it: the summary names its hash. */
function verifyHead(pair: PairChains, { at, record }: RecordedLine<SummaryRecord>): void {
  const { lastVerdictHash } = record;
  if (lastVerdictHash === undefined || [...pair.chains.values()].some(chain => chain.head === lastVerdictHash)) return;
  for (const chain of pair.chains.values()) chain.broken ??= { at, what: 'the summary names another last verdict: the last one was changed, or taken out' };
}
