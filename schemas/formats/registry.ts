// The formats a side may have, by the names of the configuration.
import type { Side } from '../change-event.ts';
import type { Decoder, DecoderFactory, PairContext } from '../decoder.ts';
import { ParitasError } from '../errors.ts';
import { sideOf } from '../pair.ts';
import { createDebeziumJsonDecoder } from './debezium-json.ts';

const DECODERS: Readonly<Record<string, DecoderFactory>> = {
  'debezium-json': createDebeziumJsonDecoder,
  auto: createDebeziumJsonDecoder,
};

/** The decoder of a side. Throws where its format is not built, or an option asks what the format does not have. */
export function createDecoder(context: PairContext, side: Side): Decoder {
  const { format } = sideOf(context.settings, side);
  if (!Object.hasOwn(DECODERS, format)) throw new ParitasError('not-built', `pair ${context.settings.name}, ${side}: format ${format} is not built yet`);
  return DECODERS[format](context, side);
}
