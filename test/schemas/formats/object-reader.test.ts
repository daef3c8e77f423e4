// A row that is skipped by its expected names ends where scanning it ends, or fails at the same place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Malformed, scanValue } from '../../../schemas/formats/json-scan.ts';
import { createObjectReader, readObject, skipObject } from '../../../schemas/formats/object-reader.ts';
import { numberOf } from '../../../schemas/formats/words.ts';

const expected = (): ReturnType<typeof createObjectReader<string, null>> => {
  const reader = createObjectReader<string, null>((name) => name, () => null);
  const row = Buffer.from('{"id":1,"name":"Ann","note":null}');
  readObject(reader, row, 0, row.length);
  return reader;
};

function outcome(read: () => number): string {
  try {
    return String(read());
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return `${error.reason} at ${error.at}: ${error.expected}`;
  }
}

const ROWS = [
  '{"id":7,"name":"Bob","note":"x"}', '{"id":7,"name":"Bob","note":{"a":[1]}}', '{}', '{"id":7}', '{"id":7,"name":"Bob"}', '{"name":"Bob","id":7,"note":null}',
  '{ "id": 7, "name": "Bob", "note": null }', '{"id":7,"name":"Bob","note":null,"more":1}', '{"id":7,"name":"Bob","note":null,}', '{"id":7 ,"name":"B\\u0041","note":null }',
  '{"id":7,"name":"B', '{"id":07,"name":"Bob","note":null}', '{"id":7,"name":Bob,"note":null}', '{"id":7;"name":"Bob","note":null}', '{"id":7,"name":"Bob","note":null', '{"id":7,"name":"Bob","note":', '{"id"',
];

test('a skipped row ends, or is malformed, as a scanned one', () => {
  const { shape } = expected();
  for (const row of ROWS) {
    const bytes = Buffer.from(`${row},"op":"u"}`);
    for (const end of [bytes.length, row.length]) {
      assert.equal(outcome(() => skipObject(shape.members, bytes, 0, end)), outcome(() => scanValue(bytes, 0, end, 1)), row);
    }
  }
});

test('a word of four digits is its number', () => {
  for (let n = 0; n < 10_000; n++) assert.equal(numberOf(Buffer.from(String(n).padStart(4, '0')).readInt32LE(0)), n);
});
