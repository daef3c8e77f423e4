// What people who compare replicated data have reported, as small pairs of captures with their right answer (test/fixtures/cases): one test a
// case. A case that cannot pass yet is skipped by name with its reason, and the reasons are counted out at the end.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkConfig } from '../support/check.ts';
import { problemsWith, type Expected } from './expectation.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'cases');
const CASES = 89;

/** What a configuration may ask for and is not built: every case that asks for it waits. */
const NOT_BUILT: readonly (readonly [RegExp, string])[] = [
  ...['maxwell', 'canal-json', 'tidb-open', 'cockroach', 'debezium-flat', 'debezium-protobuf'].map((format): [RegExp, string] => [new RegExp(`format: ${format}\\b`), `format ${format} is not built`]),
];

function skipReason(config: string): string | undefined {
  return NOT_BUILT.find(([asks]) => asks.test(config))?.[1];
}

const skipped = new Map<string, string[]>();
const names = readdirSync(folder).sort();

test('all cases are there', () => assert.equal(names.length, CASES));

for (const name of names) {
  const expected = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as Expected;
  const skip = skipReason(readFileSync(join(folder, name, 'paritas.yaml'), 'utf8'));
  if (skip !== undefined) skipped.set(skip, [...(skipped.get(skip) ?? []), expected.id]);
  test(`${expected.id}: ${expected.title}`, { skip: skip ?? false }, async () => {
    assert.deepEqual(await problemsOf(name, expected), [], `${expected.note}\n${expected.reference}`);
  });
  if (skip === undefined) continue;
  test(`${expected.id} is skipped and does not pass`, async () => {
    const problems = await problemsOf(name, expected).catch((error: unknown) => [String(error)]);
    assert.notDeepEqual(problems, [], `it passes now: take it out of the list (${skip})`);
  });
}

async function problemsOf(name: string, expected: Expected): Promise<string[]> {
  const { records, exitCode } = await checkConfig(join(folder, name, 'paritas.yaml'), { complete: expected.complete });
  return problemsWith(expected, records, exitCode);
}

after(() => {
  const count = [...skipped.values()].flat().length;
  if (count === 0) return;
  const reasons = [...skipped].map(([reason, ids]) => `  ${reason}: ${ids.join(' ')}\n`);
  process.stderr.write(`\n*** ${count} of ${names.length} cases SKIPPED ***\n${reasons.join('')}\n`);
});
