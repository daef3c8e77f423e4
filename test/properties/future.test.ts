// A commit time long after its record moves no watermark, whatever else the record says: the run is that in which the record cannot be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputRecord } from '../../schemas/records.ts';
import { realize } from '../simulation/logs.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { apart, forSeeds } from '../simulation/property.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { ROUGH, workload } from '../simulation/workload.ts';
import { check } from '../support/check.ts';

const DAYS_US = 40 * 86_400_000_000;

void test('a record from the future changes what an unreadable one changes, and nothing else', async () => {
  let replaced = 0;
  await forSeeds(seeds(8_901, 60), seed => workload(seed, ROUGH), async plan => {
    const random = prng(plan.seed);
    const history = realize(plan);
    const side = random.chance(0.5) ? 'source' : 'target';
    const rows = history[side].flatMap(({ content }, i) => (content.kind === 'row' && content.change.unpositioned === undefined ? [i] : []));
    if (rows.length === 0) return [];
    replaced++;
    const index = random.pick(rows);
    const run = async (line: (plain: string) => string): Promise<string[]> => {
      const lines = { source: toCapture(history, 'source'), target: toCapture(history, 'target') };
      lines[side][index] = line(lines[side][index]);
      const { records } = await check({ pair: toConfig(plan) }, lines.source, lines.target, { complete: plan.seed % 3 === 0 });
      return records.map(comparable);
    };
    const future = await run(plain => ahead(plain));
    const unreadable = await run(plain => JSON.stringify({ ...(JSON.parse(plain) as object), value: '{"before":nul' }));
    const letters = future.filter(line => line.includes('"reason":"future"')).length;
    return [...(letters === 1 ? [] : [`${letters} dead letters from the future`]), ...apart(future.map(blurred), unreadable.map(blurred))];
  });
  assert.ok(replaced > 0);
});

/** The same change, committed forty days later than its record says. */
function ahead(line: string): string {
  const record = JSON.parse(line) as { value: string };
  const value = JSON.parse(record.value) as { source: { ts_ms: number; ts_us: number } };
  value.source.ts_us += DAYS_US;
  value.source.ts_ms += DAYS_US / 1000;
  return JSON.stringify({ ...record, value: JSON.stringify(value) });
}

/** Of a dead letter only where it is: reason, detail and value are what differs. */
function comparable(record: OutputRecord): string {
  return JSON.stringify(record.record === 'dead-letter' ? { ...record, detail: '', valueBase64: '' } : record);
}

function blurred(line: string): string {
  return line.replace('"reason":"future"', '"reason":"malformed"');
}
