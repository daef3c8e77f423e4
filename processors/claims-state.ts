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

/** The claims as they were packed: plain objects with every field that they had. */
export function unpackClaims(all: readonly Packed[]): (OfPartition & Readonly<Record<string, Value>>)[] {
  return all.map(claim => Object.fromEntries(Object.entries(claim).map(([name, value]) => [name, unpacked(value)])) as OfPartition & Record<string, Value>);
}

/** Into claims of the same partitions in the same order: a slot names its partition by its place. Throws ParitasError `state`. */
export function restoreClaims(claims: readonly OfPartition[], all: readonly Packed[]): void {
  const old = unpackClaims(all);
  const named = ({ topic, partition }: OfPartition): string => `${topic}-${partition}`;
  const [now, then] = [claims.map(named), old.map(named)];
  if (now.join() !== then.join()) {
    throw new ParitasError('state', `the state was written for the partitions ${then.join(', ')}; the topics now have ${now.join(', ')}. `
      + 'Partitions cannot be added to a pair that runs: begin a new chain under another application name');
  }
  claims.forEach((claim, i) => Object.assign(claim, old[i]));
}

function unpacked(value: Value): Value {
  return typeof value === 'string' && value.startsWith('#') ? Number(value.slice(1)) : value;
}
