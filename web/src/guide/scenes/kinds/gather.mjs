// @ts-check
// FSDP on one device, a column for each layer: its shard stays, and the whole of a layer is gathered while it runs. What is gathered
// for the next layer is there already.

import { depthOf, heldBy, said } from './held.mjs';

/** @typedef {import('../scene.mjs').Scene} Scene */

const sum = (/** @type {any[]} */ held) => held.reduce((all, { bytes }) => all + bytes, 0);

/** @param {Scene} _ @param {any[]} replies */
export function gather(_, [{ step, rows }]) {
  const depth = depthOf(step);
  const weights = rows.find((/** @type {any} */ { id }) => id === 'weights').rows;
  const ofLayers = weights.filter((/** @type {any} */ { id }) => ['attention', 'feed_forward', 'norm'].includes(id));
  const shard = sum(ofLayers) / depth;
  return step.moments
    .filter((/** @type {any} */ { layer }) => layer !== undefined)
    .map((/** @type {any} */ moment) => {
      const held = heldBy(step, moment);
      const of = (/** @type {string} */ group) => sum(held.filter((one) => one.group === group));
      const next = moment.layer + (moment.phase === 'forward' ? 1 : -1);
      const stacks = Array.from({ length: depth }, (_, layer) => [
        { row: 'weights', amount: shard },
        { row: 'gathered_units', amount: layer === moment.layer ? of('gathered_units') : 0 },
        { row: 'all_gather_output', amount: layer === next || (layer === moment.layer && (next < 0 || next >= depth)) ? of('all_gather_output') : 0 },
        { row: 'reduce_scatter_input', amount: layer === moment.layer ? of('reduce_scatter_input') : 0 },
      ]);
      const bytes = stacks.flat().reduce((all, { amount }) => all + amount, 0);
      return { say: said(moment, bytes), lanes: [{ id: 'layers', columns: true, stacks, bytes }] };
    });
}
