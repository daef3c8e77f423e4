// Sixteen bytes at a time against byte by byte: the same bytes, the same ends, the same errors, and not a byte beyond.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newScan } from '../../schemas/capture-json.ts';
import { readLongString, readString } from '../../schemas/capture-text.ts';
import { scratch, scratchFor } from '../../schemas/capture-unescape.ts';

const scan = newScan();

/** Reads the string at `at` of data that begins with filler; what was found, and what became of all the bytes. */
function read(by: typeof readString, data: Buffer, at: number, length: number): readonly unknown[] {
  const end = by(scan, data, at);
  const found = end < 0 ? [scan.error, scan.at - at] : [end - at, data.toString('latin1', scan.textStart, scan.textEnd)];
  return [...found, data.toString('latin1', 0, at + 1), data.toString('latin1', end < 0 ? length : end, length)];
}

/** The string (quotes and all that follows included) at every of the given places. */
function compare(text: string | Buffer, at: number): void {
  const bytes = Buffer.concat([Buffer.alloc(at, 'x'), Buffer.from(text), Buffer.from('\n{"next":"line \\" of the block"}\n')]);
  bytes.copy(scratch);
  const expected = read(readString, bytes, at, bytes.length);
  assert.deepEqual(read(readLongString, scratch, at, bytes.length), expected, JSON.stringify(text));
}

const CASES: readonly string[] = [
  '""', '"a"', '"\\""', '"\\\\"', '"\\\\\\""', '"\\/"', '"fifteen bytes..\\""', '"fourteen byte.\\""', '"thirteen byt.\\\\\\""', `"${'\\\\'.repeat(40)}"`, `"${'\\"'.repeat(40)}"`,
  `"${'\\'.repeat(15)}"`, `"x${'\\'.repeat(31)}"`, `"xx${'\\'.repeat(33)}""`, '"not ended', '"not ended in seventeen', '"ends in a backslash\\', '"0123456789abcd\\', '"0123456789abcd\\n more"', '"0123456789abcd\\u00e9 more"',
  '"0123456789abc\\\\u00e9"', '"0123456789abcde\\x"', '"0123456789abcd\\x"', '"\\u12g4"', '"\\ud83d\\ude00 and \\ud83d alone"', '"tab\tinside of it"', '"0123456789abcd\\\t"', '"é, ü and 漢字 as they are, sixteen and more"',
];
test('escapes at and across the ends of sixteen bytes', () => {
  for (const text of CASES) for (let at = 0; at < 40; at++) compare(text, at);
});

test('property: any pieces, at any place', () => {
  const common = fc.constantFrom('\\"', '\\\\', '\\/', 'a', 'word', ':', ',', '"id\\":', 'abcdefghijklmnop', 'é', '漢');
  const rare = fc.constantFrom('\\n', '\\u00e9', '\\ud83d\\ude00', '\\', '"', '\n', '\t', '\\x', '\u0001', '\\u12');
  const pieces = fc.array(fc.oneof({ weight: 30, arbitrary: common }, { weight: 1, arbitrary: rare }), { maxLength: 60 });
  fc.assert(fc.property(pieces, fc.nat(40), (parts, at) => compare(`"${parts.join('')}"`, at)), { numRuns: 3000 });
});

test('property: any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(20), (bytes, at) => compare(Buffer.concat([Buffer.from('"'), bytes]), at)), { numRuns: 2000 });
});

test('up to the last byte of the scratch', () => {
  const text = Buffer.from(`"${'\\"x'.repeat(100)}"\n`);
  const at = scratch.length - text.length;
  text.copy(scratch, at);
  assert.equal(readLongString(scan, scratch, at), scratch.length - 1);
  assert.equal(scratch.toString('latin1', scan.textStart, scan.textEnd), '"x'.repeat(100));
  assert.equal(scratchFor(scratch.length), scratch);
  assert.equal(scratchFor(scratch.length + 1), undefined);
});
