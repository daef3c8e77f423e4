// Looks from time to time whether a topic that is followed has the partitions that it had. Counter-example to looking at the start only: partitions
// are added while the service runs, keys go there from then on, nobody reads them, and windows that lack their changes on both sides are in parity.
import { LogError } from '../embedded-error.ts';
import type { Cluster } from './cluster.ts';

interface Followed { readonly topic: string; fail(error: unknown): void }

export class PartitionWatch {
  readonly #cluster: Cluster;
  readonly #followed = new Map<Followed, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#timer = setInterval(() => void this.#look(), cluster.metadataMs).unref();
  }

  /** `partitions`: as many as the topic has. It fails once there are others. */
  add(reader: Followed, partitions: number): void {
    this.#followed.set(reader, partitions);
  }

  delete(reader: Followed): void {
    this.#followed.delete(reader);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    this.#cluster.forget();
    const byTopic = Map.groupBy(this.#followed.keys(), ({ topic }) => topic);
    for (const [topic, readers] of byTopic) {
      // Of a topic that cannot be asked for its readers hear by themselves.
      const now = await this.#cluster.topic(topic).then(({ leaders }) => leaders.length, () => undefined);
      for (const reader of readers) {
        const before = this.#followed.get(reader);
        if (now === undefined || before === undefined || now === before) continue;
        reader.fail(new LogError('topic-differs', `topic "${topic}" has ${now} partitions now, and had ${before}: keys lie elsewhere since then, and the new ones are not read; start again, and the start says what to do`));
      }
    }
  }
}
