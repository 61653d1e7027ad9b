// @ts-check
// One thing is changed, and the rows follow: a frame for each request. Where a rule of thumb is told, it has a lane of its own.

import { amountOf } from '../bars.mjs';

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} scene @param {any[]} replies */
export function settings({ names = [], rows = [], phases = [], rule }, replies) {
  return replies.map((reply, at) => {
    const phase = phases[at] ? `@${phases[at]}` : '';
    const parts = rows.map((row) => ({ row, amount: amountOf(reply, row + phase), of: row + phase }));
    const bytes = parts.reduce((all, { amount }) => all + amount, 0);
    const ruled = rule === undefined ? [] : [{ row: 'weights', amount: rule * amountOf(reply, 'weights') }];
    const lanes = [
      { id: 'there', stacks: [parts], bytes },
      ...(rule === undefined ? [] : [{ id: 'rule', stacks: [ruled], bytes: ruled[0]?.amount ?? 0 }]),
    ];
    return { say: { key: 'scene.settings', values: { step: names[at] ?? '', bytes: { bytes } } }, lanes };
  });
}
