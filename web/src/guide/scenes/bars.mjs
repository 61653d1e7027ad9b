// @ts-check
// A picture that stands: a bar for each request, of the same rows. The build draws it, and the page lays it anew by its own engine.

import { read } from '../../embed/figure.mjs';

/** @typedef {import('./scene.mjs').Lane} Lane */
/** @typedef {{ requests: any[], rows: string[], phases: (string | null)[] }} Bars a request and a phase for each bar */

/** What a row takes; none where the reply has no such row. @param {any} reply @param {string} row */
export function amountOf(reply, row) {
  try {
    return read(reply, row);
  } catch {
    return 0;
  }
}

/** The rows of a bar, as the expressions that they are read by. @param {Bars} bars @param {number} at */
export const rowsOf = ({ rows, phases }, at) => rows.map((row) => row + (phases[at] ? `@${phases[at]}` : ''));

/** A lane for each bar. @param {Bars} bars @param {any[]} replies to its requests, in their order @returns {Lane[]} */
export function barsOf(bars, replies) {
  return replies.map((reply, at) => {
    const parts = rowsOf(bars, at).map((of, place) => ({ row: bars.rows[place] ?? of, amount: amountOf(reply, of), of }));
    return { id: String(at), stacks: [parts], bytes: parts.reduce((sum, { amount }) => sum + amount, 0) };
  });
}
