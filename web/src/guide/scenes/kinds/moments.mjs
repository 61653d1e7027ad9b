// @ts-check
// A training step moment by moment: what is kept for good, and what comes and goes, a lane each.

import { heldBy, said } from './held.mjs';

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} scene @param {any[]} replies */
export function moments({ rows = [], phase = 'forward' }, [{ step, rows: all }]) {
  const stays = rows
    .map((id) => all.find((/** @type {any} */ row) => row.id === id))
    .map(({ id, by_phase: by }) => ({ row: id, amount: by[phase], of: `${id}@${phase}` }));
  const there = stays.reduce((sum, { amount }) => sum + amount, 0);
  const moving = /** @type {string[]} */ ([...new Set(step.tensors.map((/** @type {any} */ { row }) => row))]);
  return step.moments.map((/** @type {any} */ moment) => {
    const held = heldBy(step, moment);
    const amount = (/** @type {string} */ row) => held.filter((one) => one.row === row).reduce((sum, { bytes }) => sum + bytes, 0);
    const lanes = moving.map((row) => ({ id: row, stacks: [[{ row, amount: amount(row) }]], bytes: amount(row) }));
    return { say: said(moment, there + moment.bytes), lanes: [{ id: 'stays', stacks: [stays], bytes: there }, ...lanes] };
  });
}
