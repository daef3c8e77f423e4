// A wait that a signal ends: what nobody waits for any more may go on, and fail, by itself.

/** Undefined once the signal is aborted, whatever becomes of the promise. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, promise: Promise<T> | undefined): Promise<T | undefined> {
  if (signal === undefined) return await promise;
  const aborted = Promise.withResolvers<undefined>();
  const end = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', end);
  promise?.catch(() => undefined);
  try {
    return signal.aborted ? undefined : await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
