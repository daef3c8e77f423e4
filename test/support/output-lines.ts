// The output topics that a service promises to be the same whatever happens, as lines: topic, key, value, in the order of each topic.
import type { LogReader } from '../../topology/log/log.ts';
import type { OutputTopics } from '../../topology/reconcile.ts';

export async function outputLines(log: LogReader, { audit, manifests, verdicts, deadLetters }: OutputTopics): Promise<string[]> {
  const lines: string[] = [];
  for (const topic of [audit, manifests, verdicts, deadLetters]) {
    const reader = await log.open({ topic, partition: 0 }, 0);
    do {
      while (reader.next()) {
        const { data, keyStart, keyEnd, valueStart, valueEnd } = reader.record;
        lines.push(`${topic} ${data.toString('utf8', keyStart, keyEnd)} ${data.toString('utf8', valueStart, valueEnd)}`);
      }
    } while (await reader.fill());
    await reader.close();
  }
  return lines;
}
