// How text looks where it is printed: the unit of its figures, colours, and the columns that there are.

import { plain, styleFor } from './style.mjs';

/** @typedef {{unit: string, style: import('./style.mjs').Style, width: number}} Look `width`: infinite where nobody looks at a terminal */

/** No terminal is narrower than a word. */
const narrowest = 24;

/** @type {Look} */
export const plainLook = { unit: 'GiB', style: plain, width: Infinity };

/** @param {string} unit @param {{isTTY?: boolean, columns?: number}} stream @returns {Look} */
export const lookAt = (unit, stream) => ({
  unit,
  style: styleFor(stream),
  width: stream.isTTY && stream.columns ? Math.max(narrowest, stream.columns) : Infinity,
});
