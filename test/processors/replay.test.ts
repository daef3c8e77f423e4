// Which repeats are part of a suffix that a thrown-back sink applied again: small traces, one digit a source change, `.` for a stranger.
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { findReplays } from '../../processors/replay.ts';

/** One letter a target change: `e` reaches the last change, `p` on the way to it, `-` neither. */
function of(trace: string, applied = '123456789', frontier = '', later: Readonly<Record<string, number>> = {}): string {
  const steps = [...trace].map(step => (step === '.' ? '' : step));
  return findReplays({ steps, applied: new Map([...applied].map(place => [place, later[place] ?? -1])), frontier }).map(how => '-pe'[how]).join('');
}

const TABLE: readonly (readonly [why: string, trace: string, said: string, applied?: string, frontier?: string, later?: Readonly<Record<string, number>>])[] = [
  ['each once, in order', '1234', 'eeee'],
  ['a suffix again, then on', '1234345', 'eeeepee'],
  ['the last one again', '1233', 'eeee'],
  ['thrown back on the way', '1234' + '3' + '34', 'eeeeppe'],
  ['stops at an old version', '12342', 'eeee-'],
  ['leaves one out', '1234' + '24', 'eeee-e'],
  ['one that was never applied cannot be left out', '124' + '24', 'eeepe', '124'],
  ['nor one that was applied only afterwards', '124' + '24' + '3', 'eeepe-', '1234', '', { 3: 5 }],
  ['a stranger between is passed over', '1234' + '3.4', 'eeeep-e'],
  ['its first application is gone', '34', 'pe', '1234', '4'],
  ['', '3', '-', '1234', '4'],
];

for (const [why, trace, said, applied, frontier, later] of TABLE) {
  test(`${trace}${why === '' ? '' : `: ${why}`}`, () => deepEqual(of(trace, applied, frontier, later), said));
}
