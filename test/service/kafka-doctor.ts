// `topics` and `doctor` over a real broker: what is planned is what run makes, and what is not as it must be is found before it runs. (What rights
// are missing: the table in kafka-errors.test.ts.)
import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Log } from '../../topology/log/log.ts';
import { withhold } from '../support/kafka-acls.ts';
import type { KafkaPlaces } from './kafka-places.ts';

const ILLS: readonly (readonly [what: string, make: (log: Log, app: string, bootstrap: string) => Promise<void>, code: number, says: RegExp])[] = [
  ['a topic of the wrong cleanup policy', async (log, app) => log.createTopic(`${app}-p-merge-changelog`, { partitions: 1, cleanup: 'delete' }), 2,
    /ill-0-p-merge-changelog.*has cleanup\.policy=delete, and it must be compact.*kafka-configs\.sh --alter --topic ill-0-p-merge-changelog --add-config cleanup\.policy=compact/],
  ['an input that is compacted', async (log, app) => log.createTopic(`${app}.s`, { partitions: 1, cleanup: 'compact' }), 2, /"check":"retention","subject":"ill-1\.s","state":"fail","text":"it is compacted/],
  ['an input that is not kept for as long as a window needs it', async (log, app) => log.createTopic(`${app}.s`, { partitions: 1, cleanup: 'delete', retention: { ageMs: 4000 } }), 2,
    /"subject":"ill-2\.s","state":"fail","text":"kept for 4 s; a window needs its records for 5 s"/],
  ['a missing right', async (_, app, bootstrap) => withhold(bootstrap, { user: 'alice', resource: 'topic', name: `${app}.t`, operation: 'READ' }), 5, /"subject":"ill-3\.t","state":"fail","text":"this user has no READ on it"/],
  ['sides that are split differently', async (log, app) => log.createTopic(`${app}.t`, { partitions: 2, cleanup: 'delete' }), 2, /"check":"partitions","subject":"p","state":"fail","text":"the source has 1 partition, the target 2/],
];

export function doctorTests(places: KafkaPlaces, log: Log, bootstrap: string): void {
  describe('doctor and topics', () => {
    test('topics: planned, made once, and nothing differs from what run makes; doctor finds all of it well', async () => {
      await places.put('well', 0);
      const at = places.place('well');
      const states = async (command: 'plan' | 'apply'): Promise<string[]> => {
        const { code, findings, err } = await places.tell(['topics', command], at);
        equal(code, 0, err);
        equal(findings.length, 8);
        return [...new Set(findings.map(({ state }) => state))];
      };
      const well = async (): Promise<void> => {
        const { code, findings, out } = await places.tell(['doctor'], at);
        deepEqual([code, findings.filter(({ state }) => state !== 'ok')], [0, []], out);
      };
      deepEqual(await states('plan'), ['missing']);
      await well();
      deepEqual(await states('apply'), ['made']);
      deepEqual(await states('apply'), ['there']);
      const stop = new AbortController();
      const running = places.run(at, stop.signal);
      await places.untilRead('well', 20, running);
      // Asked while it runs: nobody is disturbed.
      await well();
      await places.put('well', 20);
      await places.untilRead('well', 40, running);
      stop.abort();
      equal((await running).code, 0, (await running).err);
      deepEqual(await states('plan'), ['there']);
      deepEqual((await log.topics()).filter(topic => topic.startsWith('well')), [...places.ownTopicsOf('well'), 'well.s', 'well.t'].sort());
    });

    for (const [n, [what, make, code, says]] of ILLS.entries()) {
      test(`doctor: ${what}: ${code}`, async () => {
        const app = `ill-${n}`;
        await make(log, app, bootstrap);
        for (const topic of [`${app}.s`, `${app}.t`]) if (!(await log.topics()).includes(topic)) await log.createTopic(topic, { partitions: 1, cleanup: 'delete' });
        const at = places.place(app);
        const ran = await places.tell(['doctor'], at);
        match(ran.out, says);
        equal(ran.code, code, ran.out);
        if (n > 0) return;
        for (const { code: same, err } of [await places.tell(['topics', 'plan'], at), await places.run(at)]) {
          match(err, says);
          equal(same, 2);
        }
      });
    }

    test('doctor: nothing listens: 4; a topic that is not there: 2', async () => {
      const unreachable = await places.tell(['doctor'], places.place('nowhere', { bootstrapServers: '127.0.0.1:1', properties: {} }));
      match(unreachable.out, /"state":"fail","text":"127\.0\.0\.1:1: connection refused/);
      equal(unreachable.code, 4);
      const missing = await places.tell(['doctor'], places.place('nowhere'));
      match(missing.out, /"subject":"nowhere\.s","state":"fail","text":"there is no such topic/);
      equal(missing.code, 2);
    });
  });
}
