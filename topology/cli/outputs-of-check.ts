// The commands that read an output take it from a file, or from a check of their own. Here: the latter.
import type { OutputRecord } from '../../schemas/records.ts';
import type { CheckFlags } from './check-flags.ts';
import { runChecked } from './check.ts';
import type { CliContext, OutputFlags } from './context.ts';
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

export async function recordsOfCheck(flags: ReadFlags, context: CliContext): Promise<Iterable<OutputRecord>> {
  const { pairs } = settingsOf(checkFlagsOf(flags), context.io);
  return (await runChecked(pairs, flags, context)).records();
}

/** The same flags for the check: there, `--key` names columns. */
export function checkFlagsOf(flags: ReadFlags): CheckFlags {
  const { keyColumns } = flags;
  const copy: Record<string, unknown> = { ...flags };
  delete copy['key'];
  return { ...copy, ...(keyColumns === undefined ? {} : { key: keyColumns }) };
}
