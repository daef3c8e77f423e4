// Both sides' histories of one row key, with what was matched to what and what was found about each change. None of it is worked out here:
// it comes from a run of the pair's own check over the same captures, which tells of its matches as it makes them.
import { KIND, OP, OP_NAMES, SIDES, SOURCE, TARGET, type ChangeEvent } from '../../schemas/change-event.ts';
import { printKey, printOrigin, printPosition } from '../../schemas/canonical/print.ts';
import type { Decoder } from '../../schemas/decoder.ts';
import { ParitasError } from '../../schemas/errors.ts';
import { createDecoder } from '../../schemas/formats/registry.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { sideOf, type PairSettings } from '../../schemas/pair.ts';
import type { RawRecord } from '../../schemas/raw-record.ts';
import type { KeyJson, OutputRecord } from '../../schemas/records.ts';
import { formatTime, parseTime } from '../../schemas/time.ts';
import type { CheckOptions, CheckResult, Engine, ExplainRow, KeyObserver } from '../check-types.ts';
import { linkHistories, placeOf, type HistoryRow } from './explain-links.ts';
import { giveReasons } from './explain-reasons.ts';
import { createNearestKeys, type NearestKeys } from './nearest-keys.ts';
import { parseKey, type RowKey } from './row-key.ts';
import { openSideInput, topicsLog, type TopicsLog } from './side-input.ts';
import { keyText } from './text.ts';

type Completeness = Pick<CheckOptions, 'complete' | 'skipBadLines' | 'log'>;

/** `key`: `42`, `id=42` or `{"id":"42"}`; a masked value as it is printed. Throws where neither side has the key, with the nearest that are there. */
export async function explainRowKey(
  pair: PairSettings, key: string, options: Completeness, check: Engine['runCheck'],
): Promise<ExplainRow[]> {
  const files = [pair.source, pair.target].flatMap(side => [side, side.transactions, side.heartbeat]).flatMap(topic => topic?.files ?? []);
  if (files.includes('-')) {
    throw new ParitasError('usage', 'explain reads its captures twice, and standard input can be read once: save it to a file first');
  }
  const asked = parseKey(key, pair.key);
  const nearest = createNearestKeys(asked.kind === 'bare' ? asked.text : keyText(asked.columns));
  const [sources, targets] = await readHistories(pair, options, asked, nearest);
  if (nearest.found === undefined || nearest.foundBytes === undefined) throw noSuchKey(pair, key, nearest);
  const pairs: [string, string][] = [];
  const elided = new Set<string>();
  const observer: KeyObserver = { key: nearest.foundBytes, paired: (source, target) => void pairs.push([source, target]), elided: source => void elided.add(source) };
  const { about, closedUpToUs, stalled } = gather(await check([pair], { ...options, observer }), nearest.found);
  linkHistories({ sources, targets }, pairs, about);
  giveReasons({ sources, targets }, { pair, closedUpToUs, stalled, elided });
  return [...sources, ...targets].map(rowOf);
}

async function readHistories(pair: PairSettings, { log }: Completeness, asked: RowKey, nearest: NearestKeys): Promise<[HistoryRow[], HistoryRow[]]> {
  const topics = topicsLog(log);
  try {
    const sources = await readHistory(pair, SOURCE, topics, asked, nearest);
    return [sources, await readHistory(pair, TARGET, topics, asked, nearest)];
  } finally {
    await topics.close();
  }
}

/** The key's changes on one side by position, with the truncates that removed it. A line that cannot be read is none of them. */
async function readHistory(pair: PairSettings, side: number, topics: TopicsLog, asked: RowKey, nearest: NearestKeys): Promise<HistoryRow[]> {
  const decoder = createDecoder(createPairContext(pair), SIDES[side]);
  const log = await openSideInput(sideOf(pair, SIDES[side]), topics, { skipBadLines: true });
  const rows: HistoryRow[] = [];
  try {
    for (const reader of log.rows.partitions) {
      do {
        while (reader.next()) if (isAbout(decoder, reader.record, asked, nearest)) rows.push(rowAt(side, decoder.event, reader.record));
      } while (await reader.fill());
    }
  } finally {
    await log.close();
  }
  return removingOnly(rows.sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : Number(a.offset) - Number(b.offset))));
}

function isAbout(decoder: Decoder, record: RawRecord, asked: RowKey, nearest: NearestKeys): boolean {
  if (record.bad !== undefined) return false;
  decoder.decode(record);
  const { event } = decoder;
  if (event.kind !== KIND.change || Number.isNaN(event.commitTimeUs)) return false;
  if (event.op === OP.truncate) return true;
  const bytes = event.bytes.subarray(0, event.keyLength);
  if (nearest.foundBytes !== undefined) return nearest.foundBytes.equals(bytes);
  const key = printKey(bytes);
  if (!isExactly(asked, key)) {
    nearest.note(keyText(key));
    return false;
  }
  nearest.foundBytes = Buffer.from(bytes);
  nearest.found = key;
  return true;
}

/** Every column, not some: `region=EU` would be many rows. Bare text is the value of the only column. */
function isExactly(asked: RowKey, key: KeyJson): boolean {
  const columns = Object.entries(key);
  if (asked.kind === 'bare') return columns.length === 1 && columns[0][1] === asked.text;
  return columns.length === Object.keys(asked.columns).length && columns.every(([name, value]) => name in asked.columns && asked.columns[name] === value);
}

function rowAt(side: number, event: ChangeEvent, record: RawRecord): HistoryRow {
  const originEnd = event.keyLength + event.originLength;
  return {
    side: SIDES[side], op: OP_NAMES[event.op],
    position: event.positioned ? printPosition(event.position) : '',
    origin: event.originLength > 0 && event.op !== OP.truncate ? printOrigin(event.bytes.subarray(event.keyLength, originEnd)) : '',
    commitTime: formatTime(event.commitTimeUs),
    topic: record.topic, partition: record.partition, offset: String(record.offset),
    sortKey: `${event.position.toString('hex')}/${String(event.totalOrder + 1).padStart(12, '0')}`,
    timeUs: event.commitTimeUs, findings: [], match: undefined, reason: undefined,
  };
}

/** A truncate stands for a delete of the key only where the key has a row (ruling 15). */
function removingOnly(rows: readonly HistoryRow[]): HistoryRow[] {
  let hasRow = false;
  return rows.filter(({ op }) => {
    const kept = op !== 'truncate' || hasRow;
    hasRow = op !== 'truncate' && op !== 'delete';
    return kept;
  });
}

/** What a run said of the key, and how far it came. */
function gather(result: CheckResult, key: KeyJson): { about: OutputRecord[]; closedUpToUs: number; stalled: string[] } {
  const text = JSON.stringify(key);
  const about: OutputRecord[] = [];
  const stalled: string[] = [];
  let closedUpToUs = -Infinity;
  for (const record of result.records()) {
    if (record.record === 'dead-letter' || (record.record === 'manifest' && JSON.stringify(record.key) === text)) about.push(record);
    if (record.record === 'decision') closedUpToUs = Math.max(closedUpToUs, parseTime(record.closeUpTo));
    if (record.record === 'status' && record.stalled) stalled.push(`${record.topic}-${record.partition}`);
  }
  return { about, closedUpToUs, stalled };
}

function noSuchKey(pair: PairSettings, key: string, nearest: NearestKeys): ParitasError {
  const near = nearest.nearest();
  const masked = (pair.key ?? []).filter((column) => pair.columns.mask.includes(column));
  const hint = masked.length > 0 ? `; ${masked.join(', ')} is masked: give it as it is printed, masked:…`
    : near.length > 0 ? `; the nearest keys there are ${near.join(' · ')}` : '; neither side has a change of any row';
  return new ParitasError('input', `pair "${pair.name}": neither side has a change of ${key}${hint}`);
}

function rowOf({ side, op, position, origin, commitTime, topic, partition, offset, findings, match, timeUs, reason }: HistoryRow): ExplainRow {
  return {
    side, op, position, origin, commitTime, topic, partition, offset, findings,
    ...(match === undefined ? {} : { match: placeOf(match) }),
    ...(match === undefined || side === 'source' ? {} : { lagMs: String((timeUs - match.timeUs) / 1000) }),
    ...(reason === undefined ? {} : { reason }),
  };
}
