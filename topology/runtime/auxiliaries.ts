// The topics beside a pair's rows (transactions, heartbeats) are read in step with them. Their records enter no verdict: they are evidence.
import { isFromFuture } from '../../processors/claims.ts';
import { createBeats, isBeat, noteBeat, type Beats } from '../../processors/beats.ts';
import { KIND, SIDES, type Side } from '../../schemas/change-event.ts';
import type { Decoder } from '../../schemas/decoder.ts';
import { createDecoder } from '../../schemas/formats/registry.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import type { PairSettings, SideSettings } from '../../schemas/pair.ts';
import type { RawRecord } from '../../schemas/raw-record.ts';
import type { DeadLetterRecord } from '../../schemas/records.ts';
import type { TransactionEnd } from '../../schemas/transaction-end.ts';
import type { PartitionReader } from '../log/log.ts';
import { badLine, deadLetter, futureDetail } from './dead-letters.ts';

export interface AuxiliaryMember { readonly beats: Beats; readonly reader: PartitionReader }

/**
 * Takes the ENDs of a side's transaction topic, in its order. Before a window closes it has been given every END that the topic holds up to
 * the window's horizon. The object is overwritten by the next one; a connector that was restarted sends ENDs again.
 */
export type TakeTransactionEnd = (side: number, end: TransactionEnd, at: RawRecord) => void;

/** `readUpToUs` as in `sideEvidence`. */
export function auxiliaryMember(pair: PairSettings, side: number, reader: PartitionReader, readUpToUs: number): AuxiliaryMember {
  return { beats: createBeats(pair, side, reader.topic, reader.partition, readUpToUs), reader };
}

export interface AuxiliaryTaker {
  /** Takes the record that the member's reader is at. */
  take(member: AuxiliaryMember): void;
}

/** `bury`: takes what cannot be read. It is evidence of nothing, and of no row: no window is undecidable for it. */
export function createAuxiliaryTaker(settings: PairSettings, onTransactionEnd: TakeTransactionEnd, bury: (side: number, letter: DeadLetterRecord) => void): AuxiliaryTaker {
  // Made when a topic is read: most sides have none.
  const decoders: (Decoder | undefined)[] = [undefined, undefined];
  return {
    take({ beats, reader: { record } }) {
      const { side } = beats;
      if (record.bad !== undefined) return bury(side, badLine(settings, side, record));
      const decoder = (decoders[side] ??= auxiliaryDecoder(settings, SIDES[side]));
      decoder.decode(record);
      const { event } = decoder;
      if (isFromFuture(event.commitTimeUs, record.timestampMs, settings.window)) return bury(side, deadLetter(settings, side, record, 'future', futureDetail(event, record)));
      if (isBeat(event)) noteBeat(beats, event.commitTimeUs, record.timestampMs);
      else if (event.kind === KIND.heartbeat) beats.timers++;
      else if (event.kind === KIND.dead) return bury(side, deadLetter(settings, side, record, event.deadReason, event.deadDetail));
      if (event.transactionEnd !== undefined) onTransactionEnd(side, event.transactionEnd, record);
    },
  };
}

/** A decoder that knows nothing of the pair's rows: neither their key nor their columns, and no schema of theirs. */
export function auxiliaryDecoder(settings: PairSettings, side: Side): Decoder {
  const plain = (own: SideSettings): SideSettings => ({ ...own, valueSchema: undefined, keySchema: undefined });
  return createDecoder(createPairContext({
    ...settings, source: plain(settings.source), target: plain(settings.target), key: undefined, match: { by: 'alignment', source: [], target: [] },
    columns: { ignore: [], rename: {}, types: {}, mask: [], carry: [], maskKey: '' },
  }), side);
}
