// What a topic is, beyond its name: one that is made anew under its name is another topic, and offsets of the old one mean nothing in it.
import { kafkaTopicGoneMs } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import { BrokerError } from './kafka-error.ts';

export class TopicIds {
  readonly #ids = new Map<string, string>();
  /** Since when what was there is not, milliseconds of `performance.now`. */
  readonly #goneSinceMs = new Map<string, number>();

  /** One that is made under the name from now on is taken for the topic. */
  forget(name: string): void {
    this.#ids.delete(name);
    this.#goneSinceMs.delete(name);
  }

  /** The id, without dashes, by what a broker tells of the topic. Throws LogError `unknown-topic`, `topic-differs`; BrokerError for what may pass. */
  check(name: string, { errorCode, topicId }: { readonly errorCode: number; readonly topicId: string }): string {
    if (errorCode === 3) throw this.#unknown(name);
    if (errorCode === 17) throw new LogError('unknown-topic', `"${name}" cannot be the name of a Kafka topic`);
    if (errorCode !== 0) throw new BrokerError('Metadata', errorCode, `topic "${name}"`);
    this.#goneSinceMs.delete(name);
    const id = topicId.replaceAll('-', '');
    const before = this.#ids.get(name);
    if (before !== undefined && before !== id) {
      throw new LogError('topic-differs', `topic "${name}" was deleted and made anew: offsets of the old one mean nothing in it; start again with a new application name, or from its beginning`);
    }
    this.#ids.set(name, id);
    return id;
  }

  /** One that was there may be told of by a broker that lags behind the others. */
  #unknown(name: string): Error {
    if (!this.#ids.has(name)) return new LogError('unknown-topic', `the cluster has no topic "${name}"; create it first, or grant DESCRIBE on it`);
    const nowMs = performance.now();
    const sinceMs = this.#goneSinceMs.get(name) ?? nowMs;
    this.#goneSinceMs.set(name, sinceMs);
    if (nowMs - sinceMs < kafkaTopicGoneMs) return new BrokerError('Metadata', 3, `topic "${name}"`);
    return new LogError('unknown-topic', `topic "${name}" was deleted while it was in use; start again: an output is made anew, and of an input or a changelog the start says what to do`);
  }
}
