// @ts-check
// Rows of one moment, one after another: each comes on top of those before it.

import { read } from '../../../embed/figure.mjs';

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} scene @param {any[]} replies */
export function appear({ rows = [], phase }, [reply]) {
  const at = phase ? `@${phase}` : '';
  const all = rows.map((row) => ({ row, amount: read(reply, row + at), of: row + at }));
  return all.map(({ row, amount }, last) => {
    const parts = all.map((part, place) => (place <= last ? part : { ...part, amount: 0 }));
    const bytes = parts.reduce((sum, part) => sum + part.amount, 0);
    const name = /** @type {string} */ (row.split('/').at(-1));
    const values = { name: { word: row.includes('/') ? `part.${name}` : `row.${name}` }, more: { bytes: amount }, bytes: { bytes } };
    return { say: { key: 'scene.appear', values }, lanes: [{ id: 'there', stacks: [parts], bytes }] };
  });
}
