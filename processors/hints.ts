// placeholder until hints land
import type { PairContext } from '../schemas/decoder.ts';
import type { Hint } from '../schemas/records.ts';
export function hintFor(_c: PairContext, _n: string, _a: unknown, _b: unknown): Hint | undefined { return undefined; }
