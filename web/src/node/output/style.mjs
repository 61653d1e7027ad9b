// Colours, where a stream shows them and nowhere else.

import { WriteStream } from 'node:tty';

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 };

/** @typedef {(name: keyof typeof codes, text: string) => string} Style */

/** @type {Style} */
export const plain = (_, text) => text;

/** @type {Style} */
const coloured = (name, text) => `\u001b[${codes[name]}m${text}\u001b[0m`;

/** Of an environment Node knows itself what FORCE_COLOR, NO_COLOR and TERM mean: so many bits of colour, one being none. An empty NO_COLOR says nothing. */
const bitsOf = ({ NO_COLOR: none, ...env }) => WriteStream.prototype.getColorDepth.call({}, none ? { ...env, NO_COLOR: none } : env);

/**
 * Colours on a terminal, unless NO_COLOR or TERM=dumb say otherwise; with FORCE_COLOR into a pipe as well.
 * @param {{isTTY?: boolean}} stream
 * @param {Record<string, string | undefined>} [env]
 * @returns {Style}
 */
export const styleFor = (stream, env = process.env) => ((stream.isTTY || env.FORCE_COLOR !== undefined) && bitsOf(env) > 1 ? coloured : plain);
