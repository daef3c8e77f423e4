// A member of a group by Kafka's classic protocol: all join, the coordinator makes one of them the leader, and the leader shares the tasks out.
// What members say of themselves and what they are given travels in bytes that the broker does not look into. No topic is subscribed to, and
// no position is committed by this group: each task has a group of its own for them, and is fenced by its writer.
import { ParitasError } from '../../../schemas/errors.ts';
import { groupLeaveMs, kafkaRequestMs } from '../../../schemas/limits.ts';
import { assignTasks, type AssignorSettings, type Share, type TaskName } from '../../runtime/assignor.ts';
import { type GroupProtocol, MemberLost, type MemberState } from '../../runtime/membership.ts';
import { lenient } from './answers.ts';
import type { Cluster } from './cluster.ts';
import { clusterOf } from './open-cluster.ts';
import type { KafkaCluster } from './client-properties.ts';
import type { Connection } from './connection.ts';
import { decodeShare, decodeState, encodeShare, encodeState } from './group-codec.ts';
import { BrokerError, ConnectionLost, isNamed, nameOf } from './kafka-error.ts';
import { heartbeatV4, joinGroupV9, leaveGroupV5, syncGroupV5 } from './library.ts';
import { within } from './patience.ts';
import { noAnswer } from './why-lost.ts';

export interface KafkaGroupOptions extends KafkaCluster {
  readonly group: string;
  /** Makes it a static member: it may be gone for a session without losing its tasks. */
  readonly instance?: string | undefined;
  /** The tasks as this member knows them; those of the leader count. */
  readonly tasks: () => readonly TaskName[];
  readonly assignor: AssignorSettings;
  readonly sessionMs: number;
  /** How long a round waits for a member that is alive. */
  readonly roundMs: number;
}

/** Connections of its own: a broker answers those of one connection in turn, and a heartbeat behind a join would come too late. */
export function openGroupMember(options: KafkaGroupOptions): GroupProtocol {
  return new GroupMember(options, clusterOf(options));
}

/** Not `consumer`: then the broker would read the bytes as subscriptions. */
const PROTOCOL_TYPE = 'paritas';
const PROTOCOL = 'shares-1';

type Round = joinGroupV9.JoinGroupResponse;

class GroupMember implements GroupProtocol {
  readonly #options: KafkaGroupOptions;
  readonly #cluster: Cluster;
  readonly #instance: string | null;
  #memberId = '';
  #generation = -1;
  /** What it shared out last, as leader: another list of tasks is a reason for a round. */
  #shared: readonly TaskName[] | undefined;
  /** In what it says of itself: a follower that says the same as before would be answered without a round. */
  #joins = 0;

  constructor(options: KafkaGroupOptions, cluster: Cluster) {
    this.#options = options;
    this.#cluster = cluster;
    this.#instance = options.instance ?? null;
  }

  async join(state: MemberState): Promise<Share> {
    for (;;) {
      const round = await this.#joinRound(state);
      const share = await this.#sync(round);
      if (share !== undefined) return share;
    }
  }

  async heartbeat(): Promise<boolean> {
    const { group } = this.#options;
    const errorCode = await this.#ask('heartbeat', async connection => {
      const answer = await this.#cluster.call(connection, { ...heartbeatV4, parseResponse: lenient(heartbeatV4.parseResponse) }, 'Heartbeat', this.#where, group, this.#generation, this.#memberId, this.#instance);
      return this.#passing('Heartbeat', answer.errorCode);
    });
    if (nameOf(errorCode) === 'REBALANCE_IN_PROGRESS') return true;
    this.#check('Heartbeat', errorCode);
    return this.#shared !== undefined && !isSame(this.#shared, this.#options.tasks());
  }

  async leave(): Promise<void> {
    const memberId = this.#memberId;
    this.#memberId = '';
    try {
      if (memberId === '' || this.#instance !== null) return;
      const member = { memberId, groupInstanceId: null, reason: 'the instance is stopped' };
      const asked = this.#ask('heartbeat', connection => this.#cluster.call(connection, leaveGroupV5, 'LeaveGroup', this.#where, this.#options.group, [member]), groupLeaveMs);
      // A connection that does not come about, and an answer that does not, take longer.
      await within(groupLeaveMs, asked, () => new ConnectionLost(this.#where, noAnswer(groupLeaveMs)));
    } catch (error) {
      if (!isNamed(error, 'UNKNOWN_MEMBER_ID')) throw error;
    } finally {
      this.#cluster.close();
    }
  }

  get #where(): string {
    return `group "${this.#options.group}"`;
  }

  async #joinRound(state: MemberState): Promise<Round> {
    const { group, sessionMs, roundMs } = this.#options;
    const protocol = { name: PROTOCOL, metadata: encodeState(state, ++this.#joins) };
    for (;;) {
      const round = await this.#ask('join', async connection => {
        const codec = { ...joinGroupV9, parseResponse: lenient(joinGroupV9.parseResponse) };
        const answer = await this.#cluster.callWithin(roundMs + kafkaRequestMs, connection, codec, 'JoinGroup', this.#where, group, sessionMs, roundMs, this.#memberId, this.#instance, PROTOCOL_TYPE, [protocol], null);
        this.#passing('JoinGroup', answer.errorCode);
        return answer;
      });
      if (nameOf(round.errorCode) === 'MEMBER_ID_REQUIRED') {
        this.#memberId = round.memberId;
        continue;
      }
      this.#check('JoinGroup', round.errorCode);
      this.#memberId = round.memberId;
      this.#generation = round.generationId;
      return round;
    }
  }

  /** Undefined: another round has begun meanwhile. */
  async #sync(round: Round): Promise<Share | undefined> {
    const { group } = this.#options;
    const assignments = this.#assignmentsOf(round);
    const { errorCode, assignment } = await this.#ask('join', async connection => {
      const codec = { ...syncGroupV5, parseResponse: lenient(syncGroupV5.parseResponse) };
      const answer = await this.#cluster.callWithin(this.#options.roundMs + kafkaRequestMs, connection, codec, 'SyncGroup', this.#where, group, this.#generation, this.#memberId, this.#instance, PROTOCOL_TYPE, PROTOCOL, assignments);
      this.#passing('SyncGroup', answer.errorCode);
      return answer;
    });
    if (nameOf(errorCode) === 'REBALANCE_IN_PROGRESS') return undefined;
    this.#check('SyncGroup', errorCode);
    return decodeShare(assignment);
  }

  /** A static leader that is back is told that the shares stand: it makes none. */
  #assignmentsOf({ leader, memberId, skipAssignment, members }: Round): { memberId: string; assignment: Buffer }[] {
    this.#shared = undefined;
    if (leader !== memberId) return [];
    this.#shared = this.#options.tasks();
    if (skipAssignment) return [];
    const idOf = (member: (typeof members)[number]): string => member.groupInstanceId ?? member.memberId;
    const shares = assignTasks(this.#shared, members.map(member => ({ id: idOf(member), ...decodeState(member.metadata) })), this.#options.assignor);
    return members.map(member => ({ memberId: member.memberId, assignment: encodeShare(shares.get(idOf(member))) }));
  }

  #ask<T>(purpose: 'join' | 'heartbeat', ask: (connection: Connection) => Promise<T>, retryMs?: number): Promise<T> {
    return this.#cluster.retrying(async () => ask(await this.#cluster.connection(purpose, await this.#cluster.coordinator('group', this.#options.group))), retryMs);
  }

  /** Thrown, an error that passes is tried again where the coordinator is by then. */
  #passing(api: string, errorCode: number): number {
    const error = new BrokerError(api, errorCode, this.#where);
    if (PASSING.has(error.errorName)) throw error;
    return errorCode;
  }

  #check(api: string, errorCode: number): void {
    if (errorCode === 0) return;
    const error = new BrokerError(api, errorCode, this.#where);
    if (error.errorName === 'FENCED_INSTANCE_ID') {
      throw new ParitasError('state', `another member of the group "${this.#options.group}" has the instance id "${this.#instance ?? ''}" and goes on in this one's place: give each instance an id of its own`, { cause: error });
    }
    if (error.errorName === 'UNKNOWN_MEMBER_ID') this.#memberId = '';
    throw LOST.has(error.errorName) ? new MemberLost() : error;
  }
}

const PASSING: ReadonlySet<string> = new Set(['COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS', 'NOT_COORDINATOR']);
const LOST: ReadonlySet<string> = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION']);

function isSame(a: readonly TaskName[], b: readonly TaskName[]): boolean {
  return a.length === b.length && a.every((task, i) => task === b[i]);
}
