// Columns of text, as wide as there is room.

/** @typedef {'left' | 'right'} Align */

/** What a line of prose takes where there is room. */
const prose = 118;

/** A column that is cut keeps so much. */
const leastCut = 8;

const gap = 2;

const pad = (text, to, right) => (right ? text.padStart(to) : text.padEnd(to));

const widthsOf = (rows, align) => align.map((_, at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)));

const lineOf = (widths) => widths.reduce((sum, one) => sum + one, 0) + gap * Math.max(0, widths.length - 1);

const cut = (text, to) => (text.length > to ? `${text.slice(0, Math.max(1, to - 1))}…` : text);

/** The columns that there is room for: of those that can be done without, the first in the list go first. */
function kept(widths, width, spare) {
  const left = new Set(widths.keys());
  for (const at of spare) {
    if (lineOf([...left].map((one) => widths[one])) <= width) break;
    left.delete(at);
  }
  return [...left];
}

/** Widths within `width`: of the columns of words, the widest gives way. */
function narrowed(widths, align, width) {
  const own = [...widths];
  for (let over = lineOf(own) - width; over > 0; over = lineOf(own) - width) {
    const widest = own.reduce((best, one, at) => (align[at] === 'left' && one > (own[best] ?? leastCut) ? at : best), -1);
    if (widest < 0) break;
    own[widest] = Math.max(leastCut, own[widest] - over);
  }
  return own;
}

/**
 * Rows of cells as aligned lines.
 * @param {string[][]} rows the first one is the heading
 * @param {Align[]} align per column
 * @param {{width?: number, spare?: number[]}} [room] the columns of the terminal; which of the table's can be done without
 */
export function columns(rows, align, { width = Infinity, spare = [] } = {}) {
  const all = widthsOf(rows, align);
  const chosen = kept(all, width, spare);
  const sides = chosen.map((at) => align[at]);
  const widths = narrowed(
    chosen.map((at) => all[at]),
    sides,
    width,
  );
  return rows.map((row) =>
    chosen
      .slice(0, row.length) // a heading of one cell is as long as it is
      .map((at, place) => (row.length === 1 ? row[0] : pad(cut(row[at] ?? '', widths[place]), widths[place], sides[place] === 'right')))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/** Wraps `text` to `width`, each further line indented by `indent`. */
export function wrapped(text, indent, width = prose) {
  const most = Math.min(width, prose) - indent.length;
  const lines = [''];
  for (const word of text.split(' ')) {
    const at = lines.length - 1;
    if (lines[at] !== '' && lines[at].length + 1 + word.length > most) lines.push(word);
    else lines[at] += lines[at] === '' ? word : ` ${word}`;
  }
  return lines.map((line, i) => (i === 0 ? line : indent + line));
}
