import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assignTasks, type AssignorSettings, type MemberReport, type Share, type TaskName } from '../../../topology/runtime/assignor.ts';

const COLD: AssignorSettings = { standbyReplicas: 0, acceptableLag: 100 };
const WARM: AssignorSettings = { standbyReplicas: 1, acceptableLag: 100 };

interface Row {
  readonly says: string;
  readonly tasks: string;
  /** id: owned tasks, then `task~lag` for state that it has without running it. */
  readonly members: Readonly<Record<string, string>>;
  readonly settings?: AssignorSettings;
  /** id: active tasks, then `+task` for a standby and `*task` for one to be taken over. */
  readonly shares: Readonly<Record<string, string>>;
}

// r: partitions of o/reconcile, p: of p/reconcile, m: o/merge.
const TABLE: readonly Row[] = [
  { says: 'one member has all', tasks: 'r0 r1 m', members: { a: '' }, shares: { a: 'm r0 r1' } },
  { says: 'nothing is left of nobody', tasks: '', members: { a: '' }, shares: { a: '' } },
  { says: 'two start together', tasks: 'r0 r1 r2 m', members: { a: '', b: '' }, shares: { a: 'r0 r1', b: 'm r2' } },
  { says: 'each pair is spread, and the sum is even', tasks: 'r0 r1 p0 p1', members: { a: '', b: '' }, shares: { a: 'p0 r0', b: 'p1 r1' } },
  { says: 'a third member: who runs too many gives up first, nobody else has it yet', tasks: 'r0 r1 r2', members: { a: 'r0 r1 r2', b: '' }, shares: { a: 'r0 r1', b: '' } },
  { says: '… and in the next round it is given', tasks: 'r0 r1 r2', members: { a: 'r0 r1', b: '' }, shares: { a: 'r0 r1', b: 'r2' } },
  { says: 'what is balanced stays, whoever has it', tasks: 'r0 r1 m', members: { a: 'r1', b: 'r0 m' }, shares: { a: 'r1', b: 'm r0' } },
  { says: 'the tasks of one that is gone are dealt, the others stay', tasks: 'r0 r1 r2 r3', members: { a: 'r3', b: 'r0' }, shares: { a: 'r1 r3', b: 'r0 r2' } },
  { says: 'what nobody runs goes to who has most of it', tasks: 'r0 r1', members: { a: 'r0~9000', b: 'r0~500 r1~7' }, shares: { a: 'r0', b: 'r1' } },
  { says: 'a task that is gone is not given', tasks: 'r0', members: { a: 'r0 r1', b: '' }, shares: { a: 'r0', b: '' } },
  { says: 'two say they run it: one of them does', tasks: 'r0 r1', members: { a: 'r0', b: 'r0' }, shares: { a: 'r0', b: 'r1' } },
  { says: 'with standbys the new member warms up first', tasks: 'r0 r1', members: { a: 'r0 r1', b: '' }, settings: WARM, shares: { a: 'r0 r1', b: '+r0 *r1' } },
  { says: '… goes on while it lacks too much', tasks: 'r0 r1', members: { a: 'r0 r1', b: 'r0~101 r1~101' }, settings: WARM, shares: { a: 'r0 r1', b: '+r0 *r1' } },
  { says: '… and once it is warm the other one gives it up, and follows it', tasks: 'r0 r1', members: { a: 'r0 r1', b: 'r0~101 r1~100' }, settings: WARM, shares: { a: 'r0 +r1', b: '+r0 +r1' } },
  { says: '… and has it', tasks: 'r0 r1', members: { a: 'r0 r1~0', b: 'r0~101 r1~100' }, settings: WARM, shares: { a: 'r0 +r1', b: 'r1 +r0' } },
  { says: 'one that died is replaced by its standby', tasks: 'r0 r1 r2', members: { a: 'r0', b: 'r1 r2~3' }, settings: WARM, shares: { a: 'r0 +r1 +r2', b: 'r1 r2 +r0' } },
  { says: '… also beyond its quota, until another is warm', tasks: 'r0 r1 r2 r3', members: { a: 'r0 r2~3 r3~3', b: 'r1' }, settings: WARM, shares: { a: 'r0 r2 r3 +r1', b: 'r1 +r0 +r2 *r3' } },
  { says: 'who follows a task goes on following it', tasks: 'r0 r1 r2', members: { a: 'r0', b: 'r1', c: 'r2 r0~5' }, settings: WARM, shares: { a: 'r0 +r1', b: 'r1 +r2', c: 'r2 +r0' } },
  { says: '… unless it would follow more than its share', tasks: 'r0 r1 r2 r3', members: { a: 'r0 r1~0 r2~0', b: 'r1', c: 'r2', d: 'r3' }, settings: WARM, shares: { a: 'r0 +r1', b: 'r1 +r0', c: 'r2 +r3', d: 'r3 +r2' } },
  {
    says: 'two are ready for what nobody runs, and its target is not: they share it', tasks: 'r0 r1 r2 r3 r4 r5',
    members: { a: 'r0~0 r1~0 r2~0 r3~0 r4~0 r5~0', b: 'r0~0 r1~0 r2~0 r3~0 r4~0 r5~0', c: '' }, settings: WARM,
    shares: { a: 'r0 r1 r4 +r2 +r3 +r5', b: 'r2 r3 r5 +r0 +r1 +r4', c: '*r4 *r5' },
  },
];

for (const { says, tasks, members, settings = COLD, shares } of TABLE) {
  test(says, () => {
    const given = assignTasks(words(tasks).map(named), Object.entries(members).map(([id, text]) => reportOf(id, text)), settings);
    assert.deepEqual(Object.fromEntries([...given].map(([id, share]) => [id, print(share)])), shares);
  });
}

const setting = fc.record({
  units: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
  members: fc.integer({ min: 1, max: 6 }),
  owners: fc.array(fc.integer({ min: -1, max: 9 }), { minLength: 36, maxLength: 36 }),
  lags: fc.array(fc.tuple(fc.nat(5), fc.nat(35), fc.nat(300)), { maxLength: 40 }),
  standbyReplicas: fc.integer({ min: 0, max: 2 }),
});

interface World { readonly tasks: TaskName[]; readonly reports: MemberReport[]; readonly settings: AssignorSettings; readonly units: readonly TaskName[][] }

const worlds: fc.Arbitrary<World> = setting.map(({ units: sizes, members, owners, lags, standbyReplicas }) => {
  const units = sizes.flatMap((size, pair) => [Array.from({ length: size }, (_, partition) => `p${pair}/reconcile/${partition}`), [`p${pair}/merge`]]);
  const tasks = units.flat();
  const reports = Array.from({ length: members }, (_, i) => {
    const owned = tasks.filter((_task, t) => owners[t] === i);
    return { id: `m${i}`, owned, lags: Object.fromEntries(lags.flatMap(([m, t, lag]) => (m === i && t < tasks.length && !owned.includes(tasks[t]) ? [[tasks[t], lag]] : []))) };
  });
  return { tasks, reports, settings: { standbyReplicas, acceptableLag: 100 }, units };
});

test('whatever is said: nobody runs what another runs or has, nor follows what it runs', () => {
  fc.assert(fc.property(worlds, ({ tasks, reports, settings }) => {
    const shares = assignTasks(tasks, reports, settings);
    const given = [...shares.values()].flatMap(({ active }) => active);
    assert.equal(new Set(given).size, given.length);
    for (const { id, owned } of reports) for (const task of owned) for (const [other, { active }] of shares) assert.ok(other === id || !active.includes(task));
    for (const { active, standby, warmup } of shares.values()) {
      assert.ok(!standby.some(task => active.includes(task)));
      assert.ok(warmup.every(task => standby.includes(task)));
    }
    // What nobody runs is run at once.
    const owned = new Set(reports.flatMap(report => report.owned));
    assert.deepEqual(tasks.filter(task => !owned.has(task) && !given.includes(task)), []);
  }));
});

test('the order in which tasks and members are told means nothing', () => {
  fc.assert(fc.property(worlds, fc.infiniteStream(fc.nat()), ({ tasks, reports, settings }, numbers) => {
    const shuffled = <T>(list: readonly T[]): T[] => list.map(item => ({ item, at: numbers.next().value as number })).sort((a, b) => a.at - b.at).map(({ item }) => item);
    const again = assignTasks(shuffled(tasks), shuffled(reports).map(report => ({ ...report, owned: shuffled(report.owned) })), settings);
    assert.deepEqual(again, assignTasks(tasks, reports, settings));
  }));
});

test('rounds come to rest: everything runs, balanced in every sub-topology and in all, and another round changes nothing', () => {
  fc.assert(fc.property(worlds, ({ tasks, reports, settings, units }) => {
    const rest = settled(tasks, reports, settings);
    const actives = [...rest.values()].map(({ active }) => active);
    assert.deepEqual(actives.flat().sort(), [...tasks].sort());
    for (const unit of [...units, tasks]) assertEven(actives.map(active => active.filter(task => unit.includes(task)).length));
    for (const task of tasks) {
      const followers = [...rest.values()].filter(({ standby }) => standby.includes(task)).length;
      assert.equal(followers, Math.min(settings.standbyReplicas, reports.length - 1));
    }
  }));
});

test('no task moves that need not: one sub-topology, against the fewest moves that any balanced assignment needs', () => {
  fc.assert(fc.property(worlds, world => {
    const unit = world.units[0];
    const reports = world.reports.map(report => ({ ...report, owned: report.owned.filter(task => unit.includes(task)), lags: {} }));
    const rest = settled(unit, reports, COLD);
    const moved = reports.flatMap(({ id, owned }) => owned.filter(task => !rest.get(id)?.active.includes(task))).length;
    const [each, more] = [Math.floor(unit.length / reports.length), unit.length % reports.length];
    const counts = reports.map(({ owned }) => owned.length).sort((a, b) => b - a);
    const fewest = counts.reduce((sum, count, i) => sum + Math.max(0, count - each - (i < more ? 1 : 0)), 0);
    assert.equal(moved, fewest);
  }));
});

test('a member does not give up one task of a sub-topology and get another of it', () => {
  fc.assert(fc.property(worlds, ({ tasks, reports, units }) => {
    const shares = assignTasks(tasks, reports, COLD);
    for (const { id, owned } of reports) {
      for (const unit of units) {
        const [before, after] = [owned, shares.get(id)?.active ?? []].map(list => list.filter(task => unit.includes(task)));
        const kept = before.filter(task => after.includes(task)).length;
        assert.ok(kept === before.length || kept === after.length, `${id}: ${before.join(' ')} → ${after.join(' ')}`);
      }
    }
  }));
});

const ROUNDS_MAX = 12;

/** Rounds in which everybody does as told and is warm by the next, until nothing changes. */
function settled(tasks: readonly TaskName[], first: readonly MemberReport[], settings: AssignorSettings): ReadonlyMap<string, Share> {
  let reports = first;
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const shares = assignTasks(tasks, reports, settings);
    const next = reports.map(({ id }) => {
      const { active = [], standby = [] } = shares.get(id) ?? {};
      return { id, owned: active, lags: Object.fromEntries(standby.map(task => [task, 0])) };
    });
    const isRest = [...shares].every(([id, { active, standby, warmup }]) => {
      const before = reports.find(report => report.id === id);
      return warmup.length === 0 && same(active, before?.owned ?? []) && same(standby, Object.keys(before?.lags ?? {}).filter(task => !active.includes(task)));
    });
    if (isRest) return shares;
    reports = next;
  }
  throw new Error(`after ${ROUNDS_MAX} rounds there is no rest`);
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}

function assertEven(counts: readonly number[]): void {
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join(' '));
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

const UNITS: Readonly<Record<string, string>> = { r: 'o/reconcile/', p: 'p/reconcile/', m: 'o/merge' };

function named(short: string): TaskName {
  return `${UNITS[short[0]]}${short.slice(1)}`;
}

function reportOf(id: string, text: string): MemberReport {
  const [lags, owned] = [words(text).filter(word => word.includes('~')), words(text).filter(word => !word.includes('~'))];
  return { id, owned: owned.map(named), lags: Object.fromEntries(lags.map(word => [named(word.split('~')[0]), Number(word.split('~')[1])])) };
}

function print({ active, standby, warmup }: Share): string {
  const short = (task: TaskName): string => Object.entries(UNITS).flatMap(([unit, prefix]) => (task.startsWith(prefix) ? [`${unit}${task.slice(prefix.length)}`] : []))[0];
  return [...active.map(short).sort(), ...standby.map(task => `${warmup.includes(task) ? '*' : '+'}${short(task)}`)].join(' ');
}
