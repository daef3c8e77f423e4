// Bad input of each kind, as a user meets it: nothing is lost and nothing is guessed. A run ends with the exit code and a message that names
// the place; where it goes on, the record is a dead letter and the counts add up to the records read.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { maxNestingDepth, maxRecordBytes } from '../schemas/limits.ts';
import type { DeadLetterRecord, OutputRecord, StatusRecord, SummaryRecord } from '../schemas/records.ts';
import { explainKey, runCheck, runReplay } from '../topology/cli/check-engine.ts';
import { runStub } from './support/stub-cli.ts';
import { tempFolder } from './support/temp-folder.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Change { readonly key?: string | null; readonly value?: string; readonly bytes?: Buffer; readonly row?: Fields; readonly source?: Fields | null; readonly drop?: readonly string[] }

const START_MS = 1_796_073_480_000;

/** A capture line: the record at an offset, a create of row `offset + 1` unless the change says otherwise. */
function line(side: 'src' | 'tgt', offset: number, change: Change = {}): string {
  const id = offset + 1;
  const lsn = (offset + 1) * 8;
  const ms = START_MS + offset * 1000 + (side === 'tgt' ? 100 : 0);
  const source = change.source === undefined ? { connector: 'postgresql', ts_ms: ms, snapshot: 'false', sequence: `[null,"${lsn}"]`, lsn, txId: lsn } : change.source;
  const after = { id, note: `AAA${id}`, ...(side === 'tgt' ? { origin_lsn: lsn } : {}), ...change.row };
  const value = change.value ?? JSON.stringify({ before: null, after, source: source ?? undefined, op: 'c', ts_ms: ms + 7 });
  const record: Fields = {
    topic: side, partition: 0, offset, timestamp: ms + 9, key: change.key === undefined ? `{"id":${id}}` : change.key,
    ...(change.bytes === undefined ? { value } : { valueBase64: change.bytes.toString('base64') }),
  };
  return JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => change.drop?.includes(name) !== true)));
}

/** Six records, the one at offset 2 as it is given; undefined: none there. */
function capture(side: 'src' | 'tgt', bad?: Change | string): string[] {
  return [0, 1, 2, 3, 4, 5].flatMap((offset) => (offset !== 2 ? [line(side, offset)] : bad === undefined ? [] : [typeof bad === 'string' ? bad : line(side, 2, bad)]));
}

const text = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join('');
const BASE = ['check', '--source', 's.jsonl', '--target', 't.jsonl', '--match', 'origin:source.lsn=after.origin_lsn', '--ignore', 'origin_lsn', '--complete'];
const withBytes = (json: string, from: string, to: Buffer): Buffer => {
  const at = json.indexOf(from);
  return Buffer.concat([Buffer.from(json.slice(0, at)), to, Buffer.from(json.slice(at + from.length))]);
};
const valueOf = (change: Change = {}): string => (JSON.parse(line('src', 2, change)) as { value: string }).value;

/** The bad record, more flags, reason and detail of its dead letter. */
const DEAD: readonly (readonly [what: string, bad: Change, argv: readonly string[], reason: string, detail: RegExp])[] = [
  ['a malformed JSON value', { value: '{"before":nul,"after":1}' }, [], 'malformed', /^value byte 10: expected null/],
  ['a truncated JSON value', { value: valueOf().slice(0, 60) }, [], 'malformed', /^value byte 60: expected/],
  ['an empty value', { value: '' }, [], 'malformed', /./],
  ['a value that is no object', { value: '[1]' }, [], 'malformed', /./],
  ['an unknown magic byte', { bytes: Buffer.from([0, 0, 0, 0, 1, 2, 3]) }, [], 'unknown-magic', /./],
  ['no source block', { source: null }, [], 'malformed', /source/],
  ['no commit time', { source: { connector: 'postgresql', snapshot: 'false', sequence: '[null,"24"]', lsn: 24 } }, [], 'malformed', /commit time/],
  ['a null key, and no key columns configured', { key: null }, [], 'no-key', /record key, or `key` in the configuration/],
  ['a key of nulls', { key: '{"id":null}' }, [], 'bad-key', /a key column that is not null/],
  ['a key without the configured column', { key: '{"nr":1}', row: { id: undefined } }, ['--key', 'id'], 'bad-key', /the key column id/],
  ['a malformed key', { key: '{"id":' }, [], 'malformed', /./],
  ['bad base64 in a bytes column', { row: { note: 'AB*=' } }, ['--type', 'note=bytes'], 'malformed', /note/],
  ['bad UTF-8', { bytes: withBytes(valueOf({ row: { note: 'XX' } }), 'XX', Buffer.from([0xc3, 0x28])) }, [], 'malformed', /UTF-8/],
  ['a record above the limit', { row: { note: 'x'.repeat(maxRecordBytes) } }, [], 'oversize', /\d/],
  ['nesting too deep', { value: valueOf({ row: { note: 'XX' } }).replace('"XX"', '['.repeat(maxNestingDepth) + ']'.repeat(maxNestingDepth)) }, [], 'oversize', /nest|deep|level/],
];

for (const [what, bad, argv, reason, detail] of DEAD) {
  void test(`${what}: a dead letter, its window undecidable, exit 3`, async (t) => {
    const cwd = tempFolder(t, { 's.jsonl': text(capture('src', bad)), 't.jsonl': text(capture('tgt')) });
    const { code, out, err } = await run([...BASE, ...argv], cwd);
    assert.equal(code, 3, err);
    const { letters, summary } = expectSum(out, 11);
    assert.deepEqual(letters.map((letter) => [letter.side, letter.topic, letter.partition, letter.offset, letter.reason]), [['source', 'src', 0, '2', reason]]);
    assert.match(letters[0].detail, detail);
    assert.equal(summary.windows.undecidable, '1');
    assert.equal(summary.windows.diverged, '0');
  });
}

/** What looks bad and is not: it is compared as it stands. */
void test('a lone surrogate is a value like any other, equal to itself only', async (t) => {
  const note = (escape: string): string => `\\u${escape}`;
  for (const [target, code, diverged] of [['d800', 0, '0'], ['d801', 1, '1'], ['fffd', 1, '1']] as const) {
    const lines = (side: 'src' | 'tgt', escape: string): string => text(capture(side, { value: (JSON.parse(line(side, 2, { row: { note: 'XX' } })) as { value: string }).value.replace('XX', note(escape)) }));
    const ran = await run(BASE, tempFolder(t, { 's.jsonl': lines('src', 'd800'), 't.jsonl': lines('tgt', target) }));
    assert.equal(ran.code, code, ran.err);
    assert.equal(expectSum(ran.out, 12).summary.windows.diverged, diverged);
  }
});

/** Lines that are not records, at a place of the file. */
const LINES: readonly (readonly [what: string, bad: string, detail: RegExp])[] = [
  ['no JSON', 'not json', /not a capture line: /],
  ['JSON cut off', line('src', 2).slice(0, 100), /not a capture line: /],
  ['no value field', line('src', 2, { drop: ['value'] }), /not a capture line: .*value/],
  ['no offset', line('src', 2, { drop: ['offset'] }), /not a capture line: .*offset/],
  ['a negative offset', line('src', -5), /not a capture line: .*offset/],
  ['a number for a value', line('src', 2).replace(/"value":".*"\}$/, '"value":7}'), /not a capture line: .*value/],
];
const PLACES = { first: 0, middle: 2, last: 5 } as const;

for (const [what, bad, detail] of LINES) {
  for (const [place, index] of Object.entries(PLACES)) {
    void test(`a bad line (${what}), ${place}: exit 2 with file and line; skipped by wish, a dead letter`, async (t) => {
      const lines = capture('src');
      lines.splice(index, 0, bad);
      const cwd = tempFolder(t, { 's.jsonl': text(lines), 't.jsonl': text(capture('tgt')) });
      const stopped = await run(BASE, cwd);
      assert.deepEqual([stopped.code, stopped.out], [2, '']);
      assert.match(stopped.err, new RegExp(`^paritas: .*s\\.jsonl:${index + 1}: ${detail.source}`));
      assert.match(stopped.err, /--skip-bad-lines/);
      const skipped = await run([...BASE, '--skip-bad-lines'], cwd);
      assert.equal(skipped.code, 3, skipped.err);
      const { letters } = expectSum(skipped.out, 11);
      assert.deepEqual(letters.map((letter) => [letter.file?.split('/').pop(), letter.line, letter.reason]), [['s.jsonl', String(index + 1), 'bad-line']]);
    });
  }
}

/** What is wrong with a file, a flag or the configuration: exit code 2 and a message. */
const REFUSED: readonly (readonly [what: string, files: Readonly<Record<string, string | Buffer>>, argv: readonly string[], err: RegExp])[] = [
  ['not gzip', { 's.jsonl.gz': text(capture('src')) }, [...BASE, '--source', 's.jsonl.gz'], /s\.jsonl\.gz: is named \.gz and is not gzip/],
  ['truncated gzip', { 's.jsonl.gz': gzipSync(text(capture('src'))).subarray(0, 120) }, [...BASE, '--source', 's.jsonl.gz'], /s\.jsonl\.gz: the gzip data ends early/],
  ['damaged gzip', { 's.jsonl.gz': damaged(gzipSync(text(capture('src')))) }, [...BASE, '--source', 's.jsonl.gz'], /s\.jsonl\.gz: the gzip data is damaged/],
  ['no such file', {}, [...BASE, '--target', 'gone.jsonl'], /gone\.jsonl: no such file/],
  ['a directory', {}, [...BASE, '--target', '.'], /: is a directory\. Name the capture files in it one by one/],
  ['UTF-16', { 's.jsonl': Buffer.from(`\ufeff${text(capture('src'))}`, 'utf16le') }, BASE, /s\.jsonl: is UTF-16 text/],
  ['the wrong topic', { 's.jsonl': text([...capture('src'), line('tgt', 7)]) }, [...BASE, '--set', 'pairs.check.source.topic=srk'], /s\.jsonl: no line of the topic srk\. The files hold src, tgt/],
  ['an unknown configuration key', { 'paritas.yaml': config('    windw: { size: 1s }\n') }, ['check'], /paritas\.yaml:\d+:\d+: unknown key "windw" in pairs\[0\]; did you mean "window"\?/],
  ['a bad duration in the configuration', { 'paritas.yaml': config('    window: { size: 1 hour }\n') }, ['check'], /paritas\.yaml:\d+:\d+: .*expected a duration.*"1 hour"/],
  ['a bad duration in a flag', {}, [...BASE, '--lag', '5 parsecs'], /--lag: expected a duration, e\.g\. 500ms.*"5 parsecs"/],
  ['an unknown format', {}, [...BASE, '--format', 'debezium-jsno'], /^paritas: --format: expected one of auto, debezium-json, .*, got "debezium-jsno"\n$/],
  ['a format that is not built', {}, [...BASE, '--format', 'maxwell'], /pair check, source: format maxwell is not built yet/],
  ['an unknown flag', {}, [...BASE, '--complet'], /unknown option '--complet'\n\(Did you mean --complete\?\)/],
  ['no match', {}, ['check', '--source', 's.jsonl', '--target', 't.jsonl'], /--match is missing: .*--match origin:source\.lsn=after\.origin_lsn/],
  ['a match field that no record has', {}, ['check', '--source', 's.jsonl', '--target', 't.jsonl', '--match', 'origin:lsn=after.origin_lsn'], /match: no field lsn in this format; try source\.lsn/],
  ['YAML that is none', { 'paritas.yaml': 'pairs: [' }, ['check'], /paritas\.yaml:\d+:\d+: /],
  ['standard input twice', {}, ['check', '--source', '-', '--target', '-', '--match', 'version:note'], /standard input/],
];

for (const [what, files, argv, err] of REFUSED) {
  void test(`${what}: exit 2, and the message names it`, async (t) => {
    const cwd = tempFolder(t, { 's.jsonl': text(capture('src')), 't.jsonl': text(capture('tgt')) });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
    const refused = await run(argv, cwd);
    assert.deepEqual([refused.code, refused.out], [2, ''], refused.err);
    assert.match(refused.err, /^paritas: /);
    assert.match(refused.err, err);
  });
}

/** Input that is no error and proves nothing: exit 3, and a status says which partition holds the windows. */
const INCONCLUSIVE: readonly (readonly [what: string, files: Readonly<Record<string, string>>, argv: readonly string[], read: number, held: RegExp])[] = [
  ['an empty file', { 't.jsonl': '' }, BASE.slice(0, -1), 5, /^target t 0 no record with a commit time/],
  ['only blank lines', { 't.jsonl': '\n\n' }, BASE.slice(0, -1), 5, /^target t 0 no record with a commit time/],
  ['two partitions declared, one there', {}, [...BASE.slice(0, -1), '--partitions', '2'], 10, /^source src 1 no record with a commit time/],
  ['nothing but bad records', { 't.jsonl': text([line('tgt', 0, { value: '{' })]) }, BASE.slice(0, -1), 6, /^target tgt 0 no record with a commit time/],
];

for (const [what, files, argv, read, held] of INCONCLUSIVE) {
  void test(`${what}: no window closes, exit 3`, async (t) => {
    const cwd = tempFolder(t, { 's.jsonl': text(capture('src')), 't.jsonl': text(capture('tgt')), ...files });
    const { code, out, err } = await run(argv, cwd);
    assert.equal(code, 3, err);
    const { records, summary } = expectSum(out, read);
    assert.equal(records.filter((record) => record.record === 'verdict').length, 0);
    assert.notEqual(summary.windows.open, '0');
    const stalled = records.filter((record): record is StatusRecord => record.record === 'status' && record.stalled);
    assert.ok(stalled.some((status) => held.test(`${status.side} ${status.topic} ${status.partition} ${status.reason}`)), JSON.stringify(stalled));
  });
}

function run(argv: readonly string[], cwd: string): ReturnType<typeof runStub> {
  return runStub(argv, { cwd, engine: { runCheck, runReplay, explainKey } });
}

/** Every record read is accounted for: `read` is the sum of the counts. */
function expectSum(out: string, read: number): { records: OutputRecord[]; letters: DeadLetterRecord[]; summary: SummaryRecord } {
  const records = out.trimEnd().split('\n').map((one) => JSON.parse(one) as OutputRecord);
  const summary = records.at(-1) as SummaryRecord;
  const { sourceEvents, targetEvents, redelivered, late, deadLettered, excluded, pending } = summary.counts;
  assert.equal([sourceEvents, targetEvents, redelivered, late, deadLettered, excluded, pending].reduce((sum, count) => sum + Number(count), 0), read, JSON.stringify(summary.counts));
  const letters = records.filter((record): record is DeadLetterRecord => record.record === 'dead-letter');
  assert.equal(letters.length, Number(late) + Number(deadLettered));
  return { records, letters, summary };
}

function damaged(bytes: Buffer): Buffer {
  bytes.fill(0xff, 40, 60);
  return bytes;
}

function config(more: string): string {
  return `application: shop\npairs:\n  - name: orders\n    source: { file: s.jsonl }\n    target: { file: t.jsonl }\n    match: { by: version, columns: [note] }\n${more}`;
}
