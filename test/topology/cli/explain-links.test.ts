// What is linked and what is said of each change, on rows made by hand: matches and findings as a check tells them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { PairSettings } from '../../../schemas/pair.ts';
import type { ManifestRecord, ManifestSide, OutputRecord } from '../../../schemas/records.ts';
import { linkHistories, placeOf, type Histories, type HistoryRow } from '../../../topology/cli/explain-links.ts';
import { giveReasons, type Facts } from '../../../topology/cli/explain-reasons.ts';
import { loadConfig } from '../../../topology/config.ts';
import { manifest } from '../../support/sample-records.ts';

const { pairs } = loadConfig(fileURLToPath(new URL('../../../deploy/demo/paritas.yaml', import.meta.url)));

/** `s1 update o10`: side and offset, operation, origin, position (default: the offset). */
function row(text: string): HistoryRow {
  const [at, op, origin = '', position = at.slice(1)] = text.split(' ');
  const side = at.startsWith('s') ? 'source' : 'target';
  return {
    side, op, origin, position, sortKey: position, topic: side[0], partition: 0, offset: at.slice(1), commitTime: '', timeUs: Number(at.slice(1)) * 1e6,
    findings: [], match: undefined, reason: undefined,
  };
}

function histories(...rows: readonly string[]): Histories {
  const all = rows.map(row);
  return { sources: all.filter(({ side }) => side === 'source'), targets: all.filter(({ side }) => side === 'target') };
}

/** `duplicate s1 t2`: class and the changes it names. */
function finding(text: string): ManifestRecord {
  const [kind, ...sides] = text.split(' ');
  const side = (letter: string): ManifestSide | undefined => {
    const name = sides.find((one) => one.startsWith(letter));
    return name === undefined ? undefined : { op: 'update', commitTime: '', topic: letter, partition: 0, offset: name.slice(1) };
  };
  return manifest(0, { class: kind, source: side('s'), target: side('t'), columns: kind === 'mismatch' ? [{ name: 'amount', source: '1', target: '2' }] : [] } as unknown as Partial<ManifestRecord>);
}

const pairOf = (text: string): [string, string] => text.split(' ').map((at) => `${at[0]}-0@${at.slice(1)}`) as [string, string];

const LINKS: readonly (readonly [what: string, rows: readonly string[], matches: readonly string[], findings: readonly string[], said: readonly string[]])[] = [
  ['as the check made them', ['s1 create a', 's2 update b', 't1 create a', 't2 update b'], ['s1 t1', 's2 t2'], [], ['s1 = t1', 's2 = t2', 't1 = s1', 't2 = s2']],
  ['a repeat is linked to the change it repeats, which keeps its first application', ['s1 create a', 't1 create a', 't2 create a'], ['s1 t1'], ['duplicate s1 t2'],
    ['s1 = t1', 't1 = s1', 't2 = s1 duplicate']],
  ['a reordered and a late one name both sides', ['s1 update a', 't1 update a'], [], ['missing s1', 'late_applied s1 t1'], ['s1 = t1 missing late_applied', 't1 = s1 late_applied']],
  ['applied beyond the evidence: missing and unexpected, no link (ruling 13)', ['s1 update a', 't1 update a'], [], ['missing s1 t1', 'unexpected t1'], ['s1 missing', 't1 unexpected']],
  ['the connector\'s redelivery counts once', ['s1 update a 7', 's2 update a 7', 't1 update a'], ['s1 t1'], [], ['s1 = t1', 's2 (redelivered: the change of s-0@1 once more)', 't1 = s1']],
  ['a match of another key is not shown', ['s1 create a', 't1 create a'], ['s7 t1'], [], ['s1', 't1']],
];

for (const [what, rows, matches, findings, said] of LINKS) {
  void test(`links: ${what}`, () => {
    const both = histories(...rows);
    linkHistories(both, matches.map(pairOf), findings.map(finding));
    assert.deepEqual([...both.sources, ...both.targets].map(({ side, offset, match, findings: found, reason }) =>
      [side[0] + offset, ...(match === undefined ? [] : [`= ${placeOf(match).replace('-0@', '')}`]), ...found, ...(reason === undefined ? [] : [`(${reason})`])].join(' ')), said);
  });
}

void test('a finding lists its columns; a dead letter says its reason', () => {
  const both = histories('s1 update a', 't1 update a');
  const letters: OutputRecord[] = [
    { record: 'dead-letter', pair: 'p', side: 'target', topic: 't', partition: 0, offset: '1', reason: 'late', detail: 'too old' },
    { record: 'dead-letter', pair: 'p', side: 'target', file: 'f', line: '1', reason: 'bad-line', detail: 'x' },
  ];
  linkHistories(both, [], [finding('mismatch s1 t1'), ...letters]);
  assert.deepEqual([both.sources[0].findings, both.targets[0].findings, both.targets[0].reason], [['mismatch: amount'], ['mismatch: amount'], 'a dead letter (late): too old']);
});

const REASONS: readonly (readonly [what: string, pair: string, rows: readonly string[], findings: readonly string[], reason: RegExp])[] = [
  ['missing names the origin that nothing names, and by when', 'orders', ['s1 update a'], ['missing s1'], /^no change of the row on the target that was committed before 1970-.* names origin a$/],
  ['a missing delete', 'orders', ['s1 delete a'], ['missing s1'], /^no delete of the row on the target that was committed before .* is left for it$/],
  ['by alignment: from when to when', 'aligned', ['s1 update'], ['missing s1'], /^no change of the row on the target from .* to .* is left that leaves it so$/],
  ['without an origin', 'orders', ['t1 update'], ['unexpected t1'], /^it carries no origin: /],
  ['an origin that is no change of the row', 'orders', ['s1 create a', 't2 update b'], ['unexpected t2'], /^origin b is no change of this row on the source$/],
  ['an origin of a change that is out of reach', 'orders', ['t1 update a', 's9 update a'], ['unexpected t1'], /^it names s-0@9, and was committed when that was out of its reach/],
  ['an out-of-band update leaves the origin as it was', 'orders', ['s1 create a', 't1 create a', 't2 update a'], ['unexpected t2'], /^it names s-0@1, which was applied by t-0@1, and holds other values/],
  ['a delete without a cause', 'orders', ['t1 delete'], ['unexpected t1'], /^no delete of the row on the source is left for it$/],
  ['a snapshot row', 'orders', ['t1 read'], [], /^snapshot row: a state, not a change$/],
  ['a snapshot row that was not loaded', 'orders', ['s1 read'], [], /nothing on the target was its load$/],
  ['what the target does not log', 'aligned', ['s3 update'], [], /^elided: /],
  ['an open window: up to where they are closed, and who holds it', 'orders', ['s200 update a'], [], /^its window is open: windows are closed up to 1970-01-01T00:01:40.000000Z, held by t-0 \(/],
];

for (const [what, name, rows, findings, reason] of REASONS) {
  void test(`reasons: ${what}`, () => {
    const [orders] = pairs;
    const pair: PairSettings = name === 'orders' ? orders : { ...orders, match: { by: 'alignment', source: [], target: [] } };
    const facts: Facts = { pair, closedUpToUs: 100e6, stalled: ['t-0'], elided: new Set(['s-0@3']) };
    const both = histories(...rows);
    linkHistories(both, rows.includes('s1 create a') && rows.includes('t1 create a') ? [pairOf('s1 t1')] : [], findings.map(finding));
    giveReasons(both, facts);
    assert.match([...both.sources, ...both.targets].find((one) => one.match === undefined && (one.findings.length > 0 || findings.length === 0))?.reason ?? '', reason);
  });
}
