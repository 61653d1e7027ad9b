// @ts-check
// A column for each layer: what it keeps for the backward pass, and what is at work in the one that runs. Of equal tensors, as many
// as layers have gone forward: they are those of the first layers.

import { depthOf, heldBy, said } from './held.mjs';

/** @typedef {import('../scene.mjs').Scene} Scene */

const atWork = (/** @type {string} */ group) => group === 'in_flight' || group === 'held_outputs';

/** @param {Scene} scene @param {any[]} replies */
export function layers({ rows = [], phases }, [{ step }]) {
  const depth = depthOf(step);
  const most = step.tensors.map((/** @type {any} */ _, /** @type {number} */ at) =>
    Math.max(
      0,
      ...step.moments.flatMap((/** @type {any} */ { holds }) =>
        holds.filter((/** @type {any} */ one) => one.tensors === at).map((/** @type {any} */ one) => one.count),
      ),
    ),
  );
  const shown = step.moments.filter(
    (/** @type {any} */ { phase, layer, work }) => (layer !== undefined || work === 'loss') && (!phases || phases.includes(phase)),
  );
  return shown.map((/** @type {any} */ moment) => {
    const held = heldBy(step, moment).filter((one) => one.row === 'activations');
    const of = (/** @type {number} */ layer, /** @type {string} */ group) =>
      held
        .filter((one) => one.group === group)
        .reduce((sum, { tensors, each, count }) => {
          if (most[tensors] > 1 && !atWork(group)) return sum + (layer < count ? each : 0);
          return sum + (moment.layer === layer ? each * count : 0);
        }, 0);
    const stacks = Array.from({ length: depth }, (_, layer) => rows.map((group) => ({ row: group, amount: of(layer, group) })));
    const bytes = stacks.flat().reduce((sum, { amount }) => sum + amount, 0);
    return { say: said(moment, bytes), lanes: [{ id: 'layers', columns: true, stacks, bytes }] };
  });
}
