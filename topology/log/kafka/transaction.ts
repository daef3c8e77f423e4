// The producer of one transactional id: an append is one transaction of three kinds of request, Produce, TxnOffsetCommit, EndTxn. Whoever opens
// the id last fences all before: their open transaction is aborted, their later requests refused.
//
// - A request without an answer is sent again with the same bytes and sequence numbers: the broker knows a batch that it has.
// - After an error before EndTxn the transaction is aborted; the answer brings a new epoch, with which the sequence numbers begin again.
// - Where the cluster has transactions as they were before KIP-890, one begins with a new epoch and names what it will write (transaction-v1.ts).
// - EndTxn(commit) without an answer: the outcome is not known, and not guessed. The same request, sent again before anything else of this
//   producer, is answered with the outcome; `settle` does so, and who asks for committed positions settles first.
import { kafkaTransactionMs, kafkaWriteRequestBytes } from '../../../schemas/limits.ts';
import type { TopicPartition } from '../log.ts';
import { AppendEnded, AppendRefused } from '../../runtime/append-ended.ts';
import { WriterFenced } from '../../runtime/writer-fenced.ts';
import type { Cluster } from './cluster.ts';
import { BrokerError, isNamed, isRetriable } from './kafka-error.ts';
import { initProducerIdV5 } from './library.ts';
import { type EncodedBatch, type ProducerIdentity, seal } from './record-batch.ts';
import { joinTransaction } from './transaction-v1.ts';
import {
  type CommitPosition, END_TXN, PRODUCE, type ProducedPartition, TXN_OFFSET_COMMIT,
  endTxnRequest, produceRequest, readEndTxnAnswer, readProduceAnswer, readTxnOffsetCommitAnswer, txnOffsetCommitRequest,
} from './transaction-codec.ts';

/** Where a partition ends behind what was written last. */
export type WrittenEnd = TopicPartition & { readonly endOffset: number };

/** What a broker says to a writer whose transaction it has ended, where nobody else has opened the id. */
const ENDED = ['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_TXN_STATE', 'INVALID_PRODUCER_ID_MAPPING', 'TRANSACTION_ABORTABLE'] as const;

/** Opens the id, and with it ends whatever a predecessor has open. */
export async function openProducer(cluster: Cluster, transactionalId: string): Promise<TransactionalProducer> {
  const producer = new TransactionalProducer(cluster, transactionalId);
  await producer.open();
  return producer;
}

export class TransactionalProducer {
  readonly #cluster: Cluster;
  readonly #id: string;
  #identity: ProducerIdentity = { producerId: -1n, epoch: -1 };
  /** What the last transaction still needs before the next can begin. */
  #unsettled: 'nothing' | 'commit' | 'abort' = 'nothing';
  #fenced: WriterFenced | undefined;

  constructor(cluster: Cluster, transactionalId: string) {
    this.#cluster = cluster;
    this.#id = transactionalId;
  }

  async open(): Promise<void> {
    const { producerId, epoch } = this.#identity;
    const bump: [bigint?, number?] = producerId < 0n ? [] : [producerId, epoch];
    await this.#cluster.retrying(async () => {
      const connection = await this.#cluster.connection('transaction', await this.#cluster.coordinator('transaction', this.#id));
      const answer = await this.#cluster.call(connection, initProducerIdV5, 'InitProducerId', `transactional id "${this.#id}"`, this.#id, kafkaTransactionMs, ...bump);
      this.#identity = { producerId: answer.producerId, epoch: answer.producerEpoch };
    });
  }

  /** One transaction. Rejects where nothing of it is there, and where that is not known: then `settle` tells. */
  async write(batches: readonly EncodedBatch[], group: string, positions: readonly CommitPosition[]): Promise<WrittenEnd[]> {
    await this.settle();
    if (batches.length === 0 && positions.length === 0) return [];
    const isV1 = this.#cluster.transactions === 'v1';
    if (isV1) await this.#reopen();
    this.#unsettled = 'abort';
    try {
      if (isV1) await joinTransaction(this.#cluster, this.#id, this.#identity, batches, positions.length > 0 ? group : undefined);
      const ends = await this.#produce(batches);
      if (positions.length > 0) await this.#commitPositions(group, positions);
      this.#unsettled = 'commit';
      await this.#end(true);
      return ends;
    } catch (error) {
      // An outcome that is known to be "no" leaves something to abort; one that is not known is asked for at the next occasion.
      if (isRetriable(error)) throw error;
      const outcome = await this.settle().catch(() => undefined);
      if (this.#fenced !== undefined || outcome !== 'aborted') throw this.#fenced ?? error;
      throw isNamed(error, ...ENDED) ? new AppendEnded(this.#id, error) : new AppendRefused(error);
    }
  }

  /** Brings the last transaction to its end, and tells which; nothing: there is none that has not been told of. */
  async settle(): Promise<'committed' | 'aborted' | 'nothing'> {
    if (this.#fenced !== undefined) throw this.#fenced;
    if (this.#unsettled === 'nothing') return 'nothing';
    const isCommit = this.#unsettled === 'commit';
    try {
      await this.#end(isCommit);
      return isCommit ? 'committed' : 'aborted';
    } catch (error) {
      if (isRetriable(error) || !(error instanceof BrokerError)) throw error;
    }
    // The coordinator has ended it by itself (its time was up), or another process has the id: a new epoch tells which.
    await this.#reopen();
    this.#unsettled = 'nothing';
    return 'aborted';
  }

  async #reopen(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      if (isNamed(error, 'PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH')) this.#fenced = new WriterFenced(this.#id, error);
      throw this.#fenced ?? error;
    }
  }

  async #produce(batches: readonly EncodedBatch[]): Promise<WrittenEnd[]> {
    const ends = new Map<string, WrittenEnd>();
    const sequences = new Map<string, number>();
    let waiting = batches;
    while (waiting.length > 0) {
      const [round, later] = nextRound(waiting);
      for (const batch of round) {
        const sequence = sequences.get(idOf(batch)) ?? 0;
        seal(batch, this.#identity, sequence);
        sequences.set(idOf(batch), sequence + batch.count);
      }
      await this.#sendRound(round, ends);
      waiting = later;
    }
    return [...ends.values()];
  }

  /** Sends until every batch is acknowledged; those that are not go again, with the same bytes. */
  async #sendRound(round: readonly EncodedBatch[], ends: Map<string, WrittenEnd>): Promise<void> {
    const open = new Map(round.map(batch => [idOf(batch), batch]));
    await this.#cluster.retrying(async () => {
      const byLeader = new Map<string, EncodedBatch[]>();
      for (const batch of open.values()) {
        const { host, port } = await this.#cluster.leaderOf(batch.topic, batch.partition);
        const list = byLeader.get(`${host} ${port}`);
        if (list === undefined) byLeader.set(`${host} ${port}`, [batch]);
        else list.push(batch);
      }
      const answers = await Promise.allSettled([...byLeader.values()].map(list => this.#sendTo(list)));
      const errors: unknown[] = [];
      for (const answer of answers) {
        if (answer.status === 'rejected') errors.push(answer.reason);
        else {for (const produced of answer.value) {
          if (produced.errorCode !== 0) errors.push(new BrokerError('Produce', produced.errorCode, `${produced.topic}-${produced.partition}`, produced.message));
          else acknowledge(produced);
        }}
      }
      if (errors.length > 0) throw errors.find(error => !isRetriable(error)) ?? errors[0];
    });

    function acknowledge({ topic, partition, baseOffset }: ProducedPartition): void {
      const batch = open.get(idOf({ topic, partition }));
      if (batch === undefined) return;
      open.delete(idOf(batch));
      ends.set(idOf(batch), { topic, partition, endOffset: baseOffset + batch.count });
    }
  }

  async #sendTo(batches: readonly EncodedBatch[]): Promise<ProducedPartition[]> {
    const connection = await this.#cluster.connection('produce', await this.#cluster.leaderOf(batches[0].topic, batches[0].partition));
    return await this.#cluster.request(connection, PRODUCE[this.#cluster.transactions], produceRequest(this.#id, batches), readProduceAnswer);
  }

  async #commitPositions(group: string, positions: readonly CommitPosition[]): Promise<void> {
    await this.#cluster.retrying(async () => {
      const connection = await this.#cluster.connection('group', await this.#cluster.coordinator('group', group));
      const answers = await this.#cluster.request(connection, TXN_OFFSET_COMMIT[this.#cluster.transactions], txnOffsetCommitRequest(this.#id, group, this.#identity, positions), readTxnOffsetCommitAnswer);
      const failed = answers.find(({ errorCode }) => errorCode !== 0);
      if (failed !== undefined) throw new BrokerError('TxnOffsetCommit', failed.errorCode, `group "${group}", ${failed.topic}-${failed.partition}`);
    });
  }

  async #end(isCommit: boolean): Promise<void> {
    await this.#cluster.retrying(async () => {
      const connection = await this.#cluster.connection('transaction', await this.#cluster.coordinator('transaction', this.#id));
      const { transactions } = this.#cluster;
      const { errorCode, next } = await this.#cluster.request(connection, END_TXN[transactions], endTxnRequest(this.#id, this.#identity, isCommit), readEndTxnAnswer[transactions]);
      if (errorCode !== 0) throw new BrokerError('EndTxn', errorCode, `transactional id "${this.#id}"`);
      if (next !== undefined && next.producerId >= 0n) this.#identity = next;
    });
    this.#unsettled = 'nothing';
  }
}

/** The first batch of every partition, as far as one request may carry them; the others wait. */
function nextRound(batches: readonly EncodedBatch[]): [round: EncodedBatch[], later: EncodedBatch[]] {
  const round = new Map<string, EncodedBatch>();
  const later: EncodedBatch[] = [];
  let sizeBytes = 0;
  for (const batch of batches) {
    const fits = round.size === 0 || sizeBytes + batch.data.length <= kafkaWriteRequestBytes;
    if (!fits || round.has(idOf(batch)) || later.some(other => idOf(other) === idOf(batch))) later.push(batch);
    else {
      round.set(idOf(batch), batch);
      sizeBytes += batch.data.length;
    }
  }
  return [[...round.values()], later];
}

function idOf({ topic, partition }: TopicPartition): string {
  return `${topic}-${partition}`;
}
