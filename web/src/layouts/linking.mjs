// @ts-check
// What was asked of a search over layouts, as a link carries it: `8x2.least_overhead.64.framework-recompute.450.50`, and other kinds of
// devices behind it: `.8x4_a100-sxm-80gb`.

/** @typedef {import('./question.ts').Wish} Wish */
/** @typedef {import('./question.ts').Kept} Kept */

/** Wants of any task, and what may be kept of any. */
const words = /** @type {const} */ ({
  want: ['least_overhead', 'shortest_step', 'fits', 'fewest_devices', 'largest_micro_batch', 'least_traffic', 'most_sequences'],
  kept: ['degrees', 'framework', 'recompute', 'batch'],
});

/** Letters that no link writes otherwise. @param {Wish} wish @returns {string} */
export const sought = ({ perNode, nodes, want, batch, kept, within, between, others }) =>
  `${perNode}x${nodes}.${want}.${batch ?? ''}.${kept.join('-')}.${within}.${between}` +
  others.map((other) => `.${other.perNode}x${other.nodes}_${other.device}`).join('');

const form = /^(\d{1,5})x(\d{1,5})\.([a-z_]+)\.(\d{0,9})\.([a-z-]*)\.(\d{1,6})\.(\d{1,6})((?:\.[1-9]\d{0,4}x[1-9]\d{0,4}_[a-z0-9-]+){0,7})$/;

/** @param {string} text @returns {Wish['others']} */
const othersIn = (text) =>
  [...text.matchAll(/\.(\d+)x(\d+)_([a-z0-9-]+)/g)].map(([, perNode, nodes, device]) => ({
    device: /** @type {string} */ (device),
    perNode: Number(perNode),
    nodes: Number(nodes),
  }));

/** What a link says; undefined where it was not written here. @param {string} text @returns {Wish | undefined} */
export function wishIn(text) {
  const found = form.exec(text);
  if (!found) return undefined;
  const [, perNode, nodes, want, batch, kept, within, between, others] = /** @type {string[]} */ (/** @type {unknown} */ (found));
  const numbers = [perNode, nodes, within, between].map(Number);
  const each = kept === '' ? [] : /** @type {string} */ (kept).split('-');
  const known = words.want.some((one) => one === want) && each.every((one) => words.kept.some((known) => known === one));
  if (!known || numbers.some((number) => number === 0) || batch === '0') return undefined;
  const [devices, machines, inside, outside] = /** @type {[number, number, number, number]} */ (numbers);
  return {
    perNode: devices,
    nodes: machines,
    want: /** @type {Wish['want']} */ (want),
    batch: batch === '' ? undefined : Number(batch),
    kept: /** @type {Kept[]} */ (each),
    within: inside,
    between: outside,
    others: othersIn(/** @type {string} */ (others)),
  };
}
