// All captures of a side: where its rows, its transactions and its heartbeats come from.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSideCaptures } from '../../../topology/log/capture-side.ts';
import type { SideCaptures, SideFiles } from '../../../topology/log/capture-side.ts';
import { drain, file, line } from '../../support/capture-files.ts';

const opened: SideCaptures[] = [];
after(() => Promise.all(opened.map((captures) => captures.close())));

async function open(side: Partial<SideFiles> & { readonly files: readonly string[] }): Promise<SideCaptures> {
  const captures = await openSideCaptures({ topic: '', transactions: undefined, heartbeat: undefined, ...side }, { skipBadLines: false });
  opened.push(captures);
  return captures;
}

const mixed = [line(0, 0, 'row', { topic: 'rows' }), line(0, 0, 'begin', { topic: 'tx' }), line(0, 0, 'beat', { topic: 'beats' }), line(1, 5, 'row', { topic: 'rows' })].join('');

void test('topics in the same file are told apart by their lines, whether the rows\' topic is named or not', async () => {
  for (const topic of ['rows', '']) {
    const captures = await open({ topic, files: [file(mixed)], transactions: { topic: 'tx', files: [] }, heartbeat: { topic: 'beats', files: [] } });
    assert.deepEqual(captures.rows.partitions.map((reader) => `${reader.topic}-${reader.partition}`), ['rows-0', 'rows-1']);
    assert.deepEqual([await drain(captures.transactions[0]), await drain(captures.heartbeat[0])], [['0=begin'], ['0=beat']]);
    assert.deepEqual([captures.totalRecords, captures.absent], [4, []]);
  }
});

void test('a file of its own stands for the topic, whatever its lines call it or not', async () => {
  const unnamed = file('{"partition":0,"offset":3,"timestamp":1,"key":null,"value":"end","headers":[]}\n');
  const captures = await open({ topic: 'rows', files: [file(line(0, 0))], transactions: { topic: 'tx', files: [unnamed] }, heartbeat: { topic: '', files: [file(line(2, 7, 'beat', { topic: 'h' }))] } });
  assert.deepEqual(captures.transactions.map((reader) => reader.topic), ['tx']);
  assert.deepEqual(await drain(captures.transactions[0]), ['3=end']);
  assert.deepEqual(captures.heartbeat.map((reader) => `${reader.topic}-${reader.partition}`), ['h-2']);
});

void test('a capture of one topic still stands for the topic asked for beside another', async () => {
  const captures = await open({ topic: 'renamed', files: [file(mixed.replace(line(0, 0, 'beat', { topic: 'beats' }), ''))], transactions: { topic: 'tx', files: [] } });
  assert.deepEqual(captures.rows.partitions.map((reader) => reader.topic), ['renamed', 'renamed']);
});

void test('a topic of which there is no line is absent, and no reader waits for it', async () => {
  const captures = await open({ topic: 'rows', files: [file(mixed)], heartbeat: { topic: 'nobody', files: [] } });
  assert.deepEqual([captures.heartbeat, captures.absent], [[], ['nobody']]);
});
