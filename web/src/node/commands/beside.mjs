// What else fits, or what would, as options to give next time.

import { fits, isHardware } from '../../answers/sought.mjs';
import { columns } from '../output/table.mjs';
import { requestOptions } from './options.mjs';

/** @typedef {import('../output/look.mjs').Look} Look */

const options = new Map(requestOptions.flatMap((group) => group.options).map((option) => [option.field, option]));

/** What a value is, in words. */
function meaning({ field }, fitting) {
  if (field === 'devices') return 'so many share it';
  if (isHardware(field)) return 'has room for it';
  if (field === 'weights.encoding') return fitting ? 'takes more, and fits' : 'takes less, and fits';
  return 'the most that fits';
}

/**
 * @param {{field: string, value: string | number}[]} found @param {any} answer @param {Look} look
 * @returns {string[]} lines under a heading; none where nothing was found
 */
export function besideLines(found, answer, { style, width }) {
  if (found.length === 0) return [];
  const fitting = fits(answer);
  const cells = found.map((one) => [`  --${options.get(one.field).name} ${one.value}`, meaning(one, fitting)]);
  return ['', style('bold', fitting ? 'Fits as well' : 'Each of these would fit'), ...columns(cells, ['left', 'left'], { width })];
}
