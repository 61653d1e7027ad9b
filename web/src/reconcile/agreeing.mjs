// @ts-check
// Values for what a text leaves open: those under which its figures and ours lie nearest to each other come first.

/** @typedef {{ours: {bytes: number}, difference: number}} Beside */

/** How far figures and ours lie apart, 0 where they are equal; undefined where nothing is compared. @param {readonly Beside[]} compared */
export function apart(compared) {
  if (compared.length === 0) return undefined;
  const shares = compared.map(({ ours, difference }) => Math.abs(difference) / Math.max(ours.bytes, ours.bytes + difference, 1));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** A share of the figures within which they agree: what lies further off is another model, or another setting. */
const near = 0.1;

/**
 * Those that agree, the nearest first; none where nothing tells them apart. `far`: something does, and none agrees.
 * @template T
 * @param {readonly {value: T, apart: number | undefined}[]} tried @param {number} most
 * @returns {{values: T[], far: boolean}}
 */
export function nearest(tried, most) {
  const told = tried.flatMap(({ value, apart: far }) => (far === undefined ? [] : [{ value, apart: far }])).sort((a, b) => a.apart - b.apart);
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || first.apart === last?.apart) return { values: [], far: false };
  const agreeing = told.filter((one) => one.apart <= near).map(({ value }) => value);
  return { values: agreeing.slice(0, most), far: agreeing.length === 0 };
}
