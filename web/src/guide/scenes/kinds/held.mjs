// @ts-check
// What a moment of a training step holds, and what is said of it.

/** @typedef {{ tensors: number, row: string, group: string, each: number, count: number, bytes: number }} Held */

/** The classes of tensors that are there. @param {any} step @param {any} moment @returns {Held[]} */
export const heldBy = (step, moment) =>
  moment.holds.map((/** @type {any} */ { tensors, count }) => {
    const { row, group, bytes } = step.tensors[tensors];
    return { tensors, row, group, each: bytes, count, bytes: count * bytes };
  });

/** @param {any} moment @param {number} bytes */
export const said = ({ work, layer }, bytes) => ({
  key: `scene.work.${work}`,
  values: { bytes: { bytes }, ...(layer !== undefined && { layer: { count: layer + 1 } }) },
});

/** How many layers run. @param {any} step */
export const depthOf = (step) => 1 + Math.max(...step.moments.map((/** @type {any} */ { layer }) => layer ?? 0));
