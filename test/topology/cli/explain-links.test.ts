// What is linked where findings and origins leave room, on rows made by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ManifestRecord, ManifestSide } from '../../../schemas/records.ts';
import { attachFindings, linkRows, type HistoryRow } from '../../../topology/cli/explain-links.ts';
import { manifest } from '../../support/sample-records.ts';

/** `s1 update o10`: side and offset, operation, origin, position (default: the offset). */
function row(text: string): HistoryRow {
  const [at, op, origin = '', position = at.slice(1)] = text.split(' ');
  const side = at.startsWith('s') ? 'source' : 'target';
  return {
    side, op, origin, position, sortKey: position, topic: side[0], partition: 0, offset: at.slice(1), commitTime: '2026-11-30T12:00:00.000000Z', findings: [], match: undefined,
  };
}

/** `duplicate s1 t2`: class and the changes it names. */
function finding(text: string): ManifestRecord {
  const [kind, ...sides] = text.split(' ');
  const side = (letter: string): ManifestSide | undefined => {
    const name = sides.find((one) => one.startsWith(letter));
    return name === undefined ? undefined : { op: 'update', commitTime: '', topic: letter, partition: 0, offset: name.slice(1) };
  };
  return manifest(0, { class: kind, source: side('s'), target: side('t'), columns: kind === 'mismatch' ? undefined : [] } as unknown as Partial<ManifestRecord>);
}

const TABLE: readonly (readonly [what: string, rows: readonly string[], findings: readonly string[], links: readonly string[]])[] = [
  ['by origin', ['s1 create a', 's2 update b', 't1 create a', 't2 update b'], [], ['s1 = t1', 's2 = t2', 't1 = s1', 't2 = s2']],
  ['one origin for a transaction: in order, the last takes what is left', ['s1 create g', 's2 update g', 't1 create g', 't2 update g', 't3 update g'], [],
    ['s1 = t1', 's2 = t2', 't1 = s1', 't2 = s2', 't3 = s2']],
  ['deletes by order, past those with a finding', ['s1 delete', 's2 delete', 't1 delete', 't2 delete', 't3 delete'], ['unexpected t1'],
    ['s1 = t2', 's2 = t3', 't1 unexpected', 't2 = s1', 't3 = s2']],
  ['a missing delete leaves the next to the next', ['s1 delete', 's2 delete', 't1 delete'], ['missing s1'], ['s1 missing', 's2 = t1', 't1 = s2']],
  ['an unexpected change with a known origin stays alone', ['s1 create a', 't1 create a', 't2 update a'], ['unexpected t2'], ['s1 = t1', 't1 = s1', 't2 unexpected']],
  ['a reordered and a late one name both sides', ['s1 update a', 't1 update a'], ['missing s1', 'late_applied s1 t1'], ['s1 = t1 missing late_applied', 't1 = s1 late_applied']],
  ['applied beyond the evidence: missing and unexpected, no link (ruling 13)', ['s1 update a', 't1 update a'], ['missing s1 t1', 'unexpected t1'], ['s1 missing', 't1 unexpected']],
  ['the connector\'s redelivery counts once', ['s1 update a 7', 's2 update a 7', 't1 update a'], [], ['s1 = t1', 's2 redelivered: the change of s-0@1 once more', 't1 = s1']],
  ['alone without a finding', ['s1 read', 't1 read', 't2 update zz'], [],
    ['s1 snapshot row: a state, not a change', 't1 snapshot row: a state, not a change', 't2 names no change of the source']],
  ['a truncate goes with a delete', ['s1 truncate', 't1 delete'], [], ['s1 = t1', 't1 = s1']],
];

for (const [what, rows, findings, links] of TABLE) {
  void test(what, () => {
    const all = rows.map(row);
    const sources = all.filter(({ side }) => side === 'source');
    const targets = all.filter(({ side }) => side === 'target');
    attachFindings(sources, targets, findings.map(finding));
    linkRows(sources, targets);
    assert.deepEqual(all.map(({ side, offset, match, findings: found }) =>
      [side[0] + offset, ...(match === undefined ? [] : [`= ${match.replace('-0@', '')}`]), ...found].join(' ')), links);
  });
}

void test('a finding lists its columns; a dead letter says its reason', () => {
  const source = row('s1 update a');
  const target = row('t1 update a');
  attachFindings([source], [target], [
    manifest(0, { class: 'mismatch', source: { op: 'update', commitTime: '', topic: 's', partition: 0, offset: '1' }, target: { op: 'update', commitTime: '', topic: 't', partition: 0, offset: '1' } }),
    { record: 'dead-letter', pair: 'p', side: 'target', topic: 't', partition: 0, offset: '1', reason: 'late', detail: 'x' },
    { record: 'dead-letter', pair: 'p', side: 'target', file: 'f', line: '1', reason: 'bad-line', detail: 'x' },
  ]);
  assert.deepEqual([source.findings, target.findings], [['mismatch: amount, note'], ['mismatch: amount, note', 'late: a dead letter']]);
});
