// What users are told when a configuration is wrong: the exact words, with the exact place.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseConfig } from '../../topology/config-source.ts';
import { loadConfig } from '../../topology/config.ts';
import { ParitasError } from '../../schemas/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BEFORE = `application: shop
pairs:
  - name: orders
    source: { file: s.jsonl }
    target: { file: t.jsonl }
`;
const ALIGNED = `${BEFORE}    match: { by: alignment }\n`;

const TABLE: readonly (readonly [text: string, ...lines: string[]])[] = [
  ['', '1:1: the file is empty; "paritas init" writes one to start from'],
  ['a: [1', '1:6: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ['[]', '1:1: the file: expected settings: application, pairs and so on (see paritas config --schema), got a list'],
  ['application: shop\n', '1:1: pairs is missing: a list of pairs'],
  ['application: shop\npairs: []\n', '2:8: pairs has no pair: list at least one'],
  ['application: shop\napplication: shop\npairs: []\n', '2:1: Map keys must be unique'],
  [`aplication: x\n${ALIGNED}`, '1:1: unknown key "aplication"; did you mean "application"?'],
  [`${ALIGNED}    windw: { size: 1s }\n`, '7:5: unknown key "windw" in pairs[0]; did you mean "window"?'],
  [`${ALIGNED}    window: { size: 1s, latness: 5s }\n`, '7:25: unknown key "latness" in pairs[0].window; did you mean "lateness"?'],
  [`${ALIGNED}    window: { size: 1 second }\n`, '7:21: pairs[0].window.size: expected a duration, e.g. 500ms, 5s, 2m, 1h, got "1 second"'],
  [`${ALIGNED}commit: { interval: 61s }\n`, '7:21: commit.interval: expected a duration up to 1m: so much is read again after a crash, and so old are verdicts when they come, got "61s"'],
  [`${ALIGNED}    window: { size: 5 }\n`, '7:21: pairs[0].window.size: expected a duration, e.g. 500ms, 5s, 2m, 1h, got 5'],
  [`${ALIGNED}    window: { size: 0s }\n`, '7:21: pairs[0].window.size: a window cannot be empty; write e.g. 1s'],
  [`${ALIGNED}    window: 5s\n`, '7:13: pairs[0].window: expected windows, e.g. { size: 1s, lateness: 5s, lag: 30s, skew: 1s }, got "5s"'],
  [`${ALIGNED}    policy: exactly\n`, '7:13: pairs[0].policy: expected one of exact, collapse, replay, got "exactly"'],
  [`${ALIGNED}    key: 5\n`, '7:10: pairs[0].key: expected a column name or a list of them, e.g. [id], got 5'],
  [`${ALIGNED}    key: [id, id]\n`, '7:10: pairs[0].key: "id" is listed twice'],
  [`${ALIGNED}    columns: { types: { a: decimel } }\n`, '7:28: pairs[0].columns.types.a: "decimel" is no column type; did you mean "decimal"?'],
  [`${ALIGNED}    columns: { types: { a: decimal(5) } }\n`, '7:28: pairs[0].columns.types.a: "decimal(5)" is no column type; write e.g. decimal(12,2)'],
  [`${ALIGNED}    columns: { types: { a: { source: text } } }\n`, '7:28: pairs[0].columns.types.a.target is missing: a column type, e.g. datetime-text'],
  [`${ALIGNED}    columns: { types: { a: { source: text, target: text, zoen: UTC } } }\n`, '7:58: unknown key "zoen" in pairs[0].columns.types.a; did you mean "zone"?'],
  [`${ALIGNED}    columns: { types: { a: { source: text, target: text, zone: Mars } } }\n`, '7:64: pairs[0].columns.types.a.zone: "Mars" is no time zone; write e.g. UTC, Europe/Berlin or +08:00'],
  [`${ALIGNED}    columns: { types: { a: { source: text, target: text, zone: UTC, sourceZone: UTC } } }\n`,
    '7:64: pairs[0].columns.types.a: either zone or sourceZone and targetZone, not both'],
  [`${ALIGNED}    key: [id]\n    columns: { ignore: [id] }\n`, '8:24: pairs[0].columns.ignore: "id" is a key column and cannot be ignored'],
  [`${ALIGNED}    columns: { rename: { x: a, y: a } }\n`, '7:35: pairs[0].columns.rename.y: "a" is already renamed to "x"'],
  [`${BEFORE}    match: { by: origin, source: source.lsn }\n`,
    '6:12: pairs[0].match: match by origin needs "target", e.g. { by: origin, source: source.lsn, target: after.origin_lsn }'],
  [`${BEFORE}    match: { by: version }\n`, '6:12: pairs[0].match: match by version needs "columns", e.g. { by: version, columns: [updated_at] }'],
  [`${BEFORE}    match: { by: alignment, columns: [a] }\n`, '6:29: pairs[0].match: match by alignment takes no "columns"; write { by: alignment }'],
  [`${BEFORE}    match: { by: orign }\n`, '6:18: pairs[0].match.by: expected one of origin, version, alignment, got "orign"'],
  [`${BEFORE}    match: { by: origin, source: ['@partition', '@offset'], target: after.off }\n`,
    '6:12: pairs[0].match: source has 2 fields and target 1; a composite origin needs as many on each side'],
  [`${BEFORE}    match: { by: origin, source: sorce.lsn, target: after.lsn }\n`,
    '6:34: pairs[0].match.source: "sorce.lsn" is no field path; did you mean "source.lsn"?'],
  [`${BEFORE}    match: { by: origin, source: '@ofset', target: after.lsn }\n`,
    '6:34: pairs[0].match.source: "@ofset" is no log coordinate; known are @partition @offset @timestamp @headers.NAME'],
  [ALIGNED.replace('file: t.jsonl', 'topic: t'), '5:13: pairs[0].target: has no file, the other side has one; give both sides a file, or both a topic of the log'],
  [ALIGNED.replace('file: s.jsonl', '').replace('file: t.jsonl', ''), '4:13: pairs[0].source: needs a topic or a file', '5:13: pairs[0].target: needs a topic or a file'],
  [ALIGNED.replaceAll(/[st].jsonl/g, "'-'"), '5:13: pairs[0].target.file: standard input (-) can be read once only'],
  [ALIGNED.replace('s.jsonl', 's.jsonl, partitions: 0'), '4:42: pairs[0].source.partitions: expected a number of partitions, e.g. 3, got 0'],
  [ALIGNED.replace('s.jsonl', 's.jsonl, format: debezium'), `4:38: pairs[0].source.format: expected one of auto, debezium-json, debezium-avro, debezium-protobuf, debezium-flat, maxwell, canal-json, tidb-open, dms-json, cockroach, mongo, got "debezium"`],
  [ALIGNED.replace('s.jsonl', 's.jsonl, valueSchema: no.json'), '4:43: pairs[0].source.valueSchema: cannot read no.json (a path relative to the folder of the configuration)'],
  [ALIGNED.replace('s.jsonl', 's.jsonl, valueSchema: { type: strukt }'), '4:43: pairs[0].source.valueSchema: "type" is "strukt"; expected one of struct, int8, int16, int32, int64, float, float32, double, float64, boolean, string, bytes, array, map'],
  [`${ALIGNED}${ALIGNED.split('pairs:\n')[1]}`, '7:11: pairs[1].name: "orders" is the name of pairs[0] too; a pair needs a name of its own'],
  [ALIGNED.replace('name: orders', 'name: a/b'), '3:11: pairs[0].name: "a/b" may hold letters, digits, ".", "_" and "-" only; it is part of topic names'],
  [`${ALIGNED}log: { embedded: {}, kafka: { bootstrapServers: x } }\n`, '7:22: log: either embedded or kafka, not both'],
  [`${ALIGNED}schemaRegistry: {}\n`, '7:17: schemaRegistry: needs either a url or a directory'],
  [`${ALIGNED}status: { listen: 8088 }\n`, '7:19: status.listen: expected an address, e.g. 127.0.0.1:8088, got 8088'],
  [`${ALIGNED}status: { listen: localhost:99999 }\n`, '7:19: status.listen: expected HOST:PORT, e.g. 127.0.0.1:8088, got "localhost:99999"'],
  [`${ALIGNED}state: { directory: '\${NO_SUCH}' }\n`, '7:21: the environment has no NO_SUCH (and no NO_SUCH_FILE)'],
  [`${ALIGNED}state: { directory: \${DIR} }\n`,
    "7:22: Unexpected flow-map-start at node end; inside { } a value with ${NAME} needs quotes: '${NAME}'"],
  // Every problem, in the order of the file.
  [`${ALIGNED}    polcy: exact\n    window: { lag: x }\nstatte: {}\n`,
    '7:5: unknown key "polcy" in pairs[0]; did you mean "policy"?',
    '8:20: pairs[0].window.lag: expected a duration, e.g. 500ms, 5s, 2m, 1h, got "x"',
    '9:1: unknown key "statte"; did you mean "state"?'],
];

for (const [text, ...lines] of TABLE) {
  void test(lines[0], (t) => {
    const file = `${tempFolder(t, { 'paritas.yaml': text })}/paritas.yaml`;
    assert.throws(() => loadConfig(file), (error: unknown) => {
      assert.ok(error instanceof ParitasError, String(error));
      assert.equal(error.exitCode, 2);
      assert.deepEqual(error.message.split('\n').map((line) => line.replace(`${file}:`, '')), lines);
      return true;
    });
  });
}

void test('aliases that stand for billions of values are refused', () => {
  const levels = Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${Array(10).fill(i === 0 ? 'x' : `*a${i - 1}`).join(', ')}]`);
  assert.throws(() => parseConfig(levels.join('\n'), 'bomb.yaml', '/', {}), /bomb\.yaml: more than 100000 values/);
});
