// The comparison of `npm start`: it holds only where every observable fault was found, with class and key, and nothing else was.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ManifestRecord, ManifestSide } from '../../../schemas/records.ts';
import { compareWithTruth, truthLines, type InjectedFault } from '../../../topology/cli/ground-truth.ts';
import { createStyle } from '../../../topology/cli/text.ts';
import { manifest } from '../../support/sample-records.ts';

const plain = createStyle({ isTerminal: false, noColor: true, env: {} });
const fault = (more: Partial<InjectedFault> = {}): InjectedFault => ({ class: 'lost', target: 'tgt', table: 'orders', key: { id: 42 }, what: 'never applied', ...more });
const found = (more: Partial<ManifestRecord> = {}): ManifestRecord => manifest(0, { class: 'missing', pair: 'orders', key: { id: '42' }, ...more });
const AT = { topic: 'src.orders', partition: 0, offset: 7 };
const side = (offset: string): ManifestSide => ({ op: 'update', commitTime: '', topic: 'src.orders', partition: 0, offset });

const TABLE: readonly (readonly [what: string, faults: readonly InjectedFault[], found: readonly ManifestRecord[], words: string, holds: boolean])[] = [
  ['nothing injected, nothing found', [], [], '0 of 0 observable faults found, nothing else.', true],
  ['found', [fault()], [found()], '1 of 1 observable fault found, nothing else.', true],
  ['every class', ['oob-update', 'oob-insert', 'oob-delete', 'lost', 'lost-converged', 'duplicate'].map((kind) => fault({ class: kind })),
    (['unexpected', 'unexpected', 'unexpected', 'missing', 'missing', 'duplicate'] as const).map((kind) => found({ class: kind })), '6 of 6 observable faults found, nothing else.', true],
  ['not found', [fault()], [], '0 of 1 observable fault found, nothing else.', false],
  ['wrong class', [fault()], [found({ class: 'mismatch' })], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['wrong key', [fault()], [found({ key: { id: '43' } })], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['part of a key', [fault({ key: { region: 'EU', no: 1 } })], [found({ key: { region: 'EU' } })], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['wrong target', [fault({ target: 'tgtm' })], [found()], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['the MariaDB target', [fault({ target: 'tgtm' })], [found({ pair: 'orders-mariadb' })], '1 of 1 observable fault found, nothing else.', true],
  ['another source record of the row', [fault({ source: AT })], [found({ source: side('8') })], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['the source record it hit', [fault({ source: AT })], [found({ source: side('7') })], '1 of 1 observable fault found, nothing else.', true],
  ['the same offset of another partition', [fault({ source: { ...AT, partition: 1 } })], [found({ source: side('7') })], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['the same offset of another topic', [fault({ source: { ...AT, topic: 'src.items' } })], [found({ source: side('7') })], '0 of 1 observable fault found, and 1 finding beyond them.', false],
  ['a finding serves one fault', [fault(), fault()], [found()], '1 of 2 observable faults found, nothing else.', false],
  ['a finding too many', [fault()], [found(), found()], '1 of 1 observable fault found, and 1 finding beyond them.', false],
  ['no trace: not expected', [fault({ observable: false })], [], '0 of 0 observable faults found, nothing else.', true],
  ['no trace, and yet found', [fault({ observable: false })], [found()], '0 of 0 observable faults found, and 1 finding beyond them.', false],
  ['a kind of fault nobody knows', [fault({ class: 'odd' })], [], '0 of 1 observable fault found, nothing else.', false],
  ['elided and collapsed are no discrepancies', [], [found({ class: 'elided' }), found({ class: 'collapsed' })], '0 of 0 observable faults found, nothing else.', true],
];

for (const [what, faults, manifests, words, holds] of TABLE) {
  void test(what, () => {
    const truth = compareWithTruth(faults, manifests);
    assert.equal(truth.holds, holds);
    assert.ok(truthLines(truth, plain).includes(words), truthLines(truth, plain).join('\n'));
  });
}

void test('what differs is named', () => {
  const truth = compareWithTruth([fault(), fault({ observable: false, key: { id: 9 } }), fault({ class: 'duplicate' })], [found({ class: 'duplicate' }), found({ key: { id: '\u001b[31m' } })]);
  assert.equal(truthLines(truth, plain).join('\n'), `\
Ground truth
INJECTED   SAID TO BE  FAULTS  OBSERVABLE  FOUND
lost       missing     2       1           0
duplicate  duplicate   1       1           1
1 of 2 observable faults found, and 1 finding beyond them.
Left no trace in the target's log, so no log reader can find them:
  lost orders id=9: never applied
Not found:
  lost orders id=42: expected missing; never applied
Found beyond the injected faults:
  missing orders id=\\\\u{1b}[31m
`.replaceAll('\\\\', '\\'));
});
