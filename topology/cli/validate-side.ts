// What the decoder of a side makes of its first records: the same reader and decoder that `check` uses, so that what is reported here is
// what will be judged.
import { KIND, OP, PRINT } from '../../schemas/change-event.ts';
import type { Side } from '../../schemas/change-event.ts';
import { createDecoder } from '../../schemas/formats/registry.ts';
import { createPairContext } from '../../schemas/pair-context.ts';
import { partitionOfKey } from '../../schemas/murmur2.ts';
import { sideOf } from '../../schemas/pair.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { PartitionReader } from '../log/log.ts';
import { openSideInput, type TopicsLog } from './side-input.ts';
import { plural, visible } from './text.ts';
import { lookBeside } from './validate-auxiliary.ts';

export interface Understood { readonly ok: boolean; readonly text: string }

/** Records decoded per partition. */
const RECORDS_LOOKED_AT = 1000;
const KIND_NAMES = Object.keys(KIND);

/** `records`: so many were decoded. `misplaced`: a record that Kafka's default partitioner would have put elsewhere. */
export interface Sample extends Understood { readonly records: number; readonly misplaced: string | undefined }

/**
 * Reads the side's captures (every line is looked at as a line) and decodes their first records; of a topic, those of its `last` offsets. Throws
 * where a file or topic cannot be read.
 */
export async function decodeFirst(pair: PairSettings, side: Side, topics: TopicsLog, last?: number): Promise<Sample> {
  const settings = sideOf(pair, side);
  const decoder = createDecoder(createPairContext(pair), side);
  const input = await openSideInput(settings, topics, { skipBadLines: false, ...(last === undefined ? {} : { last }) });
  const kinds: number[] = KIND_NAMES.map(() => 0);
  let withOrigin = 0;
  let firstDead = '';
  let misplaced: string | undefined;
  let changed = 0;
  let withBefore = 0;
  try {
    for (const reader of input.rows.partitions) {
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
        if (event.kind === KIND.change && (event.op === OP.update || event.op === OP.delete)) {
          changed++;
          if (event.prints[PRINT.before] !== PRINT.none) withBefore++;
        }
        misplaced ??= placement(reader, input.rows.partitions.length);
        if (event.kind === KIND.dead && firstDead === '') firstDead = `${reader.topic}-${reader.partition}@${reader.record.offset}: ${event.deadReason}, ${event.deadDetail}`;
      }
    }
    const rows = verdictOn(pair, kinds, withOrigin, firstDead, `${plural(input.rows.totalRecords, 'record')} in ${plural(input.rows.partitions.length, 'partition')}`);
    const all = [rows, ...imagesOf(settings.replicaIdentity, changed, withBefore), ...await lookBeside(pair, side, input, RECORDS_LOOKED_AT)];
    return { ok: all.every(({ ok }) => ok), text: all.map(({ text }) => text).join('; '), records: kinds.reduce((sum, count) => sum + count, 0), misplaced };
  } finally {
    await input.close();
  }
}

/** Declared and not so: gaps and stale reads are then looked for in rows that are not there. */
function imagesOf(replicaIdentity: string | undefined, changed: number, withBefore: number): Understood[] {
  if (replicaIdentity !== 'full' || changed === 0 || withBefore > 0) return [];
  return [{ ok: false, text: `replicaIdentity: full is declared, and none of ${plural(changed, 'update')} or deletes carries the row before it; ALTER TABLE … REPLICA IDENTITY FULL, or declare default` }];
}

function placement({ topic, partition, record: { data, offset, keyStart, keyEnd } }: PartitionReader, partitions: number): string | undefined {
  if (partitions === 1 || keyStart < 0) return undefined;
  const expected = partitionOfKey(data, keyStart, keyEnd, partitions);
  return expected === partition ? undefined : `${topic}-${partition}@${offset}: by its key it belongs into partition ${expected} of ${partitions}: something else than Kafka's default partitioner placed it`;
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
