// Assertions stay on in production: a broken invariant stops the task before it can write a wrong verdict.

/** An invariant of ours is broken. Never caused by input. */
export class AssertionFailure extends Error {
  override name = 'AssertionFailure';
}

export function assert(ok: boolean, message: string): asserts ok {
  if (!ok) throw new AssertionFailure(message);
}
