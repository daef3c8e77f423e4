// `--follow`: what an output has by now, by the filter, then every record that is appended to the log, until interrupted.
import { ParitasError } from '../../schemas/errors.ts';
import type { OutputTopics } from '../reconcile.ts';
import { outputOf } from './context.ts';
import type { CliContext } from './context.ts';
import { formatRecords } from './format-records.ts';
import { writeAll } from './io.ts';
import { checkFlagsOf, type ReadFlags } from './outputs-of-check.ts';
import { readLogOutput } from './read-log-output.ts';
import { createFilter } from './record-filter.ts';
import type { RecordKind } from './record-filter.ts';
import { settingsOf } from './settings.ts';

export async function followOutput(kind: RecordKind, topic: keyof OutputTopics, flags: ReadFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const { format, style } = outputOf(flags, context);
  if (format === 'json') throw new ParitasError('usage', '--follow has no end, and -o json is one array that ends; use -o jsonl');
  const { config } = settingsOf(checkFlagsOf(flags), io);
  let filter = createFilter(kind, flags, Date.now());
  for await (const records of readLogOutput(config.log, config.outputs[topic], io.signal, true)) {
    await writeAll(io.stdout, formatRecords(filter(records), format, { style }));
    if (io.stdout.destroyed) return;
    // `-n` is about what was there, as in tail.
    filter = createFilter(kind, withoutCount(flags), Date.now());
  }
  if (io.signal.aborted) throw new ParitasError('interrupted', 'interrupted');
}

function withoutCount(flags: ReadFlags): ReadFlags {
  const copy: { -readonly [K in keyof ReadFlags]: ReadFlags[K] } = { ...flags };
  delete copy.n;
  return copy;
}
