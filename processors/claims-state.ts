// The claims of a pair's partitions in their durable form. Which fields a claim has is its own business: all of them are kept.
import { ParitasError } from '../schemas/errors.ts';

/** A claim of a partition, or what one beside the rows has said: an object of plain values. */
interface OfPartition { readonly topic: string; readonly partition: number }

type Value = string | number | boolean;
type Packed = Readonly<Record<string, Value>>;

/** Numbers as text, for JSON has neither NaN nor infinities; `#` tells them from texts. */
export function packClaims(claims: readonly OfPartition[]): readonly Packed[] {
  return claims.map(claim => Object.fromEntries(Object.entries(claim).map(([name, value]) => [name, packed(name, value)])));
}

function packed(name: string, value: unknown): Value {
  if (typeof value === 'number') return `#${value}`;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  throw new TypeError(`the claim's field ${name} has no durable form`);
}

/** Into claims of the same partitions in the same order: a slot names its partition by its place. Throws ParitasError `state`. */
export function restoreClaims(claims: readonly OfPartition[], all: readonly Packed[]): void {
  const named = (claim: Packed | OfPartition): string => `${String(claim.topic)}-${String(claim.partition).replace('#', '')}`;
  const [now, then] = [claims.map(named), all.map(named)];
  if (now.join() !== then.join()) {
    throw new ParitasError('state', `the state was written for the partitions ${then.join(', ')}; the topics now have ${now.join(', ')}. `
      + 'Partitions cannot be added to a pair that runs: begin a new chain under another application name');
  }
  claims.forEach((claim, i) => Object.assign(claim, Object.fromEntries(Object.entries(all[i]).map(([name, value]) => [name, unpacked(value)]))));
}

function unpacked(value: Value): Value {
  return typeof value === 'string' && value.startsWith('#') ? Number(value.slice(1)) : value;
}
