// Where each of the twenty-five traps of exactly-once stream processing is laid. A test names its number; this page says what has to come of it, and
// holds the list against the tests, so that none is lost by a rename. Where Kafka makes a difference it is laid there too, before a real broker.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const TEST = join(import.meta.dirname, '..');
const KAFKA = ['traps/kafka.test.ts'];
const CONTRACT = ['contracts/kafka-log-contract.ts'];

/** Number; what comes of it; files whose tests begin with `trap <number>:`; those before a real broker, or why it makes no difference there. */
const TRAPS: readonly (readonly [number: number, says: string, files: readonly string[], onKafka: readonly string[] | string])[] = [
  [1, 'aborted records are not restored', [], [...KAFKA, ...CONTRACT]],
  [2, 'a restoration ends where a changelog ends in a marker', [], KAFKA],
  [3, 'a transaction of the predecessor that is under way is restored whole, or not at all', [], KAFKA],
  [4, 'a crash behind the append, before the local batch: exactly that commit is applied', ['traps/04-crash-before-the-local-batch.test.ts'], KAFKA],
  [5, 'an append whose outcome is not known is resolved, never guessed', ['traps/05-unknown-outcome.test.ts'], CONTRACT],
  [6, 'fenced while it closes, a store is not marked dirty', ['traps/06-fenced-while-closing.test.ts'], 'a store is closed alike, whoever fenced; that Kafka fences is trap 9'],
  [7, 'a commit is that of one task', ['traps/07-commit-of-one-task.test.ts'], 'each task has a transactional id and a producer of its own'],
  [8, 'who stood still for longer than his session puts nothing out any more', [], [...KAFKA, 'service/kafka-group.test.ts']],
  [9, 'who opens a transactional id anew has it at once', [], [...KAFKA, ...CONTRACT]],
  [10, 'a stall in front of a commit, beyond what a transaction may take', ['traps/10-stall-before-a-commit.test.ts'], KAFKA],
  [11, 'appends at once: every partition written, every position committed', [], KAFKA],
  [12, 'slow to let go: bounded, and the next owner never starts from nothing', ['traps/12-slow-to-let-go.test.ts'], 'the lock is that of a directory, whatever the log'],
  [13, 'tasks are shared anew while one is restored', [], KAFKA],
  [14, 'standby, active, standby, active: nothing stale is read', ['traps/14-standby-and-back.test.ts'], ['service/kafka-group.test.ts']],
  [15, 'a corrupt task among healthy ones', ['traps/15-corrupt-among-healthy.test.ts'], 'the damage is on the disk; it is restored as in traps 1 to 3'],
  [16, 'one side is behind: nothing is judged before it, and an old "at the end" is not believed', ['traps/16-one-side-behind.test.ts'], CONTRACT],
  [17, 'a target hours behind: nothing is missing', ['traps/17-lagging-target.test.ts'], 'event time decides, whatever the log'],
  [18, 'a restart near the end of a window', ['traps/18-restart-near-a-window-end.test.ts'], 'the state says what is closed, whatever the log'],
  [19, 'an idle stream closes its last windows', ['traps/19-idle-stream.test.ts'], 'what is idle is said by trap 16'],
  [20, 'a time far ahead moves no clock', ['traps/20-future-time.test.ts'], 'it is in the record, whatever the log'],
  [21, 'nothing is missing before its window closes', ['traps/21-outer-join.test.ts'], 'the join knows no log'],
  [22, 'history of long ago: nothing that is needed is taken by retention', ['traps/22-old-history.test.ts'], CONTRACT],
  [23, 'equal counts, other partitions: refused, and so are partitions that are added', ['traps/23-co-partitioning.test.ts'], KAFKA],
  [24, 'a poison record, and one that was half applied', ['traps/24-poison-record.test.ts'], 'dead letters are in the append of the commit, which is one transaction (trap 11)'],
  [25, 'cut, emptied, made anew, forgotten: an explicit decision', ['traps/25-truncated-or-made-anew.test.ts'], [...KAFKA, ...CONTRACT]],
];

for (const [number, says, files, onKafka] of TRAPS) {
  test(`trap ${number} is laid: ${says}`, () => {
    const all = [...files, ...(typeof onKafka === 'string' ? [] : onKafka)];
    assert.ok(all.length > 0);
    for (const file of all) {
      assert.ok(existsSync(join(TEST, file)), `${file} is gone`);
      assert.match(readFileSync(join(TEST, file), 'utf8'), new RegExp(`(?:test\\(|title = )[\`']trap ${number}: `), `${file} has no test of trap ${number}`);
    }
  });
}

test('the list is whole', () => {
  assert.deepEqual(TRAPS.map(([number]) => number), Array.from({ length: 25 }, (_, i) => i + 1));
});
