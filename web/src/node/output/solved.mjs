// What a search found, in a line.

import { count } from '../../library/units.mjs';

const shown = (value) => (typeof value === 'number' ? count(value) : String(value));

/** Whether less of the field takes more memory, so that the least value is the answer: then the next one lies below. */
const isLeast = ({ value, next }) => typeof value === 'number' && typeof next === 'number' && next < value;

/** @param {any} reply of `solve` over one field @returns {string} */
export function solvedLine({ find, value, next, ...reply }) {
  const { row, device, phase } = reply.binds ?? {};
  const because = row ? `: ${row} on ${device}, ${phase}` : '';
  if (value === null) return `${find}: nothing fits${because}`;
  const most = isLeast({ value, next }) ? 'at least' : 'up to';
  const end = next === null ? ` (${reply.ends ?? 'all that there is'})` : `; ${shown(next)} does not fit${because}`;
  return `${find}: ${typeof value === 'number' ? `${most} ` : ''}${shown(value)}${end}`;
}
