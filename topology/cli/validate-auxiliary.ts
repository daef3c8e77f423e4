// What the topics beside a side's rows prove: how many of their first records were committed in the database, and which are only a timer's.
import { isBeat } from '../../processors/beats.ts';
import { KIND } from '../../schemas/change-event.ts';
import type { Side } from '../../schemas/change-event.ts';
import { sideOf, type PairSettings } from '../../schemas/pair.ts';
import type { PartitionReader } from '../log/log.ts';
import { auxiliaryDecoder } from '../runtime/auxiliaries.ts';
import type { SideInput } from './side-input.ts';
import { plural } from './text.ts';
import type { Understood } from './validate-side.ts';

export async function lookBeside(pair: PairSettings, side: Side, input: SideInput, records: number): Promise<readonly Understood[]> {
  const found: Understood[] = [];
  for (const [what, readers] of [['transaction topic', input.transactions], ['heartbeat', input.heartbeat]] as const) {
    if (readers.length > 0) found.push(await look(pair, side, what, readers, records));
  }
  for (const topic of input.absent) found.push({ ok: false, text: `${topic}: the captures hold no line of it; name its capture with transactionFile or heartbeat.file` });
  return found;
}

async function look(pair: PairSettings, side: Side, what: string, readers: readonly PartitionReader[], records: number): Promise<Understood> {
  const decoder = auxiliaryDecoder(pair, side);
  let beats = 0;
  let timers = 0;
  let read = 0;
  for (const reader of readers) {
    for (let taken = 0; taken < records && (reader.next() || (await reader.fill() && reader.next())); taken++) {
      decoder.decode(reader.record);
      read++;
      if (isBeat(decoder.event)) beats++;
      else if (decoder.event.kind === KIND.heartbeat) timers++;
    }
  }
  const name = `${what} ${readers[0].topic}`;
  if (beats > 0) return { ok: true, text: `${name}: ${beats} of the first ${plural(read, 'record')} prove how far the log is complete` };
  if (timers > 0 && sideOf(pair, side).captureDelayUs !== undefined) {
    return { ok: true, text: `${name}: ${timers} of the first ${plural(read, 'record')} are a timer's; they prove nothing, and tell captureDelay the time of the log` };
  }
  const why = timers > 0 ? 'they are a timer\'s and not the database\'s: heartbeat.action.query makes a row or a transactional message' : 'none was committed in a transaction of its own';
  return { ok: false, text: `${name}: ${plural(read, 'record')}, and none proves anything; ${why}` };
}
