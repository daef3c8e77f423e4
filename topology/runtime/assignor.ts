// Which member of a group runs which task. A pure function of what the members say of themselves: whoever computes it comes to the same result.
//
// - Balanced: of each sub-topology of a pair, and of all tasks together, no member has two more than another. Sub-topologies are dealt one
//   after the other. Counter-example: two pairs dealt as one list, and one member has all partitions of the pair that has all the work.
// - Sticky: a member keeps what it runs, up to its quota. What it gives up, and what nobody runs, goes first to who lacks least of its state.
// - In two rounds: a task that another member runs is given to nobody until that member has said that it does not run it any more.
// - Warmed up (where there are standbys): a task moves to a member that has its state within `acceptableLag` records; until then it runs where
//   it is ready, also beyond a quota, and the member that is to have it follows its changelog. Counter-example: moved at once, the windows of
//   the partition stand still until a gigabyte is restored.

/** A task by its printed name, `orders/reconcile/0` or `orders/merge`. */
export type TaskName = string;

export interface MemberReport {
  /** The instance id of a static member, else the id that the coordinator gave: the same member has the same one in every round. */
  readonly id: string;
  /** What it runs, or has not yet given up. */
  readonly owned: readonly TaskName[];
  /** Records that it lacks, of each task whose state it has without running it. */
  readonly lags: Readonly<Record<TaskName, number>>;
}

export interface Share {
  readonly active: readonly TaskName[];
  /** Tasks whose changelogs it is to follow, those of `warmup` among them. */
  readonly standby: readonly TaskName[];
  /** Standbys that it is to run once it has their state: then it asks for another round. */
  readonly warmup: readonly TaskName[];
}

export interface AssignorSettings {
  /** Members that follow a task beside the one that runs it. 0: a task moves at once, and is restored where it goes. */
  readonly standbyReplicas: number;
  /** Records that a member may lack and still take a task over. */
  readonly acceptableLag: number;
}

/** The share of every member, by its id. */
export function assignTasks(tasks: readonly TaskName[], reports: readonly MemberReport[], settings: AssignorSettings): ReadonlyMap<string, Share> {
  const members = reports.map(report => new Member(report, settings.acceptableLag)).sort((a, b) => compare(a.id, b.id));
  if (members.length === 0) return new Map();
  const owners = new Map(tasks.map(task => [task, members.find(member => member.owned.has(task))]));
  for (const unit of unitsOf(tasks)) deal(unit, members, owners);
  for (const task of sorted(tasks)) place(task, members, owners.get(task), settings);
  placeStandbys(sorted(tasks), members, Math.min(settings.standbyReplicas, members.length - 1));
  return new Map(members.map(member => [member.id, member.share()]));
}

class Member {
  readonly id: string;
  readonly owned: ReadonlySet<TaskName>;
  /** What it is to have once all state is where it belongs. */
  readonly targets = new Set<TaskName>();
  /** What it has in this round, the tasks that their owners must give up first included. */
  readonly placed = new Set<TaskName>();
  readonly active: TaskName[] = [];
  readonly warmup: TaskName[] = [];
  readonly standby = new Set<TaskName>();
  readonly #lags: Readonly<Record<TaskName, number>>;
  readonly #acceptable: number;

  constructor({ id, owned, lags }: MemberReport, acceptableLag: number) {
    this.id = id;
    this.owned = new Set(owned);
    this.#lags = lags;
    this.#acceptable = acceptableLag;
  }

  /** Records that it lacks; Infinity: it has nothing. Within the bound all are alike: a standby's lag changes with every commit. */
  lag(task: TaskName): number {
    if (this.owned.has(task)) return 0;
    const lag = this.#lags[task] ?? Infinity;
    return lag <= this.#acceptable ? 0 : lag;
  }

  share(): Share {
    return { active: this.active.sort(compare), standby: sorted([...this.standby]), warmup: this.warmup.sort(compare) };
  }
}

type Owners = ReadonlyMap<TaskName, Member | undefined>;

/** Every member gets as many, and one more who has fewest so far. */
function deal(unit: readonly TaskName[], members: readonly Member[], owners: Owners): void {
  const room = quotasOf(unit, members, owners);
  const left = new Set(unit);
  const give = (task: TaskName, member: Member): void => {
    if (!left.has(task) || (room.get(member) ?? 0) === 0) return;
    left.delete(task);
    member.targets.add(task);
    room.set(member, (room.get(member) ?? 0) - 1);
  };
  // Of two that it could give up a member gives up the one that another is warm for: the same one until it has moved.
  const takers = members.filter(member => unit.filter(task => owners.get(task) === member).length < (room.get(member) ?? 0));
  const lagOfTakers = new Map(unit.map(task => [task, Math.min(...takers.map(member => member.lag(task)))]));
  const keepFirst = [...unit].sort((a, b) => descending(lagOfTakers.get(a) ?? 0, lagOfTakers.get(b) ?? 0) || compare(a, b));
  for (const task of keepFirst) {
    const owner = owners.get(task);
    if (owner !== undefined) give(task, owner);
  }
  const warm = [...left].flatMap(task => members.map(member => ({ task, member, lag: member.lag(task) }))).filter(({ lag }) => lag < Infinity);
  for (const { task, member } of warm.sort((a, b) => a.lag - b.lag || compare(a.task, b.task) || compare(a.member.id, b.member.id))) give(task, member);
  for (const task of sorted([...left])) for (const member of members) give(task, member);
}

/**
 * What one owns beyond its quota does not count, nor whose standby it is of what others run. Counter-example: both change while tasks move, the
 * quotas with them, and the moves never end.
 */
function quotasOf(unit: readonly TaskName[], members: readonly Member[], owners: Owners): Map<Member, number> {
  const [each, more] = [Math.floor(unit.length / members.length), unit.length % members.length];
  const count = (is: (task: TaskName) => boolean): number => unit.filter(is).length;
  const ranked = members.map(member => ({
    member, total: member.targets.size,
    owns: Math.min(each + 1, count(task => owners.get(task) === member)),
    canTakeOver: count(task => owners.get(task) === undefined && member.lag(task) === 0),
  }));
  ranked.sort((a, b) => a.total - b.total || b.owns - a.owns || b.canTakeOver - a.canTakeOver || compare(a.member.id, b.member.id));
  return new Map(ranked.map(({ member }, i) => [member, each + (i < more ? 1 : 0)]));
}

/** Where the task runs in this round: at its target, or where it is ready until the target is. */
function place(task: TaskName, members: readonly Member[], owner: Member | undefined, { standbyReplicas }: AssignorSettings): void {
  const target = members.find(member => member.targets.has(task)) ?? members[0];
  const waits = standbyReplicas > 0 && target.lag(task) > 0;
  const at = (waits ? owner ?? readyFor(task, members) : undefined) ?? target;
  if (at !== target) {
    target.warmup.push(task);
    target.standby.add(task);
  }
  at.placed.add(task);
  if (owner === undefined || owner === at) at.active.push(task);
  // Its owner is to give it up first: meanwhile it is followed on, or what was warm would be cold.
  else if (standbyReplicas > 0) at.standby.add(task);
}

function readyFor(task: TaskName, members: readonly Member[]): Member | undefined {
  const ready = members.filter(member => member.lag(task) === 0);
  return ready.sort((a, b) => a.placed.size - b.placed.size || compare(a.id, b.id))[0];
}

/** Those who follow a task go on following it, as far as it is fair; the rest goes to who follows fewest. */
function placeStandbys(tasks: readonly TaskName[], members: readonly Member[], replicas: number): void {
  if (replicas <= 0) return;
  const fair = Math.ceil((tasks.length * replicas) / members.length);
  const lacking = new Map(tasks.map(task => [task, replicas]));
  const follow = (task: TaskName, member: Member): void => {
    if (member.placed.has(task) || member.standby.has(task) || (lacking.get(task) ?? 0) === 0) return;
    member.standby.add(task);
    lacking.set(task, (lacking.get(task) ?? 0) - 1);
  };
  const following = tasks.flatMap(task => members.map(member => ({ task, member, lag: member.lag(task) }))).filter(({ lag }) => lag < Infinity);
  for (const { task, member } of following.sort((a, b) => a.lag - b.lag)) if (member.standby.size < fair) follow(task, member);
  for (const task of tasks) {
    for (const member of [...members].sort((a, b) => a.standby.size - b.standby.size || compare(a.id, b.id))) follow(task, member);
  }
}

/** The tasks of each sub-topology of each pair; those that read the inputs come first: they are the work. */
function unitsOf(tasks: readonly TaskName[]): readonly (readonly TaskName[])[] {
  const units = [...Map.groupBy(sorted(tasks), task => task.replace(/\/\d+$/, ''))];
  const isReconcile = (unit: string): boolean => unit.endsWith('/reconcile');
  return units.sort(([a], [b]) => Number(isReconcile(b)) - Number(isReconcile(a)) || compare(a, b)).map(([, unit]) => unit);
}

function sorted(tasks: readonly TaskName[]): TaskName[] {
  return [...tasks].sort(compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Infinities are alike. */
function descending(a: number, b: number): number {
  return a === b ? 0 : b - a;
}
