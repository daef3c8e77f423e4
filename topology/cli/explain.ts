// `paritas explain KEY`: both sides' histories of one row key side by side, in position order, with what was matched to what and what was
// found about it.
import type { Command } from 'commander';

import { stringify } from 'yaml';

import { ParitasError } from '../../schemas/errors.ts';
import type { ExplainRow } from '../check-types.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addCompletenessFlags } from './check.ts';
import { addExample, addOutputFlags, COMMAND, outputOf, requireInputs } from './context.ts';
import type { CliContext, OutputFlags } from './context.ts';
import { writeAll } from './io.ts';
import { keyForEngine, parseKey } from './row-key.ts';
import { settingsOf } from './settings.ts';
import { printTable } from './table.ts';
import { plural, shortTime, visible } from './text.ts';
import type { Style } from './text.ts';

type Flags = CheckFlags & OutputFlags & { readonly complete?: boolean; readonly skipBadLines?: boolean };

export function addExplain(program: Command, context: CliContext): void {
  const command = program.command('explain').description('both histories of one row key side by side, with what was matched to what')
    .argument('<key>', 'the row key: 42, id=42, id=42,part=2 or JSON');
  addCompletenessFlags(addOutputFlags(addCheckFlags(command)));
  addExample(command, `${COMMAND} explain 1007 --config deploy/demo/paritas.yaml --pair orders --complete`);
  command.action(async (text: string, flags: Flags) => {
    const { config: { log, state }, pairs } = settingsOf(flags, context.io);
    if (pairs.length > 1) {
      throw new ParitasError('usage', `explain is about one pair: add --pair ${pairs.map(({ name }) => name).join(' or --pair ')}`);
    }
    const [pair] = pairs;
    await requireInputs([pair], log);
    const key = parseKey(text, pair.key);
    const engine = await context.engine();
    const rows = await engine.explainKey(pair, keyForEngine(key), { complete: flags.complete === true, skipBadLines: flags.skipBadLines === true, log, stateEngine: state.engine });
    if (rows.length === 0) throw new ParitasError('input', `pair "${pair.name}": neither side has a change of ${visible(text)}`);
    const { format, style } = outputOf(flags, context);
    await writeAll(context.io.stdout, formatRows(rows, format, style));
  });
}

/** The rows in a format of `-o`. */
export function* formatRows(rows: readonly ExplainRow[], format: string, style: Style): Iterable<string> {
  if (format === 'jsonl') for (const row of rows) yield `${JSON.stringify(row)}\n`;
  else if (format === 'json') yield `${JSON.stringify(rows, null, 1)}\n`;
  else if (format === 'yaml') yield stringify(rows, { lineWidth: 0 });
  else yield histories(rows, style, format === 'wide');
}

function histories(rows: readonly ExplainRow[], style: Style, wide: boolean): string {
  const head = [
    'source', 'commit time', 'record', ...(wide ? ['position'] : []), '', 'target', 'commit time', 'record', 'lag', 'origin', ...(wide ? ['position'] : []), 'findings',
  ];
  const body = sideBySide(rows).map(({ source, target }) => {
    const link = source !== undefined && target !== undefined ? '=' : source === undefined ? '>' : '<';
    return [
      source?.op ?? '', shortTime(source?.commitTime ?? ''), at(source), ...(wide ? [source?.position ?? ''] : []), link,
      target?.op ?? '', shortTime(target?.commitTime ?? ''), at(target), target?.lagMs === undefined ? '' : `${target.lagMs} ms`, visible(target?.origin ?? ''),
      ...(wide ? [target?.position ?? ''] : []), said(source, target, style),
    ];
  });
  const count = (side: string): number => rows.filter((row) => row.side === side).length;
  return `${printTable(style, head, body)}\n${plural(count('source'), 'source change')}, ${plural(count('target'), 'target change')}. `
    + '= matched, < only on the source, > only on the target.\n';
}

/** The findings of a line, once each, and why what stands alone does. */
function said(source: ExplainRow | undefined, target: ExplainRow | undefined, style: Style): string {
  const findings = [...new Set([...(source?.findings ?? []), ...(target?.findings ?? [])])].map((finding) => style.paint('red', visible(finding)));
  const reasons = [source?.reason, target?.reason].filter((reason) => reason !== undefined).map(visible);
  return [...findings, ...reasons].join('\n');
}

interface Line { readonly source?: ExplainRow; readonly target?: ExplainRow }

/** Matched rows share a line; a target row without a match stands where its commit time puts it among the source's. */
export function sideBySide(rows: readonly ExplainRow[]): Line[] {
  const targets = rows.filter((row) => row.side === 'target');
  const byMatch = new Map<string, ExplainRow[]>();
  const alone: ExplainRow[] = [];
  const sources = rows.filter((row) => row.side === 'source');
  const known = new Set(sources.map(at));
  for (const target of targets) {
    if (target.match === undefined || !known.has(target.match)) alone.push(target);
    else byMatch.set(target.match, [...(byMatch.get(target.match) ?? []), target]);
  }
  const lines: Line[] = [];
  let next = 0;
  for (const source of sources) {
    while (next < alone.length && alone[next].commitTime < source.commitTime) lines.push({ target: alone[next++] });
    const [first, ...more] = byMatch.get(at(source)) ?? [];
    lines.push(first === undefined ? { source } : { source, target: first }, ...more.map((target) => ({ target })));
  }
  return [...lines, ...alone.slice(next).map((target) => ({ target }))];
}

function at(row: ExplainRow | undefined): string {
  return row === undefined ? '' : visible(`${row.topic}-${row.partition}@${row.offset}`);
}
