// The cluster as a client knows it: its brokers, where partitions and groups are led, a connection for each purpose. What is known is used until
// a broker refuses by it; then it is asked anew. A topic that is made anew under its name is another topic, and refused.
import { kafkaRequestMs } from '../../../schemas/limits.ts';
import { LogError } from '../embedded-error.ts';
import { AnswerMemory } from './answer-memory.ts';
import { brokerErrorOf, lenient, type LibraryCodec } from './answers.ts';
import { checkVersions, type Transactions } from './broker-versions.ts';
import type { ClientSettings, KafkaCluster } from './client-properties.ts';
import { addressOf, type BrokerAddress, Connection, type RequestBody, type RequestForm } from './connection.ts';
import { BrokerError, ConnectionLost, GivenUp, isRetriable } from './kafka-error.ts';
import { Reader, findCoordinatorV6, metadataV12 } from './library.ts';
import { Outage } from './outage.ts';
import { Failing, isBusy, Patience, sleepMs } from './patience.ts';
import { authenticate } from './sasl.ts';
import { TopicIds } from './topic-ids.ts';
import { ENDED_THERE } from './why-lost.ts';

export interface Topic {
  readonly name: string;
  /** Without dashes. */
  readonly id: string;
  /** Node ids of the leaders, by partition; -1 where there is none just now. */
  readonly leaders: readonly number[];
}

export type ClusterSettings = ClientSettings & Pick<KafkaCluster, 'allowTransactionsV1'>;

export interface ClusterParts {
  /** One line for the operator. */
  readonly say?: ((line: string) => void) | undefined;
  /** Aborted: the service is to stop, and waits for no broker for long. */
  readonly stop?: AbortSignal | undefined;
}

export class Cluster {
  readonly #bootstrap: readonly BrokerAddress[];
  readonly #settings: ClusterSettings;
  readonly #connections = new Map<string, Promise<Connection>>();
  readonly #topics = new Map<string, Promise<Topic>>();
  readonly #topicIds = new TopicIds();
  readonly #coordinators = new Map<string, Promise<BrokerAddress>>();
  readonly #checked = new Set<string>();
  #brokers = new Map<number, BrokerAddress>();
  #transactions: Transactions | undefined;
  #closed = false;

  readonly outage: Outage;
  readonly patience: Patience;
  readonly answers: AnswerMemory = new AnswerMemory();
  readonly #stop: AbortSignal | undefined;

  constructor(bootstrapServers: readonly string[], settings: ClusterSettings, { say = () => undefined, stop }: ClusterParts = {}) {
    this.#bootstrap = bootstrapServers.map(addressOf);
    this.#settings = settings;
    this.outage = new Outage(say);
    this.patience = new Patience(stop);
    this.#stop = stop;
  }

  /** So long what may pass by itself is tried again. */
  get retryMs(): number {
    return this.#settings.retryMs;
  }

  /** Milliseconds between two looks at what is followed. */
  get metadataMs(): number {
    return this.#settings.metadataMs;
  }

  /** As the first broker that answered had them: a cluster that is upgraded meanwhile takes the old ones on. */
  get transactions(): Transactions {
    return this.#transactions ?? 'v2';
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** The topic, as last told, or asked for once; throws LogError `unknown-topic`. */
  topic(name: string): Promise<Topic> {
    let known = this.#topics.get(name);
    if (known === undefined) {
      this.#topics.set(name, known = this.#askTopic(name));
      known.catch(() => this.#topics.delete(name));
    }
    return known;
  }

  /** What is known of leaders and coordinators is asked anew. */
  forget(): void {
    this.#topics.clear();
    this.#coordinators.clear();
  }

  /** The topic is gone: one that is made under the name is another one. */
  forgetTopic(name: string): void {
    this.#topics.delete(name);
    this.#topicIds.forget(name);
  }

  async topicNames(): Promise<string[]> {
    const { topics } = await this.retrying(async () => this.call(await this.any(), metadataV12, 'Metadata', 'the cluster', null as never, false));
    return topics.filter(topic => !topic.isInternal && topic.name !== null).map(({ name }) => name ?? '').sort();
  }

  async leaderOf(name: string, partition: number): Promise<BrokerAddress> {
    const topic = await this.topic(name);
    const address = this.#brokers.get(topic.leaders[partition]);
    if (address !== undefined) return address;
    this.#topics.delete(name);
    throw new BrokerError('Metadata', 5, `${name}-${partition}`);
  }

  /** group: of a consumer group; transaction: of a transactional id. */
  coordinator(kind: 'group' | 'transaction', key: string): Promise<BrokerAddress> {
    const id = `${kind} ${key}`;
    let known = this.#coordinators.get(id);
    if (known === undefined) {
      this.#coordinators.set(id, known = this.#askCoordinator(kind, key));
      known.catch(() => this.#coordinators.delete(id));
    }
    return known;
  }

  /** A connection of that purpose; requests of one connection are answered one behind the other. */
  connection(purpose: string, address: BrokerAddress): Promise<Connection> {
    const id = `${purpose} ${address.host}:${address.port}`;
    let known = this.#connections.get(id);
    if (known === undefined) {
      this.#connections.set(id, known = this.#connect(address));
      known.catch(() => this.#connections.delete(id));
    }
    return known.then(connection => {
      if (connection.isOpen) return connection;
      if (this.#connections.get(id) === known) this.#connections.delete(id);
      return this.connection(purpose, address);
    });
  }

  /** A connection to whichever broker answers. */
  async any(): Promise<Connection> {
    const failed: unknown[] = [];
    const addresses = new Map([...this.#bootstrap, ...this.#brokers.values()].map(address => [`${address.host}:${address.port}`, address]));
    for (const address of addresses.values()) {
      try {
        return await this.connection('control', address);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        failed.push(error);
      }
    }
    throw failed.length === 1 ? failed[0] : new ConnectionLost('log.kafka.bootstrapServers', `no broker answers: ${failed.map(error => (error as Error).message).join('; ')}`, failed[0]);
  }

  /** One question to whichever broker answers. Before it has named itself by SASL a client may ask nothing but versions. */
  async ask(): Promise<void> {
    const connection = await this.any();
    try {
      await this.call(connection, metadataV12, 'Metadata', connection.broker, [], false, false);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || !ENDED_THERE.has(error.why)) throw error;
      throw new ConnectionLost(connection.broker, 'the broker closed the connection at the first question; security.protocol is not what this port wants', error);
    }
  }

  call<A extends unknown[], R>(connection: Connection, codec: LibraryCodec<A, R>, api: string, where: string, ...args: A): Promise<R> {
    return this.callWithin(kafkaRequestMs, connection, codec, api, where, ...args);
  }

  /** For a request that the broker answers when it is time. */
  async callWithin<A extends unknown[], R>(timeoutMs: number, connection: Connection, codec: LibraryCodec<A, R>, api: string, where: string, ...args: A): Promise<R> {
    const form = { api: codec.api.key ?? 0, version: codec.api.version };
    return this.#answered(connection.request(form, codec.createRequest(...args).buffer, (data, at) => {
      try {
        return codec.parseResponse(0, form.api, form.version, Reader.from(data.subarray(at)));
      } catch (error) {
        throw brokerErrorOf(error, api, where);
      }
    }, timeoutMs));
  }

  request<T>(connection: Connection, form: RequestForm, body: RequestBody, read: (data: Buffer, at: number) => T): Promise<T> {
    return this.#answered(connection.request(form, body, read, kafkaRequestMs));
  }

  async #answered<T>(request: Promise<T>): Promise<T> {
    const answer = await request;
    this.patience.answered();
    return answer;
  }

  /**
   * Tries until it succeeds, fails for good, or so long has passed since it failed first: an attempt that hung before it failed has not been
   * tried for long. Rejects with `GivenUp` then.
   */
  async retrying<T>(attempt: () => Promise<T>, retryMs: number = this.retryMs): Promise<T> {
    const who = new Failing();
    for (let tries = 1; ; tries++) {
      try {
        if (this.#closed) throw new LogError('closed', 'the Kafka log is closed');
        this.patience.check();
        const answer = await attempt();
        this.outage.ends(who, true);
        return answer;
      } catch (error) {
        const nowMs = performance.now();
        const failedMs = who.since(error, nowMs);
        this.patience.failed(error, nowMs);
        const mayPass = isRetriable(error) && !(error instanceof GivenUp) && !this.#closed;
        if (!mayPass || this.patience.isOver(failedMs, retryMs, nowMs)) {
          this.outage.ends(who, false);
          throw mayPass ? this.patience.gaveUp(error, failedMs) : error;
        }
        this.outage.waits(who, error, retryMs);
        if (!isBusy(error)) this.forget();
        await sleepMs(isBusy(error) ? Math.min(2 * tries, 50) : Math.min(20 * tries, 250));
      }
    }
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#connections.values()) connection.then(open => open.close(), () => undefined);
    this.#connections.clear();
  }

  async #connect(address: BrokerAddress): Promise<Connection> {
    const connection = new Connection(address, this.#settings.clientId, this.#stop, this.answers);
    await connection.connect(address, this.#settings.tls);
    try {
      if (!this.#checked.has(connection.broker)) {
        const transactions = await checkVersions(connection, this.#settings.clientId, this.#settings.allowTransactionsV1 ?? false);
        this.#transactions ??= transactions;
      }
      this.#checked.add(connection.broker);
      if (this.#settings.sasl !== undefined) await authenticate(connection, this.#settings.sasl);
      if (this.#closed) throw new LogError('closed', 'the Kafka log is closed');
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  async #askTopic(name: string): Promise<Topic> {
    const answer = await this.call(await this.any(), { ...metadataV12, parseResponse: lenient(metadataV12.parseResponse) }, 'Metadata', `topic "${name}"`, [name], false, false);
    this.#brokers = new Map(answer.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    const [told] = answer.topics;
    const id = this.#topicIds.check(name, told);
    const leaders: number[] = [];
    for (const { partitionIndex, leaderId } of told.partitions) leaders[partitionIndex] = leaderId;
    return { name, id, leaders };
  }

  async #askCoordinator(kind: 'group' | 'transaction', key: string): Promise<BrokerAddress> {
    const { coordinators: [{ host, port }] } = await this.call(await this.any(), findCoordinatorV6, 'FindCoordinator', `${kind} "${key}"`, kind === 'group' ? 0 : 1, [key]);
    return { host, port };
  }
}
