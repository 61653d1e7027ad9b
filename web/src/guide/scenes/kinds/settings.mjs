// @ts-check
// One thing is changed, and the rows follow: a frame for each request. Where a rule of thumb is told, it has a lane of its own.

import { read } from '../../../embed/figure.mjs';

/** What a row takes; none where the reply has no such row. @param {any} reply @param {string} row */
function reads(reply, row) {
  try {
    return read(reply, row);
  } catch {
    return 0;
  }
}

/** @typedef {import('../scene.mjs').Scene} Scene */

/** @param {Scene} scene @param {any[]} replies */
export function settings({ names = [], rows = [], phases = [], rule }, replies) {
  return replies.map((reply, at) => {
    const phase = phases[at] ? `@${phases[at]}` : '';
    const parts = rows.map((row) => ({ row, amount: reads(reply, row + phase), of: row + phase }));
    const bytes = parts.reduce((all, { amount }) => all + amount, 0);
    const ruled = rule === undefined ? [] : [{ row: 'weights', amount: rule * reads(reply, 'weights') }];
    const lanes = [
      { id: 'there', stacks: [parts], bytes },
      ...(rule === undefined ? [] : [{ id: 'rule', stacks: [ruled], bytes: ruled[0]?.amount ?? 0 }]),
    ];
    return { say: { key: 'scene.settings', values: { step: names[at] ?? '', bytes: { bytes } } }, lanes };
  });
}
