/** Ends every switch over a closed union: a new member is then a compile error here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
