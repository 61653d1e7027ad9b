// Wrong usage and help: both are read off the option tables.

/** Wrong usage of the command line: exit status 2. */
export class UsageError extends Error {
  /** @param {string} message @param {string} [command] the command whose help would tell */
  constructor(message, command) {
    super(message);
    this.command = command;
  }
}

/** Edits (insert, delete, replace) that turn one word into another. */
export function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; ++i) {
    const next = [i];
    for (let j = 1; j <= to.length; ++j) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}

/** The known word nearest to what was typed, if it is near enough to be a slip. */
export function nearest(word, known) {
  const ranked = known.map((name) => ({ name, edits: name.startsWith(word) && word.length > 2 ? 1 : distance(word, name) }));
  ranked.sort((a, b) => a.edits - b.edits);
  return ranked.length > 0 && ranked[0].edits <= (word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))) ? ranked[0].name : undefined;
}

export function unknown(what, word, known, command) {
  const near = nearest(word.replace(/^--?/, ''), known);
  const prefix = word.startsWith('-') ? '--' : '';
  return new UsageError(`unknown ${what} ${word}${near ? `; did you mean ${prefix}${near}?` : ''}`, command);
}

const label = (option) => `--${option.name}${option.value ? ` ${option.value}` : ''}`;

export function optionLines(options) {
  const width = Math.max(...options.map((option) => label(option).length));
  return options.map((option) => `  ${label(option).padEnd(width)}  ${option.help}`);
}
