// The contract between a log record and a change event. One decoder per pair and side, made once; `decode` overwrites `event`.
// It never throws for what a record holds: that is a dead letter. It throws only when an assertion of ours fails.
import type { ChangeEvent, Layout, Side } from './change-event.ts';
import type { PairSettings } from './pair.ts';
import type { RawRecord } from './raw-record.ts';

export interface Decoder {
  /** The last decoded record. */
  readonly event: ChangeEvent;
  decode(record: RawRecord): void;
}

/** What the two decoders of a pair share: interned layouts and the rules of each column. */
export interface PairContext {
  readonly settings: PairSettings;
  layout(known: readonly string[], unavailable: readonly string[], placeholders: readonly string[]): Layout;
  layoutById(id: number): Layout;
  /** Whether a column is declared: in `types`, or in either side's `valueSchema` (ruling 29). Source names. */
  isDeclared(column: string): boolean;
}

export type DecoderFactory = (context: PairContext, side: Side) => Decoder;
