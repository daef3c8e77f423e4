// What a member says of itself and what it is given, as bytes. JSON: they are small, rare, and looked at when something is wrong. They begin with
// a number of their form, for instances of two versions may be in one group while they are replaced one after the other.
import { ParitasError } from '../../../schemas/errors.ts';
import type { Share } from '../../runtime/assignor.ts';
import type { MemberState } from '../../runtime/membership.ts';

const FORM = 1;

/** `joins`: no two are alike. */
export function encodeState({ owned, lags }: MemberState, joins: number): Buffer {
  return Buffer.from(JSON.stringify({ form: FORM, owned, lags, joins }));
}

export function decodeState(bytes: Buffer): MemberState {
  const { owned, lags } = parsed(bytes) as unknown as MemberState;
  return { owned, lags };
}

export function encodeShare({ active, standby, warmup }: Share = { active: [], standby: [], warmup: [] }): Buffer {
  return Buffer.from(JSON.stringify({ form: FORM, active, standby, warmup }));
}

export function decodeShare(bytes: Buffer): Share {
  const { active, standby, warmup } = parsed(bytes) as unknown as Share;
  return { active, standby, warmup };
}

function parsed(bytes: Buffer): Record<string, unknown> {
  const value = JSON.parse(bytes.toString()) as Record<string, unknown>;
  if (value['form'] === FORM) return value;
  throw new ParitasError('state', `the members of the group speak form ${String(value['form'])}, and this version speaks form ${FORM}: stop all instances, then start those of one version`);
}
