// What the library makes of a broker's answer, in our words.
import { BrokerError, ConnectionLost } from './kafka-error.ts';
import type { Reader, Writer } from './library.ts';

/** An answer with error codes is still an answer: the caller looks at the codes. */
export function lenient<R>(parse: (correlation: number, api: number, version: number, reader: Reader) => R): typeof parse {
  return (...args) => {
    try {
      return parse(...args);
    } catch (error) {
      if (error instanceof Error && 'response' in error && error.response !== undefined) return error.response as R;
      throw error;
    }
  };
}

/** The library throws its own errors, and a TypeError for codes that it does not know. */
export function brokerErrorOf(error: unknown, api: string, where: string): unknown {
  const first = error instanceof AggregateError ? error.errors[0] as { apiCode?: unknown; serverErrorMessage?: string | null } : undefined;
  if (typeof first?.apiCode === 'number') return new BrokerError(api, first.apiCode, where, first.serverErrorMessage);
  return new ConnectionLost(where, `an answer to ${api} that cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
}

/** A request and its answer by the library; throws a BrokerError for the first error code in the answer. */
export interface LibraryCodec<A extends unknown[], R> {
  readonly createRequest: (...args: A) => Writer;
  readonly parseResponse: (correlation: number, api: number, version: number, reader: Reader) => R;
  readonly api: { readonly key?: number; readonly version: number };
}
