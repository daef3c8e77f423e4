// The suite that every store engine passes (stores/store.ts). The model is a Map of latin1 keys, sorted anew for each range.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { RangeOptions, Row, StoreEngine, WriteOp } from '../../stores/store.ts';

/** Opens the engine of `dir` with the families `a` and `b`. */
export type OpenStore = (dir: string) => Promise<StoreEngine>;

export function storeContract(name: string, open: OpenStore, traits: { readonly durable: boolean }): void {
  describe(`store contract: ${name}`, () => {
    const root = mkdtempSync(join(tmpdir(), 'store-contract-'));
    after(() => { rmSync(root, { recursive: true, force: true }); });
    let runs = 0;
    let dir: string;
    let store: StoreEngine;
    beforeEach(async () => {
      dir = join(root, String(runs++));
      store = await open(dir);
    });
    afterEach(async () => { await store.close(); });

    const put = (key: Buffer, value: Buffer | null, family = 'a'): void => { store.write([{ family, key, value }]); };
    const keys = (options: RangeOptions): string[] => store.range('a', options).map(([key]) => key.toString('hex'));

    test('gives what was written, and undefined for the rest', () => {
      store.write([op('a', '01', 'aa'), op('a', '02', 'bb'), op('b', '01', 'cc')]);
      assert.deepEqual(store.get('a', hex('01')), hex('aa'));
      assert.deepEqual(store.get('b', hex('01')), hex('cc'));
      assert.equal(store.get('b', hex('02')), undefined);
      assert.deepEqual(store.getMany('a', [hex('02'), hex('03'), hex('01'), hex('02')]), [hex('bb'), undefined, hex('aa'), hex('bb')]);
      assert.deepEqual(store.getMany('a', []), []);
    });

    test('takes empty keys, empty values and every byte', () => {
      store.write([op('a', '', 'ee'), op('a', '00', ''), op('a', '0000', '00'), op('a', 'ff', 'ffff'), op('a', 'ffff', '')]);
      assert.deepEqual(store.get('a', hex('')), hex('ee'));
      assert.deepEqual(store.get('a', hex('00')), hex(''));
      assert.deepEqual(keys({}), ['', '00', '0000', 'ff', 'ffff']);
      // Buffer.from([]) has no memory behind it: in a multi-get the RocksDB binding would abort on it.
      assert.deepEqual(store.getMany('a', [hex('ff'), Buffer.from([]), hex('00')]), [hex('ffff'), hex('ee'), hex('')]);
      assert.deepEqual(store.range('a').map(([, value]) => value.toString('hex')), ['ee', '', '00', 'ffff', '']);
    });

    test('orders by unsigned bytes, a prefix first', () => {
      const order = ['00', '0000', '0001', '7f', '7fff', '80', '80ff', 'c3a4', 'ff', 'ff00', 'ffff'];
      for (const key of order.toReversed()) put(hex(key), hex('01'));
      assert.deepEqual(keys({}), order);
      assert.deepEqual(keys({ reverse: true }), order.toReversed());
    });

    test('bounds, limit and reverse', () => {
      for (const key of ['10', '1000', '20', '30', 'ff']) put(hex(key), hex('01'));
      const cases: [RangeOptions, string[]][] = [
        [{ gte: hex('10') }, ['10', '1000', '20', '30', 'ff']],
        [{ gt: hex('10') }, ['1000', '20', '30', 'ff']],
        [{ lt: hex('20') }, ['10', '1000']],
        [{ gte: hex('1000'), lt: hex('30') }, ['1000', '20']],
        [{ gt: hex('30'), lt: hex('30') }, []],
        [{ gte: hex('30'), lt: hex('10') }, []],
        [{ gte: hex('30'), lt: hex('10'), reverse: true }, []],
        [{ lt: hex('') }, []],
        [{ gte: hex('') }, ['10', '1000', '20', '30', 'ff']],
        [{ limit: 2 }, ['10', '1000']],
        [{ limit: 0 }, []],
        [{ limit: 99, gt: hex('20') }, ['30', 'ff']],
        [{ reverse: true, limit: 2 }, ['ff', '30']],
        [{ reverse: true, gte: hex('10'), lt: hex('ff') }, ['30', '20', '1000', '10']],
        [{ reverse: true, gt: hex('10'), lt: hex('30'), limit: 1 }, ['20']],
        [{ gte: undefined, gt: undefined, lt: undefined, limit: undefined, reverse: undefined }, ['10', '1000', '20', '30', 'ff']],
      ];
      for (const [options, expected] of cases) assert.deepEqual(keys(options), expected, JSON.stringify(options));
      assert.throws(() => store.range('a', { gte: hex('10'), gt: hex('10') }), /gte or gt/);
    });

    test('overwrites, deletes, and lets the last operation of a batch win', () => {
      put(hex('01'), hex('aa'));
      put(hex('01'), hex('bb'));
      assert.deepEqual(store.get('a', hex('01')), hex('bb'));
      store.write([op('a', '01', null), op('a', '02', '01'), op('a', '02', '02'), op('a', '03', '01'), op('a', '03', null)]);
      assert.deepEqual(store.range('a'), [[hex('02'), hex('02')]]);
      put(hex('77'), null);
      assert.equal(store.get('a', hex('77')), undefined);
    });

    test('deleteRange takes [gte, lt) of one family', () => {
      for (const key of ['01', '0100', '02', '03', 'ffff']) store.write([op('a', key, 'aa'), op('b', key, 'aa')]);
      store.deleteRange('a', hex('0100'), hex('03'));
      assert.deepEqual(keys({}), ['01', '03', 'ffff']);
      assert.equal(store.range('b').length, 5);
      store.deleteRange('a', hex('03'), hex('03'));
      store.deleteRange('a', hex('ff'), hex('00'));
      assert.equal(keys({}).length, 3);
      put(hex('02'), hex('bb'));
      assert.deepEqual(keys({}), ['01', '02', '03', 'ffff']);
      store.deleteRange('a', hex(''), hex('ff'));
      assert.deepEqual(keys({}), ['ffff']);
    });

    test('a write is all or nothing over its families', () => {
      put(hex('01'), hex('aa'));
      const good = op('a', '02', 'bb');
      const bad: unknown[] = [
        { family: 'nope', key: hex('03'), value: hex('01') },
        { family: 'a', key: 'text', value: hex('01') },
        { family: 'a', key: hex('03'), value: 'text' },
        { family: 'a', key: hex('03'), value: undefined },
        { family: 'a', key: undefined, value: null },
      ];
      for (const wrong of bad) {
        assert.throws(() => { store.write([good, op('b', '01', 'cc'), wrong as WriteOp]); });
        assert.deepEqual(store.range('a'), [[hex('01'), hex('aa')]]);
        assert.deepEqual(store.range('b'), []);
      }
      // What a failed write had gathered must not come with the next one.
      store.write([op('a', '09', '99')]);
      assert.deepEqual(keys({}), ['01', '09']);
    });

    test('copies what it is given', () => {
      const key = hex('01');
      const value = hex('aa');
      put(key, value);
      key[0] = 9;
      value[0] = 9;
      assert.deepEqual(store.range('a'), [[hex('01'), hex('aa')]]);
    });

    test('an unknown family is an error, never another family', () => {
      assert.throws(() => store.get('nope', hex('01')), { reason: 'unknown-family' });
      assert.throws(() => store.getMany('nope', []), { reason: 'unknown-family' });
      assert.throws(() => store.range('default'), { reason: 'unknown-family' });
      assert.throws(() => { store.deleteRange('nope', hex('01'), hex('02')); }, { reason: 'unknown-family' });
      assert.throws(() => { store.write([{ family: undefined as never, key: hex('01'), value: null }]); }, { reason: 'unknown-family' });
    });

    test('has the family `offsets`', () => {
      store.write([op('offsets', '01', 'aa')]);
      assert.deepEqual(store.get('offsets', hex('01')), hex('aa'));
    });

    test('after close every call throws, close does not', async () => {
      put(hex('01'), hex('aa'));
      assert.equal(store.closed, false);
      const closing = store.close();
      assert.equal(store.closed, true);
      const calls = [
        () => store.get('a', hex('01')), () => store.getMany('a', [hex('01')]), () => store.range('a'), () => store.range('a', { limit: 0 }),
        () => { store.write([op('a', '01', 'aa')]); }, () => { store.write([]); }, () => { store.deleteRange('a', hex('01'), hex('02')); },
      ];
      for (const call of calls) assert.throws(call, { reason: 'closed' });
      await closing;
      for (const call of calls) assert.throws(call, { reason: 'closed' });
      await store.close();
    });

    if (traits.durable) {
      test('what was written is there after reopening', async () => {
        store.write([op('a', '01', 'aa'), op('b', '02', ''), op('offsets', '03', 'cc')]);
        store.deleteRange('a', hex('05'), hex('06'));
        await store.close();
        store = await open(dir);
        assert.deepEqual(store.range('a'), [[hex('01'), hex('aa')]]);
        assert.deepEqual(store.range('b'), [[hex('02'), hex('')]]);
        assert.deepEqual(store.range('offsets'), [[hex('03'), hex('cc')]]);
      });
    }

    test('2,000 operations agree with the model', async () => {
      const model = new StoreModel();
      let count = 0;
      await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 100, maxLength: 100 }), async (commands) => {
        for (const next of commands) {
          count++;
          if (next.kind === 'reopen' && traits.durable) {
            await store.close();
            store = await open(dir);
          } else run(next, store, model);
        }
        assert.deepEqual(store.range('a'), model.range('a', {}));
        assert.deepEqual(store.range('b'), model.range('b', {}));
      }), { numRuns: 20, endOnFailure: true });
      assert.ok(count >= 2000);
    });
  });
}

export function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function op(family: string, key: string, value: string | null): WriteOp {
  return { family, key: hex(key), value: value === null ? null : hex(value) };
}

/** The obvious store: what an engine must be equal to. */
export class StoreModel {
  readonly #tables: Record<string, Map<string, Buffer>> = { a: new Map(), b: new Map() };

  get(family: string, key: Buffer): Buffer | undefined {
    return this.#tables[family].get(key.toString('hex'));
  }

  write(ops: readonly WriteOp[]): void {
    for (const { family, key, value } of ops) {
      if (value === null) this.#tables[family].delete(key.toString('hex'));
      else this.#tables[family].set(key.toString('hex'), Buffer.from(value));
    }
  }

  range(family: string, { gte, gt, lt, limit, reverse }: RangeOptions): Row[] {
    const rows = [...this.#tables[family]].map(([key, value]): Row => [Buffer.from(key, 'hex'), value])
      .filter(([key]) => (gte === undefined || key.compare(gte) >= 0) && (gt === undefined || key.compare(gt) > 0))
      .filter(([key]) => lt === undefined || key.compare(lt) < 0)
      .sort(([left], [right]) => left.compare(right));
    if (reverse === true) rows.reverse();
    return rows.slice(0, limit ?? rows.length);
  }

  deleteRange(family: string, gte: Buffer, lt: Buffer): void {
    for (const [key] of this.range(family, { gte, lt })) this.#tables[family].delete(key.toString('hex'));
  }
}

/** Few distinct bytes and short keys, so that operations meet. */
export const keyBytes: fc.Arbitrary<Buffer> = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { maxLength: 3 }).map((bytes) => Buffer.from(bytes));
export const familyName: fc.Arbitrary<string> = fc.constantFrom('a', 'b');
const valueBytes = fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes));
const writeOp = fc.record({ family: familyName, key: keyBytes, value: fc.option(valueBytes, { freq: 3 }) });
export const rangeOptions: fc.Arbitrary<RangeOptions> = fc.record({
  lower: fc.option(fc.tuple(fc.boolean(), keyBytes)), lt: fc.option(keyBytes, { nil: undefined }),
  limit: fc.option(fc.nat({ max: 5 }), { nil: undefined }), reverse: fc.boolean(),
}).map(({ lower, ...rest }) => (lower === null ? rest : lower[0] ? { ...rest, gt: lower[1] } : { ...rest, gte: lower[1] }));

type Command =
  | { kind: 'write'; ops: WriteOp[] } | { kind: 'get'; family: string; keys: Buffer[] } | { kind: 'range'; family: string; options: RangeOptions }
  | { kind: 'deleteRange'; family: string; gte: Buffer; lt: Buffer } | { kind: 'reopen' };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('write' as const), ops: fc.array(writeOp, { maxLength: 6 }) }) },
  { weight: 25, arbitrary: fc.record({ kind: fc.constant('get' as const), family: familyName, keys: fc.array(keyBytes, { maxLength: 6 }) }) },
  { weight: 25, arbitrary: fc.record({ kind: fc.constant('range' as const), family: familyName, options: rangeOptions }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('deleteRange' as const), family: familyName, gte: keyBytes, lt: keyBytes }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);

function run(next: Command, store: StoreEngine, model: StoreModel): void {
  switch (next.kind) {
    case 'write':
      store.write(next.ops);
      model.write(next.ops);
      return;
    case 'get':
      assert.deepEqual(store.getMany(next.family, next.keys), next.keys.map((key) => model.get(next.family, key)));
      for (const key of next.keys) assert.deepEqual(store.get(next.family, key), model.get(next.family, key));
      return;
    case 'range':
      assert.deepEqual(store.range(next.family, next.options), model.range(next.family, next.options));
      return;
    case 'deleteRange':
      store.deleteRange(next.family, next.gte, next.lt);
      model.deleteRange(next.family, next.gte, next.lt);
      return;
    case 'reopen': return;
  }
}
