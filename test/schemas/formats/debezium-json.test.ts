// What a Debezium record says: its kind, time, position, key, origin, and what becomes of a record that cannot be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecoder } from '../../../schemas/formats/registry.ts';
import { createPairContext } from '../../../schemas/pair-context.ts';
import { printKey } from '../../../schemas/canonical/print.ts';
import type { Side } from '../../../schemas/change-event.ts';
import { connectRow, decoderOf, rawRecord, say, settingsOf, typed } from './records.ts';
import type { Row, Said, Wish } from './records.ts';

const PG = '"connector":"postgresql","ts_ms":1700000000123,"ts_us":1700000000123456,"ts_ns":1700000000123456789,"snapshot":"false"';

function decode(row: Row, wish: Wish = {}, side: Side = 'source'): Said {
  const { decoder } = decoderOf(wish, side);
  decoder.decode(rawRecord(row));
  return say(decoder.event);
}

function change(op: string, after: string, source: string = `${PG},"lsn":24023128`, rest: string = ''): string {
  return `{"before":${op === 'd' ? after : 'null'},"after":${op === 'd' ? 'null' : after},"source":{${source}},"op":"${op}","ts_ms":1${rest}}`;
}

const prints = (said: Said): Record<string, string | null> =>
  Object.fromEntries(Object.entries(said.columns ?? {}).map(([name, { print }]) => [name, print]));

test('a change', () => {
  const said = decode({ key: '{"id":7}', value: change('u', '{"id":7,"name":"x"}', `${PG},"sequence":"[\\"24023088\\",\\"24023128\\"]","lsn":24023128`, ',"transaction":{"id":"555:24023128","total_order":"3"}') });
  assert.deepEqual({ ...said, columns: prints(said) }, {
    kind: 'change', op: 1, timeUs: 1700000000123456, position: '0:24023088:24023128', key: { id: '7' }, origin: '24023128',
    transaction: '555:24023128', columns: { id: '7', name: 'x' }, unavailable: [], dead: '',
  });
});

const POSITIONS: readonly (readonly [string, string, string | undefined])[] = [
  ['PostgreSQL', '"sequence":"[\\"62998408\\",\\"63618800\\"]","lsn":63618800', '0:62998408:63618800'],
  ['PostgreSQL after a start', '"sequence":"[null,\\"63618800\\"]","lsn":63618800', '0:0:63618800'],
  ['PostgreSQL above 2^63', '"sequence":null,"lsn":-1', '0:0:18446744073709551615'],
  ['PostgreSQL, incremental read', '"sequence":"[\\"1\\",\\"2\\"]","lsn":null', undefined],
  ['MySQL', '"gtid":null,"file":"mysql-bin.000042","pos":1500,"row":2', '0:42:1500:2'],
  ['MySQL, seven digits', '"file":"mysql-bin.1000000","pos":4,"row":0', '0:1000000:4'],
  ['PostgreSQL, no number', '"lsn":"12x"', undefined],
  ['SQL Server', '"commit_lsn":"00000025:00000440:0003","change_lsn":"00000025:00000440:0002","event_serial_no":2', '0:158913791040:844424932556800:306244783251128320:2'],
  ['Oracle', '"scn":"500","commit_scn":"502","ssn":1', '0:502:500:1'],
  ['Oracle, snapshot', '"scn":"400","commit_scn":null,"ssn":0', '0:400:400'],
  ['Oracle, incremental', '"scn":null,"commit_scn":null', undefined],
  ['MongoDB', '"ord":3', '0:1700000000123:3'],
  ['unknown', '"x":1', undefined],
];
for (const [name, source, position] of POSITIONS) {
  test(`position: ${name}`, () => {
    assert.equal(decode({ key: '{"id":1}', value: change('c', '{"id":1}', `${PG},${source}`) }).position, position);
  });
}

test('positions sort as their logs do', () => {
  const at = (source: string): string => {
    const { decoder } = decoderOf({ source: { epoch: 1 } });
    decoder.decode(rawRecord({ key: '{"id":1}', value: change('c', '{"id":1}', `${PG},${source}`) }));
    return decoder.event.position.toString('hex');
  };
  assert.ok(at('"file":"b.999999","pos":900,"row":0') < at('"file":"b.1000000","pos":4,"row":0'));
  assert.ok(at('"sequence":"[\\"8\\",\\"9\\"]","lsn":20') < at('"sequence":"[\\"10\\",\\"3\\"]","lsn":3'));
  assert.ok(at('"lsn":9007199254740993') > at('"lsn":9007199254740992'));
  assert.ok(at('"commit_lsn":"0000002a:00000440:0003","change_lsn":null') > at('"commit_lsn":"00000029:ffffffff:0003","change_lsn":null'));
});

test('a side ordered by time', () => {
  assert.equal(decode({ key: '{"id":1}', value: change('c', '{"id":1}', `${PG},"x":1`) }, { source: { order: 'timestamp' } }).position, '0:1700000000123456');
});

test('commit time is the finest of the source block, cut towards the past', () => {
  const time = (source: string): number => decode({ key: '{"id":1}', value: change('c', '{"id":1}', source) }).timeUs;
  assert.equal(time('"ts_ms":1700000000123'), 1700000000123000);
  assert.equal(time('"ts_us":5,"ts_ns":null,"ts_ms":1'), 5);
  assert.equal(time('"ts_ns":-1'), -1);
  assert.equal(time('"ts_ns":999'), 0);
  assert.ok(Number.isNaN(time('"ts_ns":null')));
});

const KINDS: readonly (readonly [string, Row, string, boolean])[] = [
  ['heartbeat', { key: '{"serverName":"src"}', value: '{"ts_ms":1796073968356}' }, 'heartbeat', false],
  ['transaction end', { key: '{"id":"5:6"}', value: '{"status":"END","id":"5:6","event_count":2,"data_collections":[],"ts_ms":1796073968356}' }, 'transaction', true],
  ['transactional message', { key: '{"prefix":"p"}', value: `{"op":"m","source":{${PG},"txId":5,"lsn":1},"message":{"prefix":"p","content":"AA=="}}` }, 'message', true],
  ['other message', { key: '{"prefix":"p"}', value: `{"op":"m","source":{${PG},"txId":null,"lsn":1},"transaction":null,"message":{}}` }, 'message', false],
  ['notification', { key: '{"id":"a"}', value: '{"id":"a","type":"STARTED","aggregate_type":"Incremental Snapshot","timestamp":1}' }, 'other', false],
  ['schema change', { key: '{"databaseName":"shop"}', value: `{"source":{${PG}},"ts_ms":1,"databaseName":"shop","ddl":"create table t","tableChanges":[]}` }, 'other', false],
  ['tombstone', { key: '{"id":1}', value: null }, 'tombstone', false],
  ['null payload', { key: '{"id":1}', value: '{"schema":null,"payload":null}' }, 'tombstone', false],
  ['truncate', { key: null, value: `{"before":null,"after":null,"source":{${PG},"lsn":1},"op":"t"}` }, 'change', true],
];
for (const [name, row, kind, timed] of KINDS) {
  test(`kind: ${name}`, () => {
    const said = decode(row);
    assert.equal(said.dead, '');
    assert.equal(said.kind, kind);
    assert.equal(!Number.isNaN(said.timeUs), timed);
    if (name === 'truncate') assert.equal(said.key, undefined);
  });
}

const DEAD: readonly (readonly [string, Row, Wish, string])[] = [
  ['no key', { key: null, value: change('c', '{"id":1}') }, {}, 'no-key: expected a record key, or `key` in the configuration'],
  ['all of the key null', { key: '{"k":null}', value: change('d', '{"k":null,"v":null}') }, { key: ['k'] }, 'bad-key: expected a key column that is not null'],
  ['key column missing', { key: '{"x":1}', value: change('c', '{"y":1}') }, { key: ['k'] }, 'bad-key: expected the key column k'],
  ['framed value', { key: '{"id":1}', value: '\u0000\u0000\u0000\u0000\u0005' }, {}, 'unknown-magic: value byte 0: expected JSON, not a framed value'],
  ['framed key', { key: '\u0000\u0000\u0000\u0000\u0005', value: change('c', '{"id":1}') }, {}, 'unknown-magic: key byte 0: expected JSON, not a framed key'],
  ['cut', { key: '{"id":1}', value: '{"op":"c","after":{"id":12' }, {}, 'malformed: value byte 26: expected a comma or the end of an object'],
  ['empty', { key: '{"id":1}', value: '' }, {}, 'malformed: value byte 0: expected an object'],
  ['no envelope', { key: '{"id":1}', value: '{"id":1,"name":"secret"}' }, {}, 'malformed: expected an op: this is no Debezium envelope (flattened rows are debezium-flat)'],
  ['more behind it', { key: '{"id":1}', value: `${change('c', '{"id":1}')} x` }, {}, 'malformed: value byte 196: expected the end of the value'],
  ['bad number', { key: '{"id":1}', value: change('c', '{"id":01}') }, {}, 'malformed: value byte 30: expected a comma or the end of an object'],
  ['bad UTF-8', { key: '{"id":1}', value: Buffer.concat([Buffer.from('{"op":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]) }, {}, 'malformed: value byte 7: expected UTF-8'],
  ['a field twice', { key: '{"id":1}', value: change('c', '{"id":1}', PG, ',"op":"u"') }, {}, 'malformed: value byte 186: expected no field twice'],
  ['a column twice', { key: '{"id":1}', value: change('c', '{"id":1,"id":2}') }, {}, 'malformed: value byte 23: expected no member twice'],
  ['too deep', { key: '{"id":1}', value: change('c', `{"id":1,"c":${'['.repeat(100)}${']'.repeat(100)}}`) }, {}, 'oversize: value byte 97: expected at most 64 levels'],
  ['after null', { key: '{"id":1}', value: change('c', 'null') }, {}, 'malformed: expected an after image'],
  ['unknown op', { key: '{"id":1}', value: change('q', '{"id":1}') }, {}, 'malformed: expected an op of c, u, d, r, t or m'],
  ['bad base64', { key: '{"id":1}', value: change('c', '{"id":1,"c":"secret!"}') }, { columns: { types: { c: typed('bytes') } } }, 'malformed: column c: expected base64'],
];
for (const [name, row, wish, dead] of DEAD) {
  test(`dead: ${name}`, () => {
    const said = decode(row, wish);
    assert.equal(said.dead, dead);
    assert.doesNotMatch(said.dead, /secret/);
  });
}

test('a dead letter keeps its commit time where all of it was JSON, and the record key', () => {
  assert.equal(decode({ key: null, value: change('c', '{"id":1}') }).timeUs, 1700000000123456);
  const cut = decode({ key: '{"id":1}', value: change('c', '{"id":1}').slice(0, -1) });
  assert.ok(Number.isNaN(cut.timeUs));
  assert.deepEqual(cut.key, { id: '1' });
});

test('a skipped line of a capture', () => {
  const { decoder } = decoderOf();
  decoder.decode({ ...rawRecord({}), bad: { file: 'f', line: 3, detail: 'not JSON' } });
  assert.equal(say(decoder.event).dead, 'bad-line: not JSON');
});

test('the envelope of schemas, in either order, with white space, and its types', () => {
  const schema = JSON.stringify(connectRow([{ type: 'bytes', name: 'org.apache.kafka.connect.data.Decimal', parameters: { scale: '2' }, field: 'c' }]));
  const payload = change('c', '{"id":1,"c":"AJY="}');
  const keySchema = '{"type":"struct","fields":[{"type":"int32","field":"id"}]}';
  const { decoder } = decoderOf();
  for (const value of [`{"schema":${schema},"payload":${payload}}`, `{"payload":${payload},"schema":${schema}}`, ` { "schema" : ${schema} , "payload" : ${payload} } \n`]) {
    for (let again = 0; again < 2; again++) {
      decoder.decode(rawRecord({ key: `{"schema":${keySchema},"payload":{"id":1}}`, value }));
      const said = say(decoder.event);
      assert.equal(said.dead, '');
      assert.deepEqual(said.key, { id: '1' });
      assert.deepEqual(prints(said), { c: '1.5', id: '1' });
    }
  }
  decoder.decode(rawRecord({ key: '{"id":1}', value: payload }));
  assert.deepEqual(prints(say(decoder.event)), { c: 'AJY=', id: '1' }, 'detected for each record');
});

test('a key may have a column called schema', () => {
  assert.deepEqual(decode({ key: '{"schema":"s","payload":1}', value: change('c', '{"id":1}') }).key, { payload: '1', schema: 's' });
});

test('any order of fields and columns, escapes in names, white space', () => {
  const plain = decode({ key: '{"a":1,"b":"x"}', value: change('c', '{"a":1,"b":"x","é":2}') });
  const other = decode({ key: ' { "b" : "x" , "\\u0061" : 1 } ', value: ` { "op" : "c" , "so\\u0075rce" : { "lsn" : 24023128 , ${PG} } ,\n "after" : { "\\u00e9" : 2 , "b" : "\\u0078" , "a" : 1 } } ` });
  assert.deepEqual(other, plain);
});

test('an envelope that was learned: white space, other fields and more of them are read as ever', () => {
  const value = change('u', '{"id":1}');
  const many = Array.from({ length: 20 }, (_, i) => `,"x${i}":"${i}"`).join('');
  const forms = [value, value, value.replaceAll(':', ': '), value.replace('"op":"u"', '"op":"c"'), value, change('u', '{"id":1}', undefined, many), change('u', '{"id":2}', undefined, many), value];
  const { decoder } = decoderOf();
  for (const form of [...forms, ...forms]) {
    const row = { key: '{"id":1}', value: form };
    decoder.decode(rawRecord(row));
    assert.deepEqual(say(decoder.event), decode(row), form);
  }
});

test('columns keep their values when their order changes from record to record', () => {
  const { decoder } = decoderOf({ key: ['a'] });
  const seen = ['{"a":1,"b":2,"c":3}', '{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":2,"c":3}', '{"c":3,"a":1}', '{}'].map((after) => {
    decoder.decode(rawRecord({ key: '{"a":1}', value: change('c', after) }));
    return prints(say(decoder.event));
  });
  assert.deepEqual(seen, [{ a: '1', b: '2', c: '3' }, { a: '1', b: '2' }, { a: '1', b: '2' }, { a: '1', b: '2', c: '3' }, { a: '1', c: '3' }, {}]);
});

test('keys: by name, from the row where the record key lacks them, by the rules of their columns', () => {
  assert.deepEqual(Object.keys(decode({ key: '{"b":1,"a":2}', value: change('c', '{}') }).key ?? {}), ['a', 'b']);
  assert.deepEqual(decode({ key: '{"b":1,"a":2}', value: change('c', '{}') }, { key: ['b'] }).key, { b: '1' });
  assert.deepEqual(decode({ key: null, value: change('d', '{"id":5}') }, { key: ['id'] }).key, { id: '5' });
  assert.deepEqual(decode({ key: '42', value: change('c', '{"id":5}') }, { key: ['id'] }).key, { id: '5' });
  assert.deepEqual(decode({ key: '{"id":"DVT1  "}', value: change('c', '{}') }, { columns: { types: { id: typed('char(6)') } } }).key, { id: 'DVT1' });
  assert.deepEqual(decode({ key: '{"nb":5}', value: change('c', '{"nb":5}') }, { key: ['b'], columns: { rename: { nb: ['a', 'b'] } } }, 'target').key, { b: '5' });
  assert.deepEqual(decode({ key: '{"id":1,"__dbz__physicalTableIdentifier":"x"}', value: change('c', '{}') }).key, { id: '1' });
  assert.deepEqual(decode({ key: '{"__proto__":1}', value: change('c', '{}') }).key, JSON.parse('{"__proto__":"1"}'));
});

test('rename: successive names of the source are one column', () => {
  const wish: Wish = { columns: { rename: { nb: ['b', 'nb'] } } };
  assert.deepEqual(prints(decode({ key: '{"id":1}', value: change('c', '{"b":2}') }, wish)), { nb: '2' });
  assert.deepEqual(prints(decode({ key: '{"id":1}', value: change('c', '{"nb":2}') }, wish, 'target')), { nb: '2' });
});

const ORIGINS: readonly (readonly [string, readonly string[], string, Row, string | undefined])[] = [
  ['a number and a string are one', ['after.o'], 'c', { value: '{"id":1,"o":"24023128"}' }, '24023128'],
  ['a number', ['after.o'], 'c', { value: '{"id":1,"o":24023128}' }, '24023128'],
  ['null', ['after.o'], 'c', { value: '{"id":1,"o":null}' }, undefined],
  ['absent', ['after.o'], 'c', { value: '{"id":1}' }, undefined],
  ['before of a delete', ['after.o'], 'd', { value: '{"id":1,"o":5}' }, '5'],
  ['composite', ['@partition', '@offset'], 'c', { value: '{"id":1}', partition: 3, offset: 44 }, '3:44'],
  ['composite with a part missing', ['@partition', 'after.o'], 'c', { value: '{"id":1}' }, undefined],
  ['header', ['@headers.pos'], 'c', { value: '{"id":1}', headers: [['pos', 'a'], ['pos', 'b:1']] }, 'b:1'],
  ['position', ['position'], 'c', { value: '{"id":1}' }, '0:0:24023128'],
  ['key', ['key.id'], 'c', { value: '{"id":1}' }, '1'],
  ['source field', ['source.snapshot'], 'c', { value: '{"id":1}' }, 'false'],
];
for (const [name, source, op, row, origin] of ORIGINS) {
  test(`origin: ${name}`, () => {
    const said = decode({ key: '{"id":1}', ...row, value: change(op, String(row.value)) }, { match: { by: 'origin', source, target: [] } });
    assert.equal(said.dead, '');
    assert.equal(said.origin, origin);
    assert.equal(said.columns?.['o'], undefined, 'an origin is not compared');
  });
}

test('versions are compared, and equal across engines by their types', () => {
  const match = { by: 'version', source: ['after.at'], target: ['after.at'] } as const;
  const wish: Wish = { match, columns: { types: { at: typed('instant-text', 'timestamp-micros') } } };
  const a = decode({ key: '{"id":1}', value: change('c', '{"at":"2026-03-01T00:00:00.1Z"}') }, wish);
  const b = decode({ key: '{"id":1}', value: change('c', '{"at":1772323200100000}') }, wish, 'target');
  assert.equal(a.origin, b.origin);
  assert.deepEqual(Object.keys(a.columns ?? {}), ['at']);
});

test('an origin path that no record has stops the pair', () => {
  assert.throws(() => decoderOf({ match: { by: 'origin', source: ['sorce.lsn'], target: [] } }), /no field sorce\.lsn/);
});

test('the placeholder is unknown on PostgreSQL, a stored value where images are whole', () => {
  const row = { key: '{"id":1}', value: change('u', '{"id":1,"doc":"__debezium_unavailable_value","n":2}') };
  const { decoder } = decoderOf();
  decoder.decode(rawRecord(row));
  assert.deepEqual(decoder.event.layout?.unavailable, ['doc']);
  assert.deepEqual(decoder.event.layout?.known, ['id', 'n']);
  decoder.decode(rawRecord({ ...row, value: change('u', '{"id":1,"doc":"x","n":"__debezium_unavailable_value"}') }));
  assert.deepEqual(decoder.event.layout?.unavailable, ['n']);
  const full = decoderOf({ source: { replicaIdentity: 'full' } }).decoder;
  full.decode(rawRecord(row));
  assert.deepEqual(full.event.layout?.placeholders, ['doc']);
  assert.deepEqual(full.event.layout?.known, ['doc', 'id', 'n']);
  const mySql = decoderOf().decoder;
  mySql.decode(rawRecord({ key: '{"id":1}', value: row.value.replace('postgresql', 'mariadb') }));
  assert.deepEqual(mySql.event.layout?.placeholders, ['doc']);
});

test('a masked value is nowhere in the event, in the row, the key, the origin or the linked key', () => {
  const wish: Wish = { match: { by: 'origin', source: ['after.email'], target: [] }, columns: { mask: ['email', 'note'], maskKey: 'ab'.repeat(32), types: { note: typed('text', 'text', { equality: 'ci' }) } } };
  const { decoder } = decoderOf(wish);
  const row = { key: '{"email":"ann@example.some-where.org"}', value: change('d', '{"email":"ann@example.some-where.org","note":"Private matters of hers"}'), headers: [['__debezium.newkey', '{"email":"ann@example.some-where.org"}']] as const };
  for (const value of [row.value, change('c', '{"email":"ann@example.some-where.org","note":"Private matters of hers"}')]) {
    // The buffer is not cleared when it is made.
    decoder.event.bytes.fill(0);
    decoder.decode(rawRecord({ ...row, value }));
    const { event } = decoder;
    assert.doesNotMatch(event.bytes.toString('latin1'), /ann@|where|\.org|private|hers/i);
    assert.match(say(event).key?.['email'] ?? '', /^masked:[0-9a-f]{16}$/);
  }
  assert.match(prints(say(decoder.event))['note'] ?? '', /^masked:[0-9a-f]{16}$/);
  const other = decode({ key: '{"email":"x"}', value: change('c', '{"email":"x","note":"PRIVATE matters OF hers"}') }, wish, 'target');
  assert.equal(prints(other)['note'], prints(say(decoder.event))['note'], 'masked as it is compared');
});

test('a key change names the other key, from a header with or without a schema', () => {
  const linked = (op: string, name: string, header: string): unknown => {
    const { decoder } = decoderOf();
    decoder.decode(rawRecord({ key: '{"id":1}', value: op === '' ? null : change(op, '{"id":1}'), headers: [[name, header]] }));
    const { linkedKey } = decoder.event;
    return linkedKey === undefined ? undefined : printKey(linkedKey);
  };
  assert.deepEqual(linked('d', '__debezium.newkey', '{"id":2}'), { id: '2' });
  assert.deepEqual(linked('', '__debezium.newkey', '{"id":2}'), { id: '2' });
  assert.deepEqual(linked('c', '__debezium.oldkey', '{"schema":{"type":"struct","fields":[]},"payload":{"id":2}}'), { id: '2' });
  assert.equal(linked('d', '__debezium.newkey', 'Struct{id=2}'), undefined);
  assert.equal(linked('u', '__debezium.newkey', '{"id":2}'), undefined);
});

test('trace context', () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  for (const [header, length] of [[trace, 55], [trace.toUpperCase(), 0], ['x', 0]] as const) {
    const { decoder } = decoderOf();
    decoder.decode(rawRecord({ key: '{"id":1}', value: change('c', '{"id":1}'), headers: [['traceparent', header]] }));
    assert.equal(decoder.event.traceLength, length);
  }
});

test('MongoDB: the document is JSON in a string', () => {
  const value = `{"before":null,"after":"{\\"_id\\": {\\"$oid\\": \\"a\\"}, \\"n\\": {\\"$numberLong\\": \\"5\\"}}","source":{"connector":"mongodb","ts_ms":1,"ord":2},"op":"u"}`;
  assert.deepEqual(prints(decode({ key: '{"id":"1"}', value })), { _id: '{"$oid":"a"}', n: '{"$numberLong":"5"}' });
});

test('layouts are interned: equal columns on both sides are one layout', () => {
  const context = createPairContext(settingsOf());
  const layouts = (['source', 'target'] as const).map((side) => {
    const decoder = createDecoder(context, side);
    decoder.decode(rawRecord({ key: '{"id":1}', value: change('c', side === 'source' ? '{"b":1,"a":2}' : '{"a":2,"b":1,"origin_lsn":5}') }));
    return decoder.event.layout;
  });
  assert.equal(layouts[0], layouts[1]);
  assert.equal(context.layoutById(layouts[0]?.id ?? -1), layouts[0]);
});

test('a format that is not built yet says so', () => {
  assert.throws(() => createDecoder(createPairContext(settingsOf({ source: { format: 'maxwell' } })), 'source'), /format maxwell is not built yet/);
});
