// Output records in the formats of `-o`. JSON Lines and JSON are the contract for programs: the same records give the same bytes.
import { stringify } from 'yaml';

import type { OutputRecord } from '../../schemas/records.ts';
import type { ReportOptions } from './report.ts';

export const OUTPUT_FORMATS = ['table', 'wide', 'json', 'jsonl', 'yaml'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** A terminal gets a table, a pipe gets JSON Lines. */
export function defaultFormat(isTerminal: boolean): OutputFormat {
  return isTerminal ? 'table' : 'jsonl';
}

/** Pieces of text to be written one after the other. */
export async function* formatRecords(records: Iterable<OutputRecord>, format: OutputFormat, options: ReportOptions): AsyncIterable<string> {
  switch (format) {
    case 'jsonl':
      for (const record of records) yield `${JSON.stringify(record)}\n`;
      return;
    case 'json':
      yield* jsonArray(records);
      return;
    case 'yaml':
      for (const record of records) yield `---\n${stringify(record, { lineWidth: 0 })}`;
      return;
    case 'table':
    case 'wide': {
      const { reportTables } = await import('./report.ts');
      yield* reportTables(records, { ...options, wide: format === 'wide' });
      return;
    }
  }
}

function* jsonArray(records: Iterable<OutputRecord>): Iterable<string> {
  let separator = '[';
  for (const record of records) {
    yield `${separator}\n${JSON.stringify(record)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}
