// Errors and bands of speeds that were foretold.

/** How far a ratio is from one, to either side. */
export const off = (ratio) => Math.exp(Math.abs(Math.log(ratio))) - 1;

export const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];

/** Three digits, as a preset has them. */
export const rounded = (value) => Number(value.toPrecision(3));

/** From the smallest to the largest of 19 in 20. */
export const bandOf = (ratios) => ({
  low: rounded(Math.min(1, quantile(ratios, 0.025))),
  high: rounded(Math.max(1, quantile(ratios, 0.975))),
});
