// Colours, on a terminal that shows them and nowhere else.

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** @typedef {(name: keyof typeof codes, text: string) => string} Style */

/** @type {Style} */
export const plain = (_, text) => text;

/** @type {Style} */
const coloured = (name, text) => `\u001b[${codes[name]}m${text}\u001b[0m`;

/** @returns {Style} */
export const styleFor = (stream) => (stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb' ? coloured : plain);
