// By what the rows' bands of a total are multiplied on either side, so that the wanted part of measured cases is inside (conformal
// prediction): each case's error is divided by what its rows allow on that side. Cases of one model in one source err together and weigh
// less; of cases that weigh w, those beyond the bands weigh at most w − (w + 1) · wanted. They may lie on either side: they are left out
// where that makes both factors the smallest together. Where they weigh less than 19 none may be left out: then the largest stands on each
// side, which w of w + 1 do not exceed, made larger by as much as errors that fall off like e^(−|x|) are from there to the wanted part.

import { allowed, offBy, weighed } from './shares.mjs';

export const wanted = 0.95;

/** So many cases have that quantile. */
export const enough = Math.ceil(wanted / (1 - wanted) - 1e-9);

/** Of a side on which hardly any case errs, the part of the other side's factor that it has at least: the next one may err there. */
const leastTilt = (cases) => 1 / Math.sqrt(cases);

/** Scores of the cases that err to one side, with their weights; the largest first. */
function scoresOf(cases, shares, side) {
  const own = cases.filter(({ one }) => Math.sign(offBy(one)) === side);
  return own
    .map(({ one, weight }) => ({ weight, score: Math.abs(offBy(one)) / Math.max(allowed(one, shares, side), 1) }))
    .toSorted((a, b) => b.score - a.score);
}

/** The largest score, when so much weight of larger ones has been left out. */
function largestBut(outside, scores) {
  let left = outside;
  return scores.find(({ weight }) => (left -= weight) < 0)?.score ?? 0;
}

/** The smallest two factors that scores of the weight `outside`, and no more, exceed. */
function smallest(below, above, outside) {
  const leftOut = [0];
  for (const { weight } of below) leftOut.push(leftOut.at(-1) + weight);
  const choices = leftOut
    .filter((weight) => weight <= outside)
    .map((weight, count) => ({ low: below[count]?.score ?? 0, high: largestBut(outside - weight, above) }));
  return choices.reduce((best, choice) => (choice.low + choice.high < best.low + best.high ? choice : best));
}

/**
 * @param {object[]} cases of one metric in a group @param {Record<string, number>} shares of the group
 * @returns {{low: number, high: number}}
 */
export function factorsOf(cases, shares) {
  const each = weighed(cases);
  const weight = each.reduce((sum, one) => sum + one.weight, 0);
  const outside = weight - wanted * (weight + 1);
  const further = outside < 0 ? Math.log(1 - wanted) / Math.log(1 / (weight + 1)) : 1;
  const { low, high } = smallest(scoresOf(each, shares, -1), scoresOf(each, shares, 1), Math.max(outside, 0));
  const least = leastTilt(weight) * Math.max(low, high);
  return {
    low: further * Math.max(low, least),
    high: further * Math.max(high, least),
  };
}
