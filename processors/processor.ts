// The contract page of processors: what the runtime calls, and what a processor may do.
//
// Invariants
// - Calls are synchronous and come one at a time: `process` per record, then `punctuate` at a decision, parents before children.
// - A processor reads no clock, no randomness and no environment: all of that enters through decisions.
// - A value passed to `process` may be reused by the caller; whoever keeps it copies it.
import type { KeyValueStore } from './key-value.ts';
import type { Decision } from './decision.ts';

export interface ProcessorContext {
  /** Passes a value on to the child node of that name; a sink takes output records, a processor whatever it processes. */
  forward(child: string, value: unknown): void;
  store(name: string): KeyValueStore;
}

export interface Processor<In> {
  process(value: In): void;
  /** A decision closes windows. */
  punctuate?(decision: Decision): void;
  /** The input has ended for good (a one-shot run): give out what was held back. */
  finish?(): void;
}

export type ProcessorFactory<In> = (context: ProcessorContext) => Processor<In>;
