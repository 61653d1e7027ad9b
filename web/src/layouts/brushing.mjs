// The layouts of a reply as points of two measures, and which of them a brush leaves.

/** What a layout costs, by measure. @type {Record<string, (layout: any) => number>} */
export const measures = {
  overhead: ({ recompute = 0, bubble = 0 }) => recompute + bubble,
  between: ({ sent_between: sent }) => sent,
  devices: ({ devices }) => devices,
  sequences: ({ sequences = 0 }) => sequences,
};

/** Two layouts are the same where their ranks are: a rank ends in the layout's number. */
const keyOf = ({ rank, request }) =>
  JSON.stringify([rank, request.parallel, request.devices, request.training?.checkpointing, request.training?.micro_batch]);

/** The layouts of a reply, each once, those that nothing beats marked. @param {{layouts: any[], front: any[]}} reply */
export function pointsOf({ layouts, front }) {
  const fronts = new Set(front.map(keyOf));
  const all = new Map([...front, ...layouts].map((layout) => [keyOf(layout), layout]));
  return [...all].map(([key, layout]) => ({ key, layout, front: fronts.has(key) }));
}

/** Whether a layout lies within the brush: at most so many bytes of a device, and so much of the measure. */
export const within = (layout, measure, { bytes = Infinity, cost = Infinity }) => layout.process <= bytes && measures[measure](layout) <= cost;

/** From the least to the most, with room at both ends, so that no point lies on an edge. @param {number[]} values */
export function spanOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low || Math.abs(high) || 1) * 0.08;
  return { low: Math.max(0, low - room), high: high + room };
}
