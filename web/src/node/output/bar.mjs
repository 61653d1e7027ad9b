// The parts of an answer as one bar: what of the device each takes, and what is left of it.

/** @typedef {import('./look.mjs').Look} Look */
/** @typedef {{glyph: string, colour: 'blue' | 'cyan' | 'magenta' | 'yellow' | 'green' | 'dim' | 'red', name: string}} Kind what a cell shows */

/** Neighbours differ by shade, so that the bar is read without colours too. */
const shades = ['█', '▒', '▓', '░'];
const colours = /** @type {const} */ (['blue', 'cyan', 'magenta', 'yellow', 'green']);

/** @type {Kind} */
const left = { glyph: '·', colour: 'dim', name: 'left' };
/** @type {Kind} */
const end = { glyph: '│', colour: 'red', name: 'end of the device' };

const widest = 80;

/** Each part with its cells: edges are rounded and not lengths, so that no error adds up. Parts too small to be seen are left out. */
function kindsOf(parts, whole, length) {
  let before = 0;
  const seen = parts.flatMap(({ id, bytes }) => {
    const from = Math.round((before / whole) * length);
    before += bytes;
    const cells = Math.round((before / whole) * length) - from;
    return cells > 0 ? [{ name: id, cells }] : [];
  });
  return seen.map((part, at) => ({ ...part, glyph: shades[at % shades.length], colour: colours[at % colours.length] }));
}

/** Cells as text, neighbours of one kind in one colour. @param {Kind[]} cells */
function drawn(cells, style) {
  const runs = [];
  for (const cell of cells) {
    if (runs.at(-1)?.kind === cell) runs.at(-1).text += cell.glyph;
    else runs.push({ kind: cell, text: cell.glyph });
  }
  return runs.map(({ kind, text }) => style(kind.colour, text)).join('');
}

/** What the glyphs mean, in as many lines as it needs. @param {Kind[]} kinds */
function legend(kinds, style, width) {
  const lines = [];
  let room = 0;
  for (const { glyph, colour, name } of kinds) {
    const entry = `${style(colour, glyph)} ${name}`;
    const length = glyph.length + 1 + name.length;
    if (room >= length + 2) lines.push(`${lines.pop()}  ${entry}`);
    else lines.push(entry);
    room = (room >= length + 2 ? room - 2 : width) - length;
  }
  return lines;
}

/**
 * A bar and its legend. Longer than the device, it marks where that ends.
 * @param {any} reply an answer @param {Look} look @returns {string[]}
 */
export function barLines(reply, { style, width = Infinity }) {
  const parts = (reply.rows ?? []).filter(({ bytes }) => bytes > 0);
  const needed = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (needed === 0) return [];
  const usable = Math.max(0, reply.fit?.usable_bytes ?? needed);
  const whole = Math.max(needed, usable);
  const length = Math.min(width, widest);
  const kinds = kindsOf(parts, whole, length);
  const filled = kinds.flatMap((kind) => Array(kind.cells).fill(kind));
  const cells = [...filled, ...Array(length - filled.length).fill(left)];
  const beyond = usable < needed;
  if (beyond) cells[Math.min(length - 1, Math.round((usable / whole) * length))] = end;
  const beside = beyond ? [end] : [left].filter(() => filled.length < length);
  return ['', drawn(cells, style), ...legend([...kinds, ...beside], style, length)];
}
