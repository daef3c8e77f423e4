// Property 20 on what databases really wrote: over Kafka every capture that has a target gives the records, byte by byte, that it gives over the
// embedded log. Of each a table against a target of its, by turns; `npm run same:kafka` does it with a generated history of any size.
import { ok } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { AppendRecord } from '../../topology/log/log.ts';
import { fixtures } from '../support/captures.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { captureOverTopics, inBothLogs, sayTheSame } from './both-logs.ts';

const title = 'property 20: embedded log and Kafka give the same records of every capture';
const TABLES = ['orders', 'customers', 'items'];
const TARGETS = ['tgt', 'tgtm'] as const;

const broker = await startKafkaBroker();
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: captures on Kafka: ${broker}\n`);
  test(title, { skip: broker });
} else {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-captures-'));
  after(async () => {
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test(title, async () => {
    const name = `captures-${Date.now().toString(36)}`;
    const pairs: object[] = [];
    const records: AppendRecord[] = [];
    for (const [turn, capture] of readdirSync(fixtures).sort().entries()) {
      const table = TABLES[turn % TABLES.length];
      const order = turn % 2 === 0 ? TARGETS : TARGETS.toReversed();
      const found = order.map(target => captureOverTopics(capture, table, target, name)).find(one => one !== undefined);
      if (found === undefined) continue;
      pairs.push(found.pair);
      records.push(...found.records);
    }
    ok(pairs.length >= 12, `only ${pairs.length} pairs`);
    const said = await sayTheSame(await inBothLogs(folder, broker.bootstrap, name, pairs, records));
    ok(said.verdicts > 50 && said.manifests > 100, `${said.verdicts} verdicts, ${said.manifests} manifests: they say little`);
  });
}
