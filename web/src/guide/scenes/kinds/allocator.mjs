// @ts-check
// A run from its first step on, as the replay of PyTorch's allocator has it: what tensors take of what is reserved.

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} _ @param {any[]} replies */
export function allocator(_, [{ allocator: run }]) {
  const steps = [run.first_step, run.later_steps.filter((/** @type {any} */ { phase }) => phase !== 'load')];
  return steps.flatMap((phases, number) =>
    phases.map((/** @type {any} */ { phase, allocated, peak, reserved }) => ({
      say: {
        key: 'scene.allocator',
        values: {
          phase: { word: `phase.${phase}` },
          number: { count: number + 1 },
          peak: { bytes: peak },
          left: { bytes: allocated },
          reserved: { bytes: reserved },
        },
      },
      lanes: [
        {
          id: 'peak',
          stacks: [
            [
              { row: 'tensors', amount: peak },
              { row: 'slack', amount: reserved - peak },
            ],
          ],
          bytes: peak,
        },
        {
          id: 'left',
          stacks: [
            [
              { row: 'tensors', amount: allocated },
              { row: 'slack', amount: reserved - allocated },
            ],
          ],
          bytes: allocated,
        },
      ],
    })),
  );
}
