import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { turnsPassedMax } from '../../../schemas/limits.ts';
import { createTurns } from '../../../topology/runtime/turns.ts';

describe('turns', () => {
  test('tasks that go forward in unequal steps stay in step', async () => {
    const turns = createTurns();
    const steps = [1, 2, 3, 5];
    const at = steps.map(() => 0);
    let apart = 0;
    await Promise.all(steps.map(async (step, task) => {
      while (at[task] < 300) {
        await turns.take(at[task]);
        at[task] += step;
        apart = Math.max(apart, Math.max(...at) - Math.min(...at));
      }
    }));
    assert.ok(apart <= Math.max(...steps), `${apart} apart`);
  });

  test('whoever is far ahead has a turn all the same, after so many others', async () => {
    const turns = createTurns();
    const order: string[] = [];
    let ended = false;
    const behind = (async () => {
      for (; !ended; order.push('behind')) await turns.take(-Infinity);
    })();
    for (let n = 0; n < 3; n++) {
      await turns.take(1e15);
      order.push('ahead');
    }
    ended = true;
    await behind;
    assert.deepEqual(order.join(' ').split('ahead').slice(0, 3).map(part => part.trim().split(' ').length), [turnsPassedMax, turnsPassedMax, turnsPassedMax]);
  });

  test('one turn for each of the event loop', async () => {
    const turns = createTurns();
    let [loops, over] = [0, false];
    const count = (): void => {
      loops++;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 10 }, () => turns.take(0)));
    over = true;
    assert.ok(loops >= 9, `${loops}`);
  });
});
