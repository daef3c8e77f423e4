// Against a reader that a child could check, over generated files.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openCaptures } from '../../../topology/log/capture-log.ts';
import { file, shown } from '../../support/capture-files.ts';

/** Whole files, JSON.parse, objects: `topic/partition` to its records as text. */
function naive(contents: readonly string[], names: readonly string[], skip: boolean): Record<string, string[]> {
  const parts = new Map<number, { offset: number; text: string }[][]>();
  contents.forEach((content, index) => {
    const own = new Map<number, { offset: number; text: string }[]>();
    let last = -1;
    let leading: { offset: number; text: string }[] = [];
    content.split('\n').forEach((text, number) => {
      if (text.trim() === '') return;
      let row: { partition: number; offset: number; value: string | null } | undefined;
      try {
        row = JSON.parse(text) as { partition: number; offset: number; value: string | null };
      } catch {
        row = undefined;
      }
      if (row === undefined) {
        assert.ok(skip);
        const bad = { offset: -1, text: `!${basename(names[index])}:${number + 1}` };
        if (last < 0) leading.push(bad);
        else own.get(last)!.push(bad);
        return;
      }
      last = row.partition;
      if (!own.has(last)) own.set(last, []);
      own.get(last)!.push(...leading, { offset: row.offset, text: `${row.offset}=${row.value}` });
      leading = [];
    });
    if (own.size === 0) own.set(index, leading);
    for (const [partition, rows] of own) parts.set(partition, [...(parts.get(partition) ?? []), rows]);
  });
  return Object.fromEntries([...parts].sort(([a], [b]) => a - b).map(([partition, queues]) => [`x/${partition}`, merged(queues)]));
}

function merged(queues: { offset: number; text: string }[][]): string[] {
  const got: string[] = [];
  const firsts = queues.flatMap((queue) => queue.filter((row) => row.offset >= 0).slice(0, 1).map((row) => row.offset));
  for (let position = Math.min(...firsts); ; ) {
    for (const queue of queues) while (queue.length > 0 && queue[0].offset >= 0 && queue[0].offset < position) queue.shift();
    const next = queues.filter((queue) => queue.length > 0).reduce<{ offset: number; text: string }[] | undefined>((best, queue) => (best === undefined || queue[0].offset < best[0].offset ? queue : best), undefined);
    if (next === undefined) return got;
    const row = next.shift()!;
    got.push(row.text);
    if (row.offset >= 0) position = row.offset + 1;
  }
}

test('property: whatever the block size, cache, layout and order of reading, the same as a naive reader', async () => {
  const row = fc.record({ kind: fc.integer({ min: 0, max: 11 }), partition: fc.nat(3), step: fc.integer({ min: -1, max: 3 }), value: fc.oneof(fc.constant(null), fc.string({ unit: 'grapheme', maxLength: 30 }), fc.json({ maxDepth: 2 })) });
  const one = fc.array(row, { maxLength: 25 });
  await fc.assert(fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 400 }), fc.constantFrom(0, 300, 1 << 20), fc.boolean(), fc.boolean(), fc.infiniteStream(fc.nat(7)), async (sides, blockBytes, cacheBytes, skip, newline, picks) => {
    const contents = sides.map((rows) => {
      const offsets = [0, 3, 0, 10];
      const texts = rows.map(({ kind, partition, step, value }) => {
        if (kind === 0) return '  ';
        if (kind === 1 && skip) return '{"partition":1,"offset":';
        if (kind === 2 && skip) return '{"partition":3,"offset":1,"value":"x","key":"\\q"}';
        return JSON.stringify(kind % 2 === 0 ? { partition, offset: offsets[partition] = Math.max(0, offsets[partition] + step), value } : { value, offset: offsets[partition] = Math.max(0, offsets[partition] + step), headers: [['a', value]], partition });
      });
      // The form is told by the first block: a file whose first block is all bad lines is for another test.
      return ['{"partition":0,"offset":0,"value":"first"}', ...texts].join('\n') + (newline ? '\n' : '');
    });
    const names = contents.map((content, i) => file(content, `property-${i}.jsonl`));
    const log = await openCaptures(names, { topic: 'x', skipBadLines: skip, blockBytes, cacheBytes });
    const got = Object.fromEntries(log.partitions.map((reader): [string, string[]] => [`${reader.topic}/${reader.partition}`, []]));
    for (const live = [...log.partitions]; live.length > 0; ) {
      const at = (picks.next().value as number) % live.length;
      const reader = live[at];
      if (reader.next() || (await reader.fill() && reader.next())) got[`x/${reader.partition}`].push(shown(reader));
      else live.splice(at, 1);
    }
    await log.close();
    assert.deepEqual(got, naive(contents, names, skip));
  }), { numRuns: 300 });
});
