// A row that was remembered is found again by its bytes, wherever it stands, and no other is taken for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSink, writeAscii } from '../../../schemas/canonical/sink.ts';
import { PRINT } from '../../../schemas/change-event.ts';
import { literalsOf } from '../../../schemas/formats/literals.ts';
import { createRowMemo, findRow, hashKey, recallPrint, recallRow, rememberRow } from '../../../schemas/formats/row-memo.ts';
import { decoderOf } from './records.ts';

const { event } = decoderOf().decoder;
const BEHIND = literalsOf(['{"before":', ',"after":', '}'].map((text) => Buffer.from(text)));
function takeKey(memo: ReturnType<typeof createRowMemo>, key: string): void {
  const sink = createSink(64);
  writeAscii(sink, key);
  hashKey(memo, sink, key.length);
}
const SEED = 7;
const rowOf = (length: number): string => `{"a":"${'{},:x'.repeat(9).slice(0, length)}"}`;

/** A memo that knows the row, as it stood at the end of its buffer. */
function memoOf(row: string): ReturnType<typeof createRowMemo> {
  const memo = createRowMemo();
  takeKey(memo, 'one');
  event.prints.set([11, 12, 13], PRINT.after);
  rememberRow(memo, event, Buffer.from(`--${row}`), 2, 2 + row.length, SEED);
  return memo;
}

function found(memo: ReturnType<typeof createRowMemo>, row: string, behind: string = ',"after":{}}', seed: number = SEED): number {
  const b = Buffer.from(`...${row}${behind}`);
  return findRow(memo, b, 3, b.length, seed, BEHIND, 1) - 3;
}

test('a row of any length is found, by its bytes and by its span', () => {
  for (let length = 0; length < 45; length++) {
    const row = rowOf(length);
    const memo = memoOf(row);
    assert.equal(found(memo, row), row.length, row);
    assert.ok(recallRow(memo, Buffer.from(row), 0, row.length, SEED), row);
  }
});

test('another row is not found: one byte, the schema, what follows', () => {
  const row = rowOf(20);
  const memo = memoOf(row);
  for (let at = 0; at < row.length - 1; at++) {
    for (const bit of [1, 16, 128]) {
      const b = Buffer.from(`${row},"after":{}}`);
      b[at] ^= bit;
      assert.equal(findRow(memo, b, 0, b.length, SEED, BEHIND, 1), 0, `byte ${at}`);
    }
  }
  assert.equal(found(memo, row, ',"after":{}}', SEED + 1), -3);
  for (const behind of ['', ',', ',"after"', ',"other":{}}', ' ,"after":{}}', '}']) assert.equal(found(memo, row, behind), -3, behind);
  assert.equal(recallRow(memo, Buffer.from(row), 0, row.length - 1, SEED), false);
});

test('a row with a column of the name that follows, behind an object, is not found: then it is read', () => {
  const row = '{"a":{"b":1},"after":2}';
  assert.equal(found(memoOf(row), row), -3);
});

test('the print is told of the row of the same key only', () => {
  const row = rowOf(12);
  const memo = memoOf(row);
  assert.ok(recallRow(memo, Buffer.from(row), 0, row.length, SEED));
  event.prints.fill(0);
  takeKey(memo, 'two');
  recallPrint(memo, event);
  assert.deepEqual([...event.prints], [0, 0, 0, 0, 0, 0]);
  takeKey(memo, 'one');
  recallPrint(memo, event);
  assert.deepEqual([...event.prints.slice(PRINT.before, PRINT.before + 3)], [11, 12, 13]);
});
