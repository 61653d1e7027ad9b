// @ts-check
// Values for what a text leaves open: those under which its figures and ours lie nearest to each other come first.

/** @typedef {{ours: {bytes: number}, difference: number}} Beside */

/** How far figures and ours lie apart, 0 where they are equal; undefined where nothing is compared. @param {readonly Beside[]} compared */
export function apart(compared) {
  if (compared.length === 0) return undefined;
  const shares = compared.map(({ ours, difference }) => Math.abs(difference) / Math.max(ours.bytes, ours.bytes + difference, 1));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/**
 * The nearest first; none where nothing tells them apart.
 * @template T
 * @param {readonly {value: T, apart: number | undefined}[]} tried @param {number} most
 * @returns {{value: T, apart: number}[]}
 */
export function nearest(tried, most) {
  const told = tried.flatMap(({ value, apart: far }) => (far === undefined ? [] : [{ value, apart: far }])).sort((a, b) => a.apart - b.apart);
  const [first, last] = [told[0], told.at(-1)];
  return first === undefined || first.apart === last?.apart ? [] : told.slice(0, most);
}
