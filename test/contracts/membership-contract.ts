// The suite that every group protocol passes (topology/runtime/membership.ts). Who takes part are workers as they are in a service: they close
// what is taken away before they ask for the next share. Whatever happens, no two living ones run the same task.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Share, TaskName } from '../../topology/runtime/assignor.ts';
import { createMembership, type GroupProtocol } from '../../topology/runtime/membership.ts';
import type { Clock } from '../../topology/runtime/pacer.ts';

export interface GroupUnderTest {
  member(instance?: string): GroupProtocol;
  setTasks(tasks: readonly TaskName[]): void;
  readonly clock: Clock;
  readonly heartbeatMs: number;
  readonly sessionMs: number;
  /** A moment goes by: at most a heartbeat. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

export interface GroupSettings { readonly tasks: readonly TaskName[]; readonly standbyReplicas: number }

export const ACCEPTABLE_LAG = 10;
const TASKS = [0, 1, 2, 3].map(partition => `orders/reconcile/${partition}`);
const TICKS_MAX = 2000;

/** `open`: a new and empty group. */
export function membershipContract(name: string, open: (settings: GroupSettings) => Promise<GroupUnderTest>): void {
  describe(`membership contract: ${name}`, () => {
    let group: GroupUnderTest | undefined;
    let workers: Worker[] = [];
    afterEach(async () => {
      for (const worker of workers) await worker.end();
      workers = [];
      await group?.close();
    });

    const begin = async (settings: Partial<GroupSettings> = {}): Promise<GroupUnderTest> => group = await open({ tasks: TASKS, standbyReplicas: 0, ...settings });
    const start = (options: Partial<WorkerOptions> = {}): Worker => {
      const worker = new Worker(group as GroupUnderTest, options);
      workers.push(worker);
      return worker;
    };
    const until = async (what: string, holds: () => boolean): Promise<void> => {
      for (let ticks = 0; !holds(); ticks++) {
        await group?.tick();
        const alive = workers.filter(worker => worker.isAlive);
        const running = alive.flatMap(worker => [...worker.running]);
        assert.equal(new Set(running).size, running.length, `two run the same task: ${alive.map(worker => worker.told).join(' | ')}`);
        for (const { error } of workers) if (error !== undefined && !what.startsWith('error')) throw error;
        assert.ok(ticks < TICKS_MAX, `not after ${ticks} moments: ${what}; there is: ${workers.map(worker => worker.told).join(' | ')}`);
      }
    };
    const shared = (...counts: number[]) => (): boolean => {
      const alive = workers.filter(worker => worker.isAlive);
      return alive.length === counts.length && alive.map(({ running }) => running.size).sort().join() === counts.sort().join();
    };

    test('who is alone has every task', async () => {
      await begin();
      const worker = start();
      await until('it runs all', shared(4));
      assert.deepEqual([...worker.running].sort(), TASKS);
    });

    test('a second one gets its half, once the first has closed it', async () => {
      const { setTasks } = await begin();
      const first = start();
      first.closesAtOnce = false;
      await until('it runs all', shared(4));
      const second = start();
      await until('it is told to give some up', () => first.closing.length === 2);
      // A reason to look at the shares once more.
      setTasks([...TASKS]);
      for (let ticks = 0; ticks < 20; ticks++) await group?.tick();
      assert.deepEqual([...second.running], []);
      assert.equal(first.running.size, 4);
      first.closeNow();
      await until('both run a half', shared(2, 2));
      assert.deepEqual([...first.running, ...second.running].sort(), TASKS);
    });

    test('three share out, what one has stays with it', async () => {
      await begin();
      const first = start();
      await until('it runs all', shared(4));
      start();
      await until('two share', shared(2, 2));
      const before = [...first.running];
      start();
      await until('three share', shared(1, 1, 2));
      assert.ok([...first.running].every(task => before.includes(task)));
    });

    test('who leaves hands over at once, not when its session is over', async () => {
      const { clock, sessionMs } = await begin();
      const [first, second] = [start(), start()];
      await until('two share', shared(2, 2));
      const atMs = clock.nowMs();
      await first.leave();
      await until('the other runs all', shared(4));
      assert.equal(second.running.size, 4);
      assert.ok(clock.nowMs() - atMs < sessionMs);
    });

    test('who dies loses its tasks when its session is over, not before', async () => {
      const { clock, sessionMs, heartbeatMs } = await begin();
      const [first, second] = [start(), start()];
      await until('two share', shared(2, 2));
      const atMs = clock.nowMs();
      first.die();
      await until('the other runs all', () => second.running.size === 4);
      assert.ok(clock.nowMs() - atMs >= sessionMs - 2 * heartbeatMs, `after ${clock.nowMs() - atMs} ms`);
    });

    test('who was taken for dead gives everything up, and gets its share again', async () => {
      await begin();
      const [first, second] = [start({ instance: 'a' }), start({ instance: 'b' })];
      await until('two share', shared(2, 2));
      first.hang();
      await until('the other runs all', () => second.running.size === 4);
      const shares = first.shares.length;
      second.closesAtOnce = false;
      first.goOn();
      await until('the other is to give some up', () => second.closing.length === 2);
      for (let ticks = 0; ticks < 20; ticks++) await group?.tick();
      assert.deepEqual([...first.running], []);
      second.closeNow();
      await until('two share again', shared(2, 2));
      assert.deepEqual(first.shares[shares].active, []);
    });

    test('a static member that starts again within its session gets what it had, and nobody else is asked', async () => {
      await begin();
      const members = ['a', 'b', 'c'].map(instance => ({ instance, worker: start({ instance }) }));
      await until('three share', shared(1, 1, 2));
      const { instance, worker } = members.find(member => member.worker.running.size === 2) ?? members[0];
      const others = members.map(member => member.worker).filter(other => other !== worker);
      const [before, asked] = [[...worker.running], others.map(({ shares }) => shares.length)];
      worker.die();
      const again = start({ instance });
      await until('it runs', () => again.running.size === 2);
      for (let ticks = 0; ticks < 20; ticks++) await group?.tick();
      assert.deepEqual([...again.running], before);
      assert.deepEqual(others.map(({ shares }) => shares.length), asked);
    });

    test('a static member that leaves keeps its tasks for its session', async () => {
      const { clock, sessionMs, heartbeatMs } = await begin();
      const [first, second] = [start({ instance: 'a' }), start({ instance: 'b' })];
      await until('two share', shared(2, 2));
      const atMs = clock.nowMs();
      await first.leave();
      await until('the other runs all', () => second.running.size === 4);
      assert.ok(clock.nowMs() - atMs >= sessionMs - 2 * heartbeatMs, `after ${clock.nowMs() - atMs} ms`);
    });

    test('of two with one instance id the older one ends with an error that says so', async () => {
      await begin();
      const first = start({ instance: 'a' });
      await until('it runs', shared(4));
      // The second has its tasks at once: from there on the log refuses what the first writes.
      first.isAlive = false;
      start({ instance: 'a' });
      await until('error of the first', () => first.error !== undefined);
      assert.match(String(first.error), /instance id "a"/);
    });

    test('new tasks are run, and those that are gone are closed', async () => {
      const { setTasks } = await begin();
      start();
      start();
      await until('two share', shared(2, 2));
      setTasks([...TASKS, 'lines/reconcile/0', 'lines/reconcile/1']);
      await until('they share six', shared(3, 3));
      setTasks(TASKS.slice(0, 2));
      await until('they share two', shared(1, 1));
    });

    test('with standbys a task moves when who is to have it has its state', async () => {
      await begin({ standbyReplicas: 1 });
      const first = start();
      await until('it runs all', shared(4));
      const lags: Record<TaskName, number> = {};
      const second = start({ lags: () => lags });
      await until('it follows all', () => second.share.standby.length === 4 && second.share.warmup.length === 2);
      for (let ticks = 0; ticks < 20; ticks++) await group?.tick();
      assert.deepEqual([first.running.size, second.running.size], [4, 0]);
      for (const task of second.share.standby) lags[task] = ACCEPTABLE_LAG;
      await until('both run a half', shared(2, 2));
      await until('and follow the other one', () => first.share.standby.length === 2 && second.share.standby.length === 2);
    });

    test('come and go: all that live run everything in the end', async () => {
      await begin({ tasks: Array.from({ length: 9 }, (_, partition) => `orders/reconcile/${partition}`) });
      const [a, b, c] = [start(), start(), start()];
      await group?.tick();
      const d = start();
      await until('four share', shared(2, 2, 2, 3));
      await a.leave();
      b.die();
      start();
      await until('three share', shared(3, 3, 3));
      await c.leave();
      await d.leave();
      await until('one has all', shared(9));
    });
  });
}

interface WorkerOptions {
  readonly instance?: string;
  readonly lags: () => Readonly<Record<TaskName, number>>;
}

class Worker {
  readonly running = new Set<TaskName>();
  readonly shares: Share[] = [];
  /** What it is to close, and has not closed yet. */
  closing: readonly TaskName[] = [];
  closesAtOnce = true;
  isAlive = true;
  error: unknown;
  closeNow: () => void = () => undefined;
  goOn: () => void = () => undefined;
  readonly #stop = new AbortController();
  readonly #leave: () => Promise<void>;
  readonly #ended: Promise<void>;
  #hanging: Promise<void> = Promise.resolve();
  /** It does not know yet that it was taken for dead. */
  #isBack = false;
  #hasLeft = false;

  constructor(group: GroupUnderTest, { instance, lags = () => ({}) }: Partial<WorkerOptions>) {
    const protocol = group.member(instance);
    const reached: GroupProtocol = {
      join: async state => { await this.#hanging; return await protocol.join(state); },
      heartbeat: async () => { await this.#hanging; return await protocol.heartbeat(); },
      leave: () => protocol.leave(),
      ...(protocol.listen === undefined ? {} : { listen: wake => protocol.listen?.(wake) }),
    };
    const membership = createMembership({ protocol: reached, lags, acceptableLag: ACCEPTABLE_LAG, heartbeatMs: group.heartbeatMs, repeatMs: 10 * group.sessionMs, clock: group.clock, say: () => undefined });
    this.#leave = () => membership.leave();
    this.#ended = this.#run(membership.shares(this.#stop.signal)).catch((error: unknown) => { this.error = error; });
  }

  get share(): Share {
    return this.shares.at(-1) ?? { active: [], standby: [], warmup: [] };
  }

  get told(): string {
    return `${this.isAlive ? '' : 'gone: '}${[...this.running].join(' ')}`;
  }

  async #run(shares: AsyncIterable<Share>): Promise<void> {
    for await (const share of shares) {
      this.shares.push(share);
      this.closing = [...this.running].filter(task => !share.active.includes(task));
      if (!this.closesAtOnce && this.closing.length > 0) await new Promise<void>(resolve => { this.closeNow = resolve; });
      for (const task of this.closing) this.running.delete(task);
      this.closing = [];
      for (const task of share.active) this.running.add(task);
      this.isAlive ||= this.#isBack;
    }
    this.running.clear();
  }

  async leave(): Promise<void> {
    this.isAlive = false;
    this.#hasLeft = true;
    this.#stop.abort();
    await this.#ended;
    await this.#leave();
  }

  /** Nothing more is heard of it. It goes on running its tasks, as a process does that is cut off. */
  hang(): void {
    this.isAlive = false;
    this.#hanging = new Promise(resolve => { this.goOn = () => { this.#isBack = true; resolve(); }; });
  }

  die(): void {
    this.hang();
    this.goOn = () => undefined;
  }

  async end(): Promise<void> {
    this.closeNow();
    this.#stop.abort();
    await this.#ended;
    if (!this.#hasLeft) await this.#leave();
  }
}
