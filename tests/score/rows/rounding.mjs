// Between which bytes a figure lies, as its source prints it: "5.2 GB" may be anything from 5.15 to 5.25, and "GB" may mean GiB. An answer
// is inside where its band reaches that.

const units = { B: 1, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

/** What a unit may be taken for: the larger of the two in units of the smaller. */
const ambiguity = { GB: 2 ** 30 / 1e9, MB: 2 ** 20 / 1e6 };

const decimalsOf = (number) => String(number).split('.')[1]?.length ?? 0;

/** A row's own words: "about 24 GB" is not the 24.00 of a table. */
const isRough = ({ quoted = '', quote = '' }) => /about|around|roughly|approx|~|≈/i.test(`${quoted} ${quote}`);

/** A table prints all its figures alike, and 12.0 reads as 12: what the finest figure of a source has is what they all have. */
function decimalsBySource(rows) {
  const decimals = new Map();
  for (const row of rows) if (row.unit && !isRough(row)) decimals.set(tableOf(row), Math.max(decimals.get(tableOf(row)) ?? 0, decimalsOf(row.value)));
  return decimals;
}

const tableOf = ({ source, unit }) => `${source} ${unit}`;

/**
 * @param {object[]} rows all of them, of which some have `value`, `unit` and `source`
 * @returns {(row: object, figure: {truth: number, tolerance: number}) => [number, number]} bytes, from and to
 */
export function intervals(rows) {
  const decimals = decimalsBySource(rows);
  const halfDigit = (row) => {
    const digits = isRough(row) ? decimalsOf(row.value) : (decimals.get(tableOf(row)) ?? 0);
    return row.unit ? 0.5 * 10 ** -digits * units[row.unit] : 0;
  };
  return (row, { truth, tolerance }) => {
    const rounding = Math.max((tolerance ?? 0) * truth, halfDigit(row));
    const [from, to] = [truth - rounding, truth + rounding];
    return row.unit_ambiguous ? [from, to * (ambiguity[row.unit] ?? 1)] : [from, to];
  };
}
