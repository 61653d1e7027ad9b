// Columns of text for a terminal.

const pad = (text, to, right) => (right ? text.padStart(to) : text.padEnd(to));

/**
 * Rows of cells as aligned lines.
 * @param {string[][]} rows the first one is the heading
 * @param {('left' | 'right')[]} align per column
 */
export function columns(rows, align) {
  const widths = align.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, i) => pad(cell, widths[i], align[i] === 'right'))
      .join('  ')
      .trimEnd(),
  );
}

/** Wraps `text` to `columns`, each further line indented by `indent`. */
export function wrapped(text, indent, columns = 118) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const at = lines.length - 1;
    if (lines[at] !== '' && lines[at].length + 1 + word.length > columns - indent.length) lines.push(word);
    else lines[at] += lines[at] === '' ? word : ` ${word}`;
  }
  return lines.map((line, i) => (i === 0 ? line : indent + line));
}
