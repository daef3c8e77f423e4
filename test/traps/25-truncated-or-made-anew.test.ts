// Trap 25. What was read is not what is there any more: the input was cut, its beginning is gone, or the whole log is another one. It is refused or made
// anew, and said either way; nothing stands still in silence, and nothing goes on at another place than where it was.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from '../../topology/cli/service-inputs.ts';
import { groupOf } from '../../topology/runtime/task-id.ts';
import { appendTo } from '../support/append.ts';
import { liveOn, openLog, outputsOf, placeOf, rows, undisturbed, wiped, write } from './place.ts';

const LOST: readonly (readonly [what: string, offsets: readonly [position: number, begin: number, end: number], message: RegExp])[] = [
  ['retention has taken what was not read', [3, 10, 20], /^pair "orders": src-0 was read to offset 3, and its log begins at 10 now: retention has taken 7 offsets that were not read/],
  ['it ends before what was read', [30, 0, 20], /^pair "orders": src-0 was read to offset 30, and its log ends at 20: it was cut/],
];
for (const [what, [position, begin, end], message] of LOST) {
  void test(`trap 25: an input of which ${what} is refused`, async (t) => {
    const place = placeOf(t);
    const [pair] = place.config.pairs;
    const group = groupOf('shop', { pair: 'orders', subTopology: 'reconcile', partition: 0 });
    const log = await openLog(place);
    await write(log, []);
    await appendTo(log, { records: [], positions: [{ topic: 'src', partition: 0, offset: position }], group });
    const lost = { ...log, beginningOffset: () => Promise.resolve(begin), endOffset: () => Promise.resolve(end) };
    await assert.rejects(openInputs(pair, pair.source, { log: lost, group, wake: () => undefined, signal: new AbortController().signal, logNowMs: undefined }), { code: 'state', message });
    await log.close();
  });
}

void test('trap 25: another log in the place of the one that the state is of: said, and begun anew', async (t) => {
  const expected = await undisturbed(t, rows(20));
  const place = placeOf(t);
  for (let logs = 0; logs < 2; logs++) {
    rmSync(join(place.folder, 'log'), { recursive: true, force: true });
    const log = await openLog(place);
    await write(log, rows(20));
    await log.close();
    const said = wiped(await liveOn(place));
    assert.equal(said.length, 2 * logs, 'the reconcile task and the merge');
    if (logs > 0) assert.match(said[0], /it belongs to another changelog of that name|it is at offset \d+, and the changelog ends at 0/);
    assert.deepEqual(await outputsOf(place), expected);
  }
});
