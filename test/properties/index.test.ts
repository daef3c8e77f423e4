// Where each of the twenty properties of a verdict is shown. A test names its number; this page says what it states and holds the list
// against the tests, so that none is lost by a rename.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const TEST = join(import.meta.dirname, '..');

/** Number, what holds, files whose tests begin with `property <number>:`. */
const PROPERTIES: readonly (readonly [number: number, says: string, files: readonly string[]])[] = [
  [1, 'any permutation within lateness: equal cores', ['properties/order.test.ts']],
  [2, 'equality with an independent naive batch oracle, every window', ['properties/oracle.test.ts', 'oracle/cases.test.ts']],
  [3, 'redelivery changes nothing', ['properties/order.test.ts']],
  [4, 'a crash and a restore at any point change nothing', ['properties/restore.test.ts', 'properties/service.test.ts']],
  [5, 'a clean run has parity in every window', ['properties/verdicts.test.ts']],
  [6, 'one injected fault gives exactly that class, once', ['properties/faults.test.ts']],
  [7, 'the number of partitions and shards does not change the merged core', ['properties/order.test.ts', 'properties/shards.test.ts']],
  [8, 'no evidence on one partition: no window passes it, and a status record names it', ['properties/watermarks.test.ts']],
  [9, 'a late record goes to the dead letters and changes no core', ['properties/verdicts.test.ts', 'properties/replay.test.ts']],
  [10, 'with timestamp inversions and legal collapse the oracle still agrees', ['properties/oracle.test.ts']],
  [11, 'replay from decisions gives byte-equal verdicts', ['properties/replay.test.ts']],
  [12, 'a clock that returns garbage changes decisions only', ['properties/replay.test.ts']],
  [13, 'watermarks and frontiers never regress', ['properties/watermarks.test.ts']],
  [14, 'what is held stays within its bound with a partition stalled for ten horizons', ['properties/bounds.test.ts']],
  [15, 'digests differ exactly when the manifest is not empty', ['properties/verdicts.test.ts']],
  [16, 'shard verdicts merge in any order and grouping', ['properties/merge.test.ts']],
  [17, 'swapped sides, one drop more, all times shifted', ['properties/verdicts.test.ts']],
  [18, 'canonical form: equal database values are equal across engines, distinct ones distinct', ['schemas/canonical/values.test.ts']],
  [19, 'two instances on one shard leave one chain', ['properties/tasks.test.ts']],
  [20, 'embedded log and Kafka give the same records', ['service/kafka-run.test.ts', 'service/kafka-captures.test.ts']],
];

for (const [number, says, files] of PROPERTIES) {
  test(`property ${number} is shown: ${says}`, () => {
    for (const file of files) {
      assert.ok(existsSync(join(TEST, file)), `${file} is gone`);
      assert.match(readFileSync(join(TEST, file), 'utf8'), new RegExp(`(?:test\\(|title = )[\`']property ${number}: `), `${file} has no test of property ${number}`);
    }
  });
}

test('the list is whole', () => {
  assert.deepEqual(PROPERTIES.map(([number]) => number), Array.from({ length: 20 }, (_, i) => i + 1));
});
