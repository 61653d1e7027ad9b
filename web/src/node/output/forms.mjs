// A table in the form that was asked for: columns for a terminal, comma-separated values, Markdown.

import { markdownText } from '../../state/quoting.mjs';
import { columns } from './table.mjs';

/** @typedef {{csv?: boolean, markdown?: boolean}} Form */
/** @typedef {import('./look.mjs').Look} Look */

const verdictColours = { fits: 'green', tight: 'yellow', waits: 'yellow', 'too large': 'red', 'does not start': 'red' };

/** A verdict in its colour. @param {string} verdict @param {Look} look */
export const verdictText = (verdict, { style }) => style(verdictColours[verdict] ?? 'bold', verdict);

const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Rows of cells as comma-separated values (RFC 4180, lines ending as the system's do). */
export const csvLines = (rows) => rows.map((row) => row.map((cell) => quoted(String(cell))).join(','));

/** Rows of cells as a Markdown table, the first one being the heading. @param {string[][]} rows @param {import('./table.mjs').Align[]} [align] */
export function markdownLines([head, ...rows], align = []) {
  const line = (cells) => `| ${cells.map((cell) => markdownText(String(cell))).join(' | ')} |`;
  return [line(head), `|${head.map((_, at) => (align[at] === 'right' ? '--:' : '---')).join('|')}|`, ...rows.map(line)];
}

function tinted(line, cells, look) {
  const verdict = cells.find((cell) => cell in verdictColours);
  return verdict ? line.replace(verdict, verdictText(verdict, look)) : line;
}

/**
 * Cells as text.
 * @param {string[][]} cells the first row is the heading
 * @param {import('./table.mjs').Align[]} align per column
 * @param {Look} look
 * @param {Form} form
 * @param {number[]} [spare] columns that a narrow terminal can do without, the first to go first
 */
export function tableText(cells, align, look, form, spare = []) {
  if (form.csv) return csvLines(cells).join('\n');
  if (form.markdown) return markdownLines(cells, align).join('\n');
  const [head, ...lines] = columns(cells, align, { width: look.width, spare });
  return [look.style('bold', head), ...lines.map((line, at) => tinted(line, cells[at + 1], look))].join('\n');
}
