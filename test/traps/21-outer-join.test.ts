// Trap 21. The semantics of an outer join: nothing is called missing before its window closes; a match that is committed just inside the bound
// counts and one at the bound does not; changes of one time are told apart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendRecord } from '../../topology/log/log.ts';
import { change, live, openLog, placeOf, recordsOf, rows, write } from './place.ts';

/** The window of the change ends at second 4; two seconds later is the bound. */
const source = change('src', { id: 900, atMs: 3200, lsn: 900 });
const appliedAt = (atMs: number): AppendRecord => change('tgt', { id: 900, atMs, lsn: 900 });

const CASES: readonly (readonly [what: string, target: readonly AppendRecord[], said: readonly string[]])[] = [
  ['applied a millisecond before the bound', [appliedAt(5999)], []],
  ['applied at the bound', [appliedAt(6000)], ['missing', 'late_applied']],
  ['never applied', [], ['missing']],
  ['applied twice at one time', [appliedAt(3500), { ...appliedAt(3500), value: Buffer.from(String(appliedAt(3500).value).replaceAll('1000900', '1000901')) }], ['duplicate']],
  ['applied before it was committed, as clocks differ', [appliedAt(3100)], []],
];
for (const [what, target, said] of CASES) {
  void test(`trap 21: ${what}`, async (t) => {
    const place = placeOf(t);
    const inOrder = [...rows(9), source, ...target].sort((a, b) => (a.timestampMs ?? 0) - (b.timestampMs ?? 0));
    // Read to second 5: the window of second 3 cannot be closed yet.
    const early = inOrder.filter(({ timestampMs }) => (timestampMs ?? 0) < (source.timestampMs ?? 0) + 1500);
    const log = await openLog(place);
    await write(log, early);
    let openAtFirst = 0;
    await live(place, { log, idle: async times => {
      if (times > 1) return false;
      openAtFirst = await log.endOffset({ topic: place.config.outputs.manifests, partition: 0 });
      await write(log, [...inOrder.filter(record => !early.includes(record)), ...rows(21, 9)]);
      return true;
    } });
    await log.close();
    const { manifests } = await recordsOf(place);
    assert.equal(openAtFirst, 0, 'nothing is said of a window that is open');
    // A verdict that is amended brings its findings along, under their ids.
    const findings = new Map(manifests.filter(({ key }) => key['id'] === '900').map(({ manifestId, class: one }) => [manifestId, one]));
    assert.deepEqual([...findings.values()], said);
  });
}
