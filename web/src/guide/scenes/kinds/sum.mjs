// @ts-check
// What is there in each phase, against the sum of what each row takes at its fullest: the sum is of no moment.

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} scene @param {any[]} replies */
export function sum({ rows = [] }, [reply]) {
  const rowOf = (/** @type {string} */ id) => reply.rows.find((/** @type {any} */ row) => row.id === id);
  const fullest = rows.map((row) => ({ row, amount: Math.max(.../** @type {number[]} */ (Object.values(rowOf(row).by_phase))) }));
  const whole = fullest.reduce((all, { amount }) => all + amount, 0);
  return reply.timeline.map((/** @type {any} */ { phase }) => {
    const parts = rows.map((row) => ({ row, amount: rowOf(row).by_phase[phase], of: `${row}@${phase}` }));
    const bytes = parts.reduce((all, { amount }) => all + amount, 0);
    return {
      say: { key: 'scene.sum', values: { phase: { word: `phase.${phase}` }, bytes: { bytes }, sum: { bytes: whole } } },
      lanes: [
        { id: 'there', stacks: [parts], bytes },
        { id: 'sum', stacks: [fullest], bytes: whole },
      ],
    };
  });
}
