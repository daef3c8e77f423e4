// What was opened is closed in reverse, all of it, whatever fails meanwhile; told is what failed first. Counter-example: the disk was full, the
// store could not close either, and the operator read "database is not closed".

/** Runs `body`, then what it gave to `onEnd`, the last one first. */
export async function closingAll(body: (onEnd: (close: () => Promise<void>) => void) => Promise<void>): Promise<void> {
  const closes: (() => Promise<void>)[] = [];
  let failure: { readonly error: unknown } | undefined;
  const note = (error: unknown): void => { failure ??= { error }; };
  await body(close => void closes.push(close)).catch(note);
  for (const close of closes.reverse()) await close().catch(note);
  if (failure !== undefined) throw failure.error;
}
