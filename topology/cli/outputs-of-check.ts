// The commands that read an output take it from a file, or from what a configuration has: its log, or a check of its captures.
import type { RecordedLine } from '../../processors/verify-chain.ts';
import type { OutputRecord } from '../../schemas/records.ts';
import type { LogSettings } from '../config.ts';
import type { OutputTopics } from '../reconcile.ts';
import type { CheckFlags } from './check-flags.ts';
import { runChecked } from './check.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { hasLogToRead } from './open-log.ts';
import { readLogOutput, readLogRecording } from './read-log-output.ts';
import type { FilterFlags } from './record-filter.ts';
import { settingsOf } from './settings.ts';

export interface ReadFlags extends Omit<CheckFlags, 'key'>, FilterFlags, OutputFlags {
  readonly from?: string;
  readonly follow?: boolean;
  readonly verify?: boolean;
  readonly keyColumns?: string;
  readonly complete?: boolean;
  readonly skipBadLines?: boolean;
}

/** The records of this output in the log of the configuration, or all that its check gives. */
export async function recordsOfConfiguration(topic: keyof OutputTopics, flags: ReadFlags, context: CliContext): Promise<Iterable<OutputRecord>> {
  const { config, pairs } = settingsOf(checkFlagsOf(flags), context.io);
  if (!readsLog(config.log, flags)) return (await runChecked({ config, pairs }, flags, context)).records();
  const records: OutputRecord[] = [];
  for await (const some of readLogOutput(config.log, config.outputs[topic], context.io.signal, false)) records.push(...some);
  return records;
}

/** Everything that the configuration has put out, each record with its place: of a log at one moment, also while a service writes it. */
export async function recordingOfConfiguration(flags: ReadFlags, context: CliContext): Promise<RecordedLine[]> {
  const { config, pairs } = settingsOf(checkFlagsOf(flags), context.io);
  if (readsLog(config.log, flags)) return readLogRecording(config.log, config.outputs);
  return [...(await runChecked({ config, pairs }, flags, context)).records()].map((record, i) => ({ at: `record ${i + 1}`, record }));
}

function readsLog(log: LogSettings, flags: ReadFlags): boolean {
  return !asksForCheck(flags) && hasLogToRead(log);
}

function asksForCheck(flags: ReadFlags): boolean {
  return flags.source !== undefined || flags.target !== undefined || flags.complete === true;
}

/** The same flags for the check: there, `--key` names columns. */
export function checkFlagsOf(flags: ReadFlags): CheckFlags {
  const { keyColumns } = flags;
  const copy: Record<string, unknown> = { ...flags };
  delete copy['key'];
  return { ...copy, ...(keyColumns === undefined ? {} : { key: keyColumns }) };
}
