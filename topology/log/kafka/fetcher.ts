// Fetches for all readers: one request per broker carries every partition that wants more, and a partition is in one request at a time. A reader
// that takes what came wants again at once, so the next answer is on its way while this one is worked on.
import { kafkaFetchesInFlight } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import type { TopicPartition } from '../log.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { Cluster } from './cluster.ts';
import type { BrokerAddress } from './connection.ts';
import { FETCH, type FetchedPartition, fetchRequest, readFetchAnswer } from './fetch-codec.ts';
import { BrokerError, isRetriable, nameOf } from './kafka-error.ts';
import { Failing, sleepMs } from './patience.ts';

/** A partition that is read. */
export interface FetchTarget extends TopicPartition {
  readonly topicId: string;
  readonly fetchOffset: number;
  /** Whether it still wants to be fetched. */
  wants(): boolean;
  take(fetched: FetchedPartition): void;
  fail(error: unknown): void;
}

interface Broker { readonly address: BrokerAddress; waiting: FetchTarget[]; readonly slots: boolean[]; isScheduled: boolean }

export class Fetcher {
  readonly #cluster: Cluster;
  readonly #brokers = new Map<string, Broker>();
  /** Waiting or in flight. */
  readonly #active = new Set<FetchTarget>();
  /** What cannot be fetched. */
  readonly #failing = new Map<FetchTarget, Failing>();

  /** Whoever takes a part of an answer holds it, and releases it. */
  readonly answers: AnswerMemory;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.answers = cluster.answers;
  }

  want(target: FetchTarget): void {
    if (this.#active.has(target) || !target.wants()) return;
    this.#active.add(target);
    void this.#route(target);
  }

  async #route(target: FetchTarget): Promise<void> {
    try {
      const address = await this.#cluster.leaderOf(target.topic, target.partition);
      const id = `${address.host}:${address.port}`;
      let broker = this.#brokers.get(id);
      if (broker === undefined) this.#brokers.set(id, broker = { address, waiting: [], slots: new Array<boolean>(kafkaFetchesInFlight).fill(false), isScheduled: false });
      broker.waiting.push(target);
      this.#schedule(broker);
    } catch (error) {
      void this.#retry([target], error);
    }
  }

  /** Once per turn of the event loop, so that one request carries all that want by then. */
  #schedule(broker: Broker): void {
    if (broker.isScheduled) return;
    broker.isScheduled = true;
    setImmediate(() => {
      broker.isScheduled = false;
      const slot = broker.slots.indexOf(false);
      if (slot >= 0 && broker.waiting.length > 0) void this.#fetch(broker, slot);
    });
  }

  async #fetch(broker: Broker, slot: number): Promise<void> {
    const wanting = broker.waiting.filter(target => target.wants() || !this.#active.delete(target));
    const { asked, targets, later } = onePerPartition(wanting);
    broker.waiting = later;
    if (targets.length === 0) return;
    broker.slots[slot] = true;
    try {
      const connection = await this.#cluster.connection(`fetch ${slot}`, broker.address);
      const { errorCode, partitions } = await this.#cluster.request(connection, FETCH, fetchRequest(asked), readFetchAnswer);
      if (errorCode !== 0) throw new BrokerError('Fetch', errorCode, connection.broker);
      this.#deliver(targets, partitions);
      if (partitions.length > 0) this.answers.release(partitions[0].data);
    } catch (error) {
      void this.#retry(targets, error);
    } finally {
      broker.slots[slot] = false;
      this.#schedule(broker);
    }
  }

  #deliver(targets: readonly FetchTarget[], partitions: readonly FetchedPartition[]): void {
    const byId = new Map(partitions.map(fetched => [`${fetched.topicId} ${fetched.partition}`, fetched]));
    for (const target of targets) {
      const fetched = byId.get(`${target.topicId} ${target.partition}`);
      if (fetched === undefined || fetched.errorCode !== 0) {
        void this.#retry([target], errorOf(target, fetched?.errorCode ?? 3));
        continue;
      }
      this.#failing.delete(target);
      this.#cluster.outage.ends(target, true);
      this.#active.delete(target);
      target.take(fetched);
      this.want(target);
    }
  }

  /** Where another try can help, the partitions are asked for again, each from its leader; else their readers fail. */
  async #retry(targets: readonly FetchTarget[], error: unknown): Promise<void> {
    const { patience, retryMs } = this.#cluster;
    const nowMs = performance.now();
    patience.failed(error, nowMs);
    const again: FetchTarget[] = [];
    for (const target of targets) {
      const failing = this.#failing.get(target) ?? new Failing();
      this.#failing.set(target, failing);
      const sinceMs = failing.since(error, nowMs);
      if (this.#cluster.isClosed || !isRetriable(error) || patience.isOver(sinceMs, retryMs, nowMs)) {
        this.#failing.delete(target);
        this.#cluster.outage.ends(target, false);
        this.#active.delete(target);
        target.fail(isRetriable(error) ? patience.gaveUp(error, sinceMs) : error);
      } else {
        this.#cluster.outage.waits(target, error, retryMs);
        again.push(target);
      }
    }
    if (again.length === 0) return;
    this.#cluster.forget();
    await sleepMs(100);
    for (const target of again) {
      this.#active.delete(target);
      this.want(target);
    }
  }
}

/**
 * A request asks for a partition once: of two askings the broker answers one, and another offset's records would be taken for one's own. Readers
 * at the same offset, as those that wait at the end of a topic, share the answer; those at others are for a later request.
 */
function onePerPartition(wanting: readonly FetchTarget[]): { asked: FetchTarget[]; targets: FetchTarget[]; later: FetchTarget[] } {
  const byPartition = new Map<string, FetchTarget>();
  const [targets, later]: [FetchTarget[], FetchTarget[]] = [[], []];
  for (const target of wanting) {
    const id = `${target.topicId} ${target.partition}`;
    const first = byPartition.get(id) ?? target;
    byPartition.set(id, first);
    (first.fetchOffset === target.fetchOffset ? targets : later).push(target);
  }
  return { asked: [...byPartition.values()], targets, later };
}

function errorOf(target: FetchTarget, errorCode: number): Error {
  const where = `${target.topic}-${target.partition}@${target.fetchOffset}`;
  if (nameOf(errorCode) !== 'OFFSET_OUT_OF_RANGE') return new BrokerError('Fetch', errorCode, where);
  return new LogError('out-of-range', `${where}: what was to be read next is gone: retention has deleted it, or the partition was cut`);
}
