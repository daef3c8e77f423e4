// Plain tables as kubectl prints them: a header, two spaces between columns, no lines, so that they can be cut with awk.
import Table from 'cli-table3';

import type { Style } from './text.ts';

const NO_LINES = {
  top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '',
  left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ',
};

/** Rows under a header; every line ends with a line end and holds no trailing spaces. */
export function printTable(style: Style, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: head.map((name) => style.paint('dim', name.toUpperCase())),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const row of rows) table.push([...row]);
  return `${table.toString().split('\n').map((line) => line.trimEnd()).join('\n')}\n`;
}
