import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOfLine } from '../../schemas/capture-form.ts';

test('the form of a line', () => {
  const form = (text: string): string | undefined => formOfLine(Buffer.from(`${text}\n`), 0, Buffer.byteLength(text));
  assert.equal(form('{"topic":"t","partition":0,"offset":0,"key":null,"value":"x"}'), 'records');
  assert.equal(form('{"value":5,"offset":0,"partition":0}'), 'records', 'a bad record is still one');
  assert.equal(form('{"offset":0,"key":"k","value":"x"}'), 'records');
  assert.equal(form('{"topic":"t","partition":0,"offset":0,"ts":1,"payload":"x"}'), 'records');
  assert.equal(form('{"before":null,"after":{"offset":1,"partition":1,"value":"x"},"op":"c"}'), 'events');
  assert.equal(form('{"schema":{},"payload":{"op":"c"}}'), 'events');
  assert.equal(form('{"id":1,"offset":5,"value":"a column"}'), 'events');
  assert.equal(form('{"topic":"t","partition":0,"key":"k"}'), 'records', 'one that lacks offset and value too');
  assert.equal(form('{"partition":"p1","offset":"o1","value":"columns","key":1}'), 'events');
  assert.equal(form('{}'), 'events');
  assert.deepEqual(['null', 'hello', '{"a":1', '5'].map(form), [undefined, undefined, undefined, undefined]);
});
