// What the decoder of a side makes of its first records: the same reader and decoder that `check` uses, so that what is reported here is
// what will be judged.
import { KIND } from '../../schemas/change-event.ts';
import type { Side } from '../../schemas/change-event.ts';
import { createDecoder } from '../../schemas/formats/registry.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { sideOf } from '../../schemas/pair.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { openSideCaptures } from '../log/capture-side.ts';
import { plural, visible } from './text.ts';
import { lookBeside } from './validate-auxiliary.ts';

export interface Understood { readonly ok: boolean; readonly text: string }

/** Records decoded per partition. */
const RECORDS_LOOKED_AT = 1000;
const KIND_NAMES = Object.keys(KIND);

/** Reads the side's captures (every line is looked at as a line) and decodes their first records. Throws where a file cannot be read. */
export async function decodeFirst(pair: PairSettings, side: Side): Promise<Understood> {
  const settings = sideOf(pair, side);
  const decoder = createDecoder(createPairContext(pair), side);
  const captures = await openSideCaptures(settings, { skipBadLines: false });
  const kinds: number[] = KIND_NAMES.map(() => 0);
  let withOrigin = 0;
  let firstDead = '';
  try {
    for (const reader of captures.rows.partitions) {
      for (let read = 0; read < RECORDS_LOOKED_AT;) {
        if (!reader.next()) {
          if (await reader.fill()) continue;
          break;
        }
        read++;
        decoder.decode(reader.record);
        const { event } = decoder;
        kinds[event.kind]++;
        if (event.kind === KIND.change && event.originLength > 0) withOrigin++;
        if (event.kind === KIND.dead && firstDead === '') firstDead = `${reader.topic}-${reader.partition}@${reader.record.offset}: ${event.deadReason}, ${event.deadDetail}`;
      }
    }
    const rows = verdictOn(pair, kinds, withOrigin, firstDead, `${plural(captures.rows.totalRecords, 'record')} in ${plural(captures.rows.partitions.length, 'partition')}`);
    const all = [rows, ...await lookBeside(pair, side, captures, RECORDS_LOOKED_AT)];
    return { ok: all.every(({ ok }) => ok), text: all.map(({ text }) => text).join('; ') };
  } finally {
    await captures.close();
  }
}

function verdictOn(pair: PairSettings, kinds: readonly number[], withOrigin: number, firstDead: string, size: string): Understood {
  const changes = kinds[KIND.change];
  const parts = KIND_NAMES.map((name, kind) => ({ name, count: kinds[kind] })).filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
  const problems: string[] = [];
  if (firstDead !== '') problems.push(`${kinds[KIND.dead]} cannot be judged, the first at ${visible(firstDead)}`);
  if (changes === 0) problems.push('no change among them');
  const how = pair.match.by;
  if (how !== 'alignment' && changes > 0 && withOrigin === 0) problems.push(`no change carries its ${how}; is match: right?`);
  const carried = how === 'alignment' || changes === 0 ? '' : `; ${withOrigin} of ${plural(changes, 'change')} carry the ${how}`;
  return { ok: problems.length === 0, text: `${size}; first ones: ${parts.join(', ') || 'none'}${carried}${problems.map((problem) => `; ${problem}`).join('')}` };
}
