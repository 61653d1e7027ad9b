// @ts-check
// What four counters show after each phase of the first two steps.

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} _ @param {any[]} replies */
export function readings(_, [{ allocator: run, rows }]) {
  const context = rows.find((/** @type {any} */ { id }) => id === 'device_context').bytes;
  const steps = [run.first_step, run.later_steps.filter((/** @type {any} */ { phase }) => phase !== 'load')];
  let highest = 0;
  return steps.flatMap((phases, number) =>
    phases.map((/** @type {any} */ { phase, allocated, peak, reserved }) => {
      highest = Math.max(highest, peak);
      const lane = (/** @type {string} */ id, /** @type {string} */ row, /** @type {number} */ bytes) => ({
        id,
        stacks: [[{ row, amount: bytes }]],
        bytes,
      });
      return {
        say: {
          key: 'scene.readings',
          values: { phase: { word: `phase.${phase}` }, number: { count: number + 1 }, lost: { bytes: reserved + context - allocated } },
        },
        lanes: [
          lane('memory_allocated', 'weights', allocated),
          lane('max_memory_allocated', 'activations', highest),
          lane('memory_reserved', 'slack', reserved),
          lane('nvidia-smi', 'device_context', reserved + context),
        ],
      };
    }),
  );
}
