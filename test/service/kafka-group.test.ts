// Three instances on Kafka, killed and stopped: the short form of `npm run kill:kafka`. Without a broker it is skipped, and counted so.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { prng } from '../simulation/prng.ts';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { groupKill } from './group-kill.ts';

const broker = await startKafkaBroker();
const title = 'three instances, killed with -9 and stopped for longer than their session, say what one says';
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: paritas run on Kafka, several instances: ${broker}\n`);
  test(title, { skip: broker });
} else {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-group-'));
  after(async () => {
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  test(title, async () => {
    const { killed, stopped, records, differences } = await groupKill({
      bootstrap: broker.bootstrap, folder, application: `group-${Date.now().toString(36)}`, instances: 3, partitions: 4, events: 10_000, kills: 4,
      // A broker that is not ours need not allow shorter ones.
      sessionMs: broker.restart === undefined ? 6000 : 2000, random: prng(5),
    });
    deepEqual(differences, []);
    equal(killed + stopped, 4);
    ok(killed > 0 && stopped > 0 && records > 20, `${killed} killed, ${stopped} stopped, ${records} records: that says little`);
  });
}
