// How bands would have held for cases that they were not made from: each model's cases, and each source's, against bands made of the others.

import { bandOf, calibrated } from './calibration.mjs';
import { grouped, median, overlaps } from '../statistics.mjs';

/** Each case with whether it is inside of bands made without all of its model (or source), and how wide that band is. */
export function leftOut(residuals, unit) {
  const results = new Map();
  for (const name of new Set(residuals.map((one) => one[unit]))) {
    const out = residuals.filter((one) => one[unit] === name);
    const wanted = new Set(out.flatMap(({ groups }) => groups));
    const groups = calibrated(
      residuals.filter((one) => one[unit] !== name),
      (id) => wanted.has(id),
    );
    for (const one of out) results.set(one, against(one, groups));
  }
  return results;
}

/** A case against bands that are given. */
export function against(one, groups) {
  const band = bandOf(one, groups);
  return {
    inside: overlaps(band, one),
    width: (band.high - band.low) / one.answer,
  };
}

/** Coverage and median width of some cases. */
export function summaryOf(cases, results) {
  const own = cases.map((one) => results.get(one));
  return {
    inside: own.filter(({ inside }) => inside).length / own.length,
    width: median(own.map(({ width }) => width).toSorted((a, b) => a - b)),
  };
}

/** The largest part of cases that one source has. */
function mostOfOne(cases) {
  return Math.max(...grouped(cases, ({ source }) => source).map(([, own]) => own.length)) / cases.length;
}

/** Of more than this, leaving a source out leaves next to nothing. */
const nearlyAll = 0.8;

/** A runtime or a method, and a metric; of cases that decide nothing, why not. */
const stratumOf = ({ groups, metric, aside }) => [groups.at(-2) ?? groups[0], metric, aside ?? ''].join('\t');

const count = (cases, unit) => new Set(cases.map((one) => one[unit])).size;

/** @param {object[]} residuals all of them @param {Map<string, object>} groups of bands @returns {{strata: object[], byModel: Map}} */
export function validated(residuals, groups) {
  const deciding = residuals.filter(({ aside }) => !aside);
  const now = new Map(residuals.map((one) => [one, against(one, groups)]));
  const byModel = leftOut(deciding, 'model');
  const bySource = leftOut(deciding, 'source');
  const byKey = grouped(residuals, stratumOf).sort(([a], [b]) => (a < b ? -1 : 1));
  const strata = byKey.map(([key, cases]) => {
    const [of, metric, aside] = key.split('\t');
    const counted = {
      of,
      metric,
      cases: cases.length,
      models: count(cases, 'model'),
      sources: count(cases, 'source'),
      now: summaryOf(cases, now),
    };
    if (aside) return { ...counted, aside };
    const several = mostOfOne(cases) <= nearlyAll;
    return {
      ...counted,
      byModel: summaryOf(cases, byModel),
      ...(several && { bySource: summaryOf(cases, bySource) }),
    };
  });
  return { strata, byModel };
}
