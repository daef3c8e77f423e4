// Record batches by their bytes: written here, written by Kafka's own producer, and made by hand where neither writes what a log can hold.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';

import { crc32c } from '../../../../schemas/crc32c.ts';
import { type AbortedTransaction, committedBatches } from '../../../../topology/log/kafka/committed-batches.ts';
import { ATTRIBUTES, encodeBatches, seal } from '../../../../topology/log/kafka/record-batch.ts';
import { RecordCursor } from '../../../../topology/log/kafka/record-cursor.ts';
import type { AppendRecord } from '../../../../topology/log/log.ts';

/** Segment files as a Kafka 4.4 broker has them on disk: its console producer, by codec; three records with the headers a=1 and b=. */
const CAPTURED: Readonly<Record<string, string>> = {
  none: 'AAAAAAAAAAAAAADTAAAAAAJMkHyoAAAAAAACAAABoi/NfAkAAAGiL818GQAAAAAAAAABAAAAAAAAAAAAA2oAAAAKa2V5LTFGeyJpZCI6MSwibmFtZSI6ImNhZsOpIGNhZsOpIGNhZsOpIn0EAmECMQJiAGoAIAIKa2V5LTJGeyJpZCI6MiwibmFtZSI6ImNhZsOpIGNhZsOpIGNhZsOpIn0EAmECMQJiAGoAIAQKa2V5LTNGeyJpZCI6MywibmFtZSI6ImNhZsOpIGNhZsOpIGNhZsOpIn0EAmECMQJiAA==',
  gzip: 'AAAAAAAAAAAAAACHAAAAAALbfmrbAAEAAAACAAABoi/Nk2wAAAGiL82TggAAAAAAAAACAAAAAAAAAAAAAx+LCAAAAAAAAP/LYmBg4MpOrdQ1dKtWykxRsjLUUcpLzE1VslJKTkw7vFIBiVSqZWFKZDJkSmLIYtBhAusyguoyIlIXC1iXMVSXMTG6AHwgoLqiAAAA',
  snappy: 'AAAAAAAAAAAAAACUAAAAAAKKmg7KAAIAAAACAAABoi/NsJMAAAGiL82xGQAAAAAAAAADAAAAAAAAAAAAA4JTTkFQUFkAAAAAAQAAAAEAAABPpAGAagAAAAprZXktMUZ7ImlkIjoxLCJuYW1lIjoiY2Fmw6kgHQY4In0EAmECMQJiAGwAjAICBTcAMg03ADKeNwAABAU3BDNGCW4AM443AA==',
  lz4: 'AAAAAAAAAAAAAACWAAAAAALOF7z4AAMAAAACAAABoi/Ny4AAAAGiL83L1AAAAAAAAAAEAAAAAAAAAAAAAwQiTRhgQIJWAAAA9xJqAAAACmtleS0xRnsiaWQiOjEsIm5hbWUiOiJjYWbDqSAGAPEAIn0EAmECMQJiAGwApgECNwATMjcAHzI3ABMxqAEENwATMzcAHzM3AAxQAjECYgAAAAAA',
  zstd: 'AAAAAAAAAAAAAACHAAAAAALKGJerAAQAAAACAAABoi/N3tcAAAGiL83fJAAAAAAAAAAFAAAAAAAAAAAAAyi1L/0AWFQCAHQDagAAAAprZXktMUZ7ImlkIjoxLCJuYW1lIjoiY2Fmw6kgIn0EAmECMQJiAGwAjAECMjKaAQQzMwcAARHgLhAmeAeS1arVJC5kAQAA',
};

function cursorOver(data: Buffer, { aborted = [], from = 0, end = Infinity, setEnd = data.length }: { aborted?: AbortedTransaction[]; from?: number; end?: number; setEnd?: number } = {}): { cursor: RecordCursor; nextOffset: number } {
  const { starts, nextOffset } = committedBatches(data, 0, setEnd, aborted, from, 't-3');
  const cursor = new RecordCursor('t', 3, from, end, () => undefined);
  cursor.push({ data, starts, sizeBytes: data.length });
  return { cursor, nextOffset };
}

interface Read { offset: number; timestampMs: number; key: string | null; value: string | null }

function readAll(cursor: RecordCursor): Read[] {
  const read: Read[] = [];
  while (cursor.hasNext()) {
    assert.ok(cursor.next(), 'hasNext said there is one');
    const { data, offset, timestampMs, keyStart, keyEnd, valueStart, valueEnd } = cursor.record;
    const text = (start: number, end: number): string | null => (start < 0 ? null : data.toString('latin1', start, end));
    read.push({ offset, timestampMs, key: text(keyStart, keyEnd), value: text(valueStart, valueEnd) });
  }
  assert.equal(cursor.next(), false);
  return read;
}

interface Shape { baseOffset: number; producerId?: bigint; attributes?: number; maxMs?: number }

/** A batch as it comes from a log: with offsets, and a checksum over whatever was put in. */
function stored(values: readonly (string | null)[], { baseOffset, producerId = -1n, attributes = 0, maxMs }: Shape, more: Partial<AppendRecord> = {}): Buffer {
  const [batch] = encodeBatches(values.map(value => ({ topic: 't', partition: 3, key: Buffer.from('k'), value: value === null ? null : Buffer.from(value), ...more })), 1000);
  const data = Buffer.from(batch.data);
  data.writeBigInt64BE(BigInt(baseOffset), 0);
  data.writeInt16BE(attributes, 21);
  if (maxMs !== undefined) data.writeBigInt64BE(BigInt(maxMs), 35);
  data.writeBigInt64BE(producerId, 43);
  return withChecksum(data);
}

function withChecksum(data: Buffer): Buffer {
  data.writeUInt32BE(crc32c(data, 21), 17);
  return data;
}

function marker(baseOffset: number, producerId: bigint, isAbort: boolean): Buffer {
  return stored(['..'], { baseOffset, producerId, attributes: ATTRIBUTES.control | ATTRIBUTES.transactional }, { key: Buffer.of(0, 0, 0, isAbort ? 0 : 1) });
}

const TX = ATTRIBUTES.transactional;

describe('record batches', () => {
  test('the bytes of a batch, by hand', () => {
    const [batch] = encodeBatches([
      { topic: 't', partition: 3, key: Buffer.from('k'), value: Buffer.from('vv'), timestampMs: 1000, headers: [['h', Buffer.from('x')], ['n', null]] },
      { topic: 't', partition: 3, key: null, value: Buffer.alloc(0), timestampMs: 900 },
    ], 0);
    seal(batch, { producerId: 258n, epoch: 7 }, 5);
    const body = '0010' + '00000001' + '00000000000003e8' + '00000000000003e8' + '0000000000000102' + '0007' + '00000005' + '00000002'
      // 16 bytes, attributes, deltas 0 and 0, key of 1, value of 2, two headers
      + '20' + '00' + '00' + '00' + '026b' + '047676' + '04' + '0268' + '0278' + '026e' + '01'
      // 7 bytes: delta -100 takes two of them, offset 1, no key, an empty value, no headers
      + '0e' + '00' + 'c701' + '02' + '01' + '00' + '00';
    const checksum = crc32c(Buffer.from(body, 'hex')).toString(16).padStart(8, '0');
    const lengthBytes = (9 + body.length / 2).toString(16).padStart(8, '0');
    assert.equal(batch.data.toString('hex'), '0000000000000000' + lengthBytes + 'ffffffff' + '02' + checksum + body);
  });

  for (const [codec, base64] of Object.entries(CAPTURED)) {
    test(`what Kafka's own producer wrote, ${codec}`, () => {
      const data = Buffer.from(base64, 'base64');
      const { cursor, nextOffset } = cursorOver(data);
      const read: string[] = [];
      while (cursor.next()) {
        const { record } = cursor;
        assert.equal(record.header('a')?.toString(), '1');
        assert.equal(record.header('b')?.length, 0);
        assert.equal(record.header('c'), undefined);
        assert.ok(record.timestampMs > 1_796_000_000_000 && record.timestampMs < 1_797_000_000_000, `${record.timestampMs}`);
        read.push(`${record.offset} ${record.data.toString('utf8', record.keyStart, record.keyEnd)} ${record.data.toString('utf8', record.valueStart, record.valueEnd)}`);
      }
      assert.deepEqual(read, [1, 2, 3].map(id => `${id - 1} key-${id} {"id":${id},"name":"café café café"}`));
      assert.equal(nextOffset, 3);
    });
  }

  test('what is written is read: keys, values, timestamps, headers, over any cut into batches', () => {
    const bytes = fc.option(fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array)), { nil: null });
    const header = fc.tuple(fc.constantFrom('a', 'é', ''), bytes);
    const oneRecord = fc.record({ key: bytes, value: bytes, timestampMs: fc.integer({ min: 0, max: 2 ** 45 }), headers: fc.array(header, { maxLength: 3 }) });
    fc.assert(fc.property(fc.array(oneRecord, { minLength: 1, maxLength: 20 }), fc.array(fc.nat(3), { maxLength: 8 }), (records, cuts) => {
      const batches: Buffer[] = [];
      let offset = 0;
      for (let start = 0; start < records.length;) {
        const count = 1 + (cuts[batches.length] ?? 0);
        const [batch] = encodeBatches(records.slice(start, start + count).map(record => ({ topic: 't', partition: 3, ...record })), 0);
        seal(batch, { producerId: 9n, epoch: 1 }, start);
        batch.data.writeBigInt64BE(BigInt(offset), 0);
        batches.push(batch.data);
        offset += batch.count + 1;
        start += batch.count;
      }
      const { cursor, nextOffset } = cursorOver(Buffer.concat(batches));
      assert.equal(nextOffset, offset - 1);
      for (const { key, value, timestampMs, headers } of records) {
        assert.ok(cursor.next());
        const { record } = cursor;
        const view = (start: number, end: number): Buffer | null => (start < 0 ? null : record.data.subarray(start, end));
        assert.deepEqual(view(record.keyStart, record.keyEnd), key);
        assert.deepEqual(view(record.valueStart, record.valueEnd), value);
        assert.equal(record.timestampMs, timestampMs);
        for (const name of ['a', 'é', '', 'none']) assert.deepEqual(record.header(name) ?? null, headers.findLast(([named]) => named === name)?.[1] ?? null);
      }
      assert.equal(cursor.next(), false);
    }));
  });

  test('a set that is cut anywhere in its last batch gives the batches before it, and the next fetch begins there', () => {
    const data = Buffer.concat([stored(['a', 'b'], { baseOffset: 10 }), stored(['c'], { baseOffset: 20 })]);
    const whole = stored(['a', 'b'], { baseOffset: 10 }).length;
    for (let setEnd = whole; setEnd < data.length; setEnd++) {
      const { cursor, nextOffset } = cursorOver(data, { setEnd, from: 10 });
      assert.deepEqual([readAll(cursor).map(({ offset }) => offset), nextOffset], [[10, 11], 12]);
    }
    assert.deepEqual(cursorOver(data, { setEnd: whole - 1, from: 10 }).nextOffset, 10);
  });

  test('a fetch within a batch passes over the records before it; a reader ends before its end', () => {
    const data = Buffer.concat([stored(['a', 'b', 'c'], { baseOffset: 10 }), stored(['d', 'e'], { baseOffset: 13 })]);
    for (let from = 10; from <= 15; from++) {
      for (let end = from; end <= 15; end++) {
        const expected = [10, 11, 12, 13, 14].filter(offset => offset >= from && offset < end);
        assert.deepEqual(readAll(cursorOver(data, { from, end }).cursor).map(({ offset }) => offset), expected);
        const { cursor } = cursorOver(data, { from, end });
        const stepped: number[] = [];
        while (cursor.next()) stepped.push(cursor.record.offset);
        assert.deepEqual(stepped, expected);
      }
    }
  });

  test('the time of the log where the batch says so', () => {
    const data = stored(['a', 'b'], { baseOffset: 0, attributes: ATTRIBUTES.logAppendTime, maxMs: 1_700_000_000_000 });
    assert.deepEqual(readAll(cursorOver(data).cursor).map(({ timestampMs }) => timestampMs), [1_700_000_000_000, 1_700_000_000_000]);
  });

  test('any byte that differs behind the checksum is seen, with topic, partition and offset', () => {
    const data = stored(['a', 'b'], { baseOffset: 42 });
    for (let at = 17; at < data.length; at++) {
      const bad = Buffer.from(data);
      bad[at] ^= 1;
      assert.throws(() => cursorOver(bad), /t-3@42: the checksum/);
    }
  });

  test('records whose lengths pass the batch are damaged, also under a right checksum', () => {
    const data = stored(['a'], { baseOffset: 0 });
    data[61] = 120;
    assert.throws(() => readAll(cursorOver(withChecksum(data)).cursor), /t-3@0: the records of a batch/);
    const old = stored(['a'], { baseOffset: 7 });
    old[16] = 1;
    assert.throws(() => cursorOver(old), /t-3@7: .*format 1/);
  });
});

describe('read-committed', () => {
  test('a batch is passed over where its producer has an aborted transaction there: against a reader that knows the whole log', () => {
    // The log is a list of transactions' parts; the naive reader looks at each record's own fate.
    const step = fc.record({ producer: fc.nat(2), records: fc.integer({ min: 0, max: 2 }), ends: fc.constantFrom('open', 'open', 'abort', 'commit'), plain: fc.boolean() });
    fc.assert(fc.property(fc.array(step, { maxLength: 25 }), fc.nat(60), fc.nat(60), (steps, fromSeed, cutSeed) => {
      const parts: { data: Buffer; first: number; last: number }[] = [];
      const open = new Map<number, number>();
      const aborted: (AbortedTransaction & { lastOffset: number })[] = [];
      const visible: number[] = [];
      const ofOpen = new Map<number, number[]>();
      let offset = 0;
      const put = (data: Buffer, count: number): void => { parts.push({ data, first: offset, last: offset + count - 1 }); offset += count; };
      const end = (producer: number, isAbort: boolean): void => {
        const firstOffset = open.get(producer);
        if (isAbort && firstOffset !== undefined) aborted.push({ producerId: BigInt(producer), firstOffset, lastOffset: offset });
        if (!isAbort) visible.push(...ofOpen.get(producer) ?? []);
        open.delete(producer);
        ofOpen.delete(producer);
        put(marker(offset, BigInt(producer), isAbort), 1);
      };
      for (const { producer, records, ends, plain } of steps) {
        if (records > 0) {
          const offsets = Array.from({ length: records }, (_, n) => offset + n);
          if (plain) visible.push(...offsets);
          else {
            if (!open.has(producer)) open.set(producer, offset);
            ofOpen.set(producer, [...ofOpen.get(producer) ?? [], ...offsets]);
          }
          put(stored(offsets.map(String), { baseOffset: offset, producerId: plain ? -1n : BigInt(producer), attributes: plain ? 0 : TX }), records);
        }
        if (ends !== 'open') end(producer, ends === 'abort');
      }
      for (const producer of [...open.keys()]) end(producer, true);
      // A fetch begins at any offset, and is cut behind any batch: markers lie outside of it.
      const from = offset === 0 ? 0 : fromSeed % offset;
      const firstPart = parts.findIndex(({ last }) => last >= from);
      const fetched = firstPart < 0 ? [] : parts.slice(firstPart, firstPart + 1 + (cutSeed % parts.length));
      const upTo = fetched.at(-1)?.last ?? -1;
      const listed = aborted.filter(({ firstOffset, lastOffset }) => lastOffset >= from && firstOffset <= upTo);
      const { cursor, nextOffset } = cursorOver(Buffer.concat(fetched.map(({ data }) => data)), { aborted: listed, from });
      assert.deepEqual(readAll(cursor).map(read => read.offset), visible.filter(at => at >= from && at <= upTo).sort((a, b) => a - b));
      assert.equal(nextOffset, Math.max(from, upTo + 1));
    }), { numRuns: 1000 });
  });
});
