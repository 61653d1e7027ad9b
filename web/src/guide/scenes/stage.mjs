// @ts-check
// Where the parts of a frame lie. Lanes of one scale can be compared: those that lie down have one, those of columns another.

/** @typedef {import('./scene.mjs').Lane} Lane */
/** @typedef {{ x: number, y: number, width: number, height: number }} Place */

/** @typedef {{ lying: number, standing: number }} Scale the largest stack of lanes that lie down, and of columns */

/** What lanes that lie down, and lanes of columns, are measured in. */
export const sizes = { lying: { width: 1000, height: 22 }, standing: { width: 1000, height: 100 } };

const sum = (/** @type {import('./scene.mjs').Part[]} */ parts) => parts.reduce((all, { amount }) => all + amount, 0);

/** The largest stack of any frame, lying and standing. @param {{ lanes: Lane[] }[]} frames @returns {Scale} */
export function largest(frames) {
  const of = (/** @type {boolean} */ columns) =>
    Math.max(
      1e-9,
      ...frames.flatMap(({ lanes }) => lanes.filter((lane) => Boolean(lane.columns) === columns).flatMap(({ stacks }) => stacks.map(sum))),
    );
  return { lying: of(false), standing: of(true) };
}

/** The places of a lane's parts, stack by stack. @param {Lane} lane @param {Scale} most @returns {Place[]} */
export function placesOf({ columns, stacks }, most) {
  const { width, height } = columns ? sizes.standing : sizes.lying;
  const pitch = width / stacks.length;
  return stacks.flatMap((parts, column) => {
    let at = 0;
    return parts.map(({ amount }) => {
      const length = columns ? (amount / most.standing) * height : (amount / most.lying) * width;
      const from = at;
      at += length;
      return columns
        ? { x: column * pitch + pitch * 0.06, y: height - at, width: pitch * 0.88, height: length }
        : { x: from, y: 0, width: length, height };
    });
  });
}

/** As an attribute has it. @param {number} number */
export const plain = (number) => String(Math.round(number * 100) / 100);
