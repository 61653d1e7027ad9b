// By what the rows' bands of a total are multiplied on either side, so that the wanted part of measured cases is inside (conformal
// prediction): each case's error is divided by what its rows allow on that side, and of n such scores the ⌈(n + 1) · wanted⌉-th largest
// is the factor. Of fewer than 19 cases there is none: then the largest stands, which n of n + 1 do not exceed, made larger by as much as
// errors that fall off like e^(−|x|) are from there to the wanted part; n is then what they weigh.

import { allowed, offBy, weighed } from './shares.mjs';

export const wanted = 0.95;

/** So many cases have that quantile. */
export const enough = Math.ceil(wanted / (1 - wanted) - 1e-9);

/** Of a side on which hardly any case errs, the part of the other side's factor that it has at least: the next one may err there. */
const leastTilt = (cases) => 1 / Math.sqrt(cases);

/** The score that `part` of cases yet to come do not exceed; `count`: what the cases count where they are few. */
function quantile(scores, part, count) {
  const sorted = scores.toSorted((a, b) => a - b);
  const rank = Math.ceil(part * (sorted.length + 1));
  if (rank <= sorted.length) return sorted[rank - 1];
  return sorted.at(-1) * (Math.log(1 - part) / Math.log(1 / (count + 1)));
}

/** How many cases tell as much by themselves as these do. */
const counted = (cases) => weighed(cases).reduce((sum, { weight }) => sum + weight, 0);

function scoreOf(one, shares) {
  const error = offBy(one);
  const side = error < 0 ? -1 : 1;
  return {
    side,
    score: error === 0 ? 0 : Math.abs(error) / Math.max(allowed(one, shares, side), 1),
  };
}

/**
 * @param {object[]} cases of one metric in a group @param {Record<string, number>} shares of the group
 * @returns {{low: number, high: number}}
 */
export function factorsOf(cases, shares) {
  const count = counted(cases);
  const scores = cases.map((one) => scoreOf(one, shares));
  const usual = (side) =>
    quantile(
      scores.map((each) => (each.side === side ? each.score : 0)),
      0.9,
      count,
    );
  const [below, above] = [usual(-1), usual(1)];
  const larger = Math.max(below, above);
  const tilt = (own) => (larger > 0 ? Math.max(own / larger, leastTilt(count)) : 1);
  const factor = quantile(
    scores.map(({ side, score }) => score / tilt(side < 0 ? below : above)),
    wanted,
    count,
  );
  return { low: factor * tilt(below), high: factor * tilt(above) };
}
