// What happens to three brokers while instances work: one of them is killed or restarted, the one that coordinates the group or a task's transactions
// too, and partitions get other leaders. One thing at a time, and the next one when all replicas are in sync again.
import type { Prng } from '../simulation/prng.ts';
import type { TestCluster } from '../support/kafka-cluster.ts';
import type { TopicPlace } from './topics.ts';

const WAYS = ['leaders move', 'group coordinator killed', 'a broker restarted', 'transaction coordinator killed', 'a broker killed'] as const;

/** In turn, one with each call. */
export function disturbing(cluster: TestCluster, random: Prng): (place: TopicPlace, turn: number) => Promise<string> {
  return async ({ config: { application, outputs, pairs: [{ name, source, target }] } }, turn) => {
    const way = WAYS[turn % WAYS.length];
    if (way === 'leaders move') {
      const moved = await cluster.moveLeaders([source.topic, target.topic, outputs.verdicts, outputs.audit, `${application}-${name}-reconcile-changelog`, `${application}-${name}-windows`]);
      return `${way}: ${moved}`;
    }
    const at = way === 'group coordinator killed' ? await cluster.coordinator('group', application)
      : way === 'transaction coordinator killed' ? await cluster.coordinator('transaction', `${application}/${name}/reconcile/${random.int(4)}`)
        : random.int(cluster.brokers.length);
    await cluster.brokers[at].end(way === 'a broker restarted' ? 'SIGTERM' : 'SIGKILL');
    await cluster.brokers[at].start();
    await cluster.untilWhole();
    return `${way}: ${at + 1}`;
  };
}
