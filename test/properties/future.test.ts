// A commit time long after its record says nothing: however far ahead it is, the run is the same, and nothing is late for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputRecord } from '../../schemas/records.ts';
import { realize } from '../simulation/logs.ts';
import { prng, seeds } from '../simulation/prng.ts';
import { apart, forSeeds } from '../simulation/property.ts';
import { toCapture, toConfig } from '../simulation/render.ts';
import { ROUGH, workload } from '../simulation/workload.ts';
import { check } from '../support/check.ts';

const DAY_US = 86_400_000_000;

void test('a commit time from the future is judged at the record\'s own time, and makes nothing late', async () => {
  let replaced = 0;
  await forSeeds(seeds(8_901, 60), seed => workload(seed, ROUGH), async plan => {
    const random = prng(plan.seed);
    const history = realize(plan);
    const side = random.chance(0.5) ? 'source' : 'target';
    const rows = history[side].flatMap(({ content }, i) => (content.kind === 'row' && content.change.unpositioned === undefined ? [i] : []));
    if (rows.length === 0) return [];
    replaced++;
    const index = random.pick(rows);
    const run = async (days: number): Promise<OutputRecord[]> => {
      const lines = { source: toCapture(history, 'source'), target: toCapture(history, 'target') };
      lines[side][index] = ahead(lines[side][index], days);
      return (await check({ pair: toConfig(plan) }, lines.source, lines.target, { complete: plan.seed % 3 === 0 })).records;
    };
    const [plain, soon, later] = [await run(0), await run(40), await run(4000)];
    const late = (records: readonly OutputRecord[]): number => records.filter(record => record.record === 'dead-letter').length;
    return [...apart(soon.map(withoutValue), later.map(withoutValue)), ...(late(soon) > late(plain) ? [`${late(soon)} dead letters, ${late(plain)} without it`] : [])];
  });
  assert.ok(replaced > 0);
});

/** A dead letter carries what was read. */
function withoutValue(record: OutputRecord): string {
  return JSON.stringify(record, (name, part: unknown) => (name === 'valueBase64' ? '' : part));
}

/** The same change, committed so many days after what it said. */
function ahead(line: string, days: number): string {
  const record = JSON.parse(line) as { value: string };
  const value = JSON.parse(record.value) as { source: { ts_ms: number; ts_us: number } };
  value.source.ts_us += days * DAY_US;
  value.source.ts_ms += days * DAY_US / 1000;
  return JSON.stringify({ ...record, value: JSON.stringify(value) });
}
