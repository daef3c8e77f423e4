// A cluster whose transactions do not end as they should.
import { Cluster } from '../../topology/log/kafka/cluster.ts';
import type { Connection, RequestForm } from '../../topology/log/kafka/connection.ts';
import { ConnectionLost } from '../../topology/log/kafka/kafka-error.ts';
import { END_TXN } from '../../topology/log/kafka/transaction-codec.ts';

/** Loses what belongs to EndTxn: its requests on the way there, or only the answers. Tries for a short time. */
export class LossyCluster extends Cluster {
  lose: 'requests' | 'answers' | undefined;
  /** Whoever ends a transaction waits for it first. `request`: it has the transactional id. */
  hold: ((request: Buffer) => Promise<void>) | undefined;

  override async request<T>(connection: Connection, form: RequestForm, body: Buffer, read: (data: Buffer, at: number) => T): Promise<T> {
    if (form.api === END_TXN.v2.api) await this.hold?.(body);
    const isLost = form.api === END_TXN.v2.api && this.lose !== undefined;
    const answer = isLost && this.lose === 'requests' ? undefined : await super.request(connection, form, body, read);
    if (answer === undefined || isLost) throw new ConnectionLost(connection.broker, 'lost by the test');
    return answer;
  }

  override retrying<T>(attempt: () => Promise<T>): Promise<T> {
    return super.retrying(attempt, this.lose === undefined ? 10_000 : 300);
  }
}
