// The coordinator of a group whose members live in one process: it belongs to who has the log. It waits for nobody: who joins gets what is free
// by then, and whose share has changed is told to join. A session that is over is seen when another member is heard of: where there is none,
// nobody waits for its tasks.
import { ParitasError } from '../../schemas/errors.ts';
import { assignTasks, type AssignorSettings, type Share, type TaskName } from './assignor.ts';
import { type GroupProtocol, MemberLost, type MemberState } from './membership.ts';
import type { Clock } from './pacer.ts';

export interface CoordinatorParts {
  readonly tasks: readonly TaskName[];
  readonly settings: AssignorSettings;
  /** Milliseconds without a word of it after which a member has no tasks any more. */
  readonly sessionMs: number;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface Coordinator {
  /** `instance`: of a static member. Another one of that name takes its place, with its tasks. */
  member(instance?: string): GroupProtocol;
  /** From now on these are the tasks. */
  setTasks(tasks: readonly TaskName[]): void;
}

export function createCoordinator(parts: CoordinatorParts): Coordinator {
  const group = new Group(parts);
  return { member: instance => new Member(group, instance), setTasks: tasks => group.setTasks(tasks) };
}

/** A place in the group: it outlives a static member, until another one takes it or the session is over. */
interface Seat {
  readonly id: string;
  /** What the member runs or may run: also what it was given and has not spoken of yet. */
  owned: readonly TaskName[];
  lags: MemberState['lags'];
  given: Share;
  mustJoin: boolean;
  heardMs: number;
  wake: () => void;
}

const NO_SHARE: Share = { active: [], standby: [], warmup: [] };

class Group {
  readonly seats = new Map<string, Seat>();
  readonly #parts: CoordinatorParts;
  #tasks: readonly TaskName[];
  #ids = 0;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#tasks = parts.tasks;
  }

  get nowMs(): number {
    return this.#parts.clock.nowMs();
  }

  newId(): string {
    return `member-${++this.#ids}`;
  }

  setTasks(tasks: readonly TaskName[]): void {
    this.#tasks = tasks;
    this.share();
  }

  /** What everybody would get now. Who has something else is to join. */
  share(): ReadonlyMap<string, Share> {
    const shares = assignTasks(this.#tasks, [...this.seats.values()], this.#parts.settings);
    for (const seat of this.seats.values()) {
      if (isSame(shares.get(seat.id) ?? NO_SHARE, seat.given)) continue;
      seat.mustJoin = true;
      seat.wake();
    }
    return shares;
  }

  endSessions(): void {
    const over = [...this.seats.values()].filter(({ heardMs }) => this.nowMs - heardMs > this.#parts.sessionMs);
    for (const { id } of over) this.seats.delete(id);
    if (over.length > 0) this.share();
  }
}

class Member implements GroupProtocol {
  readonly #group: Group;
  readonly #instance: string | undefined;
  #seat: Seat | undefined;
  #wake: () => void = () => undefined;

  constructor(group: Group, instance: string | undefined) {
    this.#group = group;
    this.#instance = instance;
  }

  listen(wake: () => void): void {
    this.#wake = wake;
  }

  async join({ owned, lags }: MemberState): Promise<Share> {
    const there = this.#heardOf();
    const seat = there ?? this.#sitDown();
    // What a static member before it was given is its own, without a round.
    if (there === undefined && seat.owned.length > 0 && !seat.mustJoin) return seat.given;
    seat.owned = owned;
    seat.lags = lags;
    const given = this.#group.share().get(seat.id) ?? NO_SHARE;
    Object.assign(seat, { given, owned: [...new Set([...owned, ...given.active])], mustJoin: false });
    return await Promise.resolve(given);
  }

  async heartbeat(): Promise<boolean> {
    const seat = this.#heardOf();
    if (seat === undefined) throw await Promise.resolve(new MemberLost());
    return seat.mustJoin;
  }

  async leave(): Promise<void> {
    const seat = this.#seat;
    this.#seat = undefined;
    if (seat === undefined || this.#instance !== undefined || this.#group.seats.get(seat.id) !== seat) return;
    this.#group.seats.delete(seat.id);
    await Promise.resolve(this.#group.share());
  }

  /** Undefined: it has no seat yet. Throws where it has none any more. */
  #heardOf(): Seat | undefined {
    this.#group.endSessions();
    const seat = this.#seat;
    if (seat === undefined) return undefined;
    const there = this.#group.seats.get(seat.id);
    if (there === seat) {
      seat.heardMs = this.#group.nowMs;
      return seat;
    }
    if (there !== undefined) throw new ParitasError('state', `another member has the instance id "${seat.id}" and goes on in this one's place: give each instance an id of its own`);
    this.#seat = undefined;
    throw new MemberLost();
  }

  #sitDown(): Seat {
    const id = this.#instance ?? this.#group.newId();
    const { owned = [], given = NO_SHARE, lags = {}, mustJoin = false } = this.#group.seats.get(id) ?? {};
    const seat: Seat = { id, owned, given, lags, mustJoin, heardMs: this.#group.nowMs, wake: () => this.#wake() };
    this.#group.seats.set(id, seat);
    this.#seat = seat;
    return seat;
  }
}

function isSame(a: Share, b: Share): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
