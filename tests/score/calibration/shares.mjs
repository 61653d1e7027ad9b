// By which share rows err: the likeliest, from what whole answers were off.
//
// Errors of rows are taken as independent, so that a total's is √(Σ (row's share · bytes)² + (whole share · counted bytes)²): the last is
// what no row explains. Errors of totals are taken to fall off on both sides like e^(−|x|), which outliers do not rule. A group's shares
// are drawn towards those of the wider group: a share twice as large or half as large costs as much as one model's case that errs e times
// as far; the widest group's are nearly free.

import { grouped } from '../statistics.mjs';

/** Of fewer cases nothing is said by themselves: the wider group answers. */
export const least = 5;

const grid = Array.from({ length: 61 }, (_, step) => 0.001 * 10 ** (step / 16)); // 0.001 … 5.6

/** So much of a narrower group's costs do the widest group's shares have, for what no case tells of. */
const nearlyFree = 0.01;

/** Below this part of an answer nobody asks how far it is off. */
const finest = 0.0005;

/**
 * By how much the truth lies off an answer, less what the source leaves open, and less what blocks may be larger than tensors (`unsplit`);
 * negative where less was measured.
 */
export const offBy = ({ from, to, answer, unsplit = 0 }) => (from > answer ? Math.max(0, from - answer - unsplit) : Math.min(0, to - answer));

/** What a share without a residual is: of a row by its basis, of a whole a hundredth. */
export const untried = {
  modelled: 0.1,
  measured: 0,
  rule: 0.5,
  'rule.slack': 4,
  whole: 0.005,
};

export const wholeId = (metric) => `whole.${metric}`;

/** The share of a row, of its basis where it has none, or of a whole. */
export function shareOf(shares, id, basis) {
  return shares[id] ?? (id.startsWith('whole.') ? untried.whole : (untried[id] ?? untried[basis]));
}

/** A row errs as the topmost that is known of those it is part of. */
const nearest = (shares, path) => path.find((id) => id in shares) ?? path[0];

/** Whether a share of rows makes the width on this side: what is more beside a cache is less in it. */
const isUp = (metric, side) => (metric === 'capacity' ? side < 0 : side > 0);

/** Below an estimate a share counts as one at most: a row cannot take less than nothing. */
const reach = (up, share) => (up ? share : Math.min(1, share));

/**
 * What rows allow on one side, in bytes: as Banding in engine/estimate/ledger/bands.cpp.
 * @param {number} side −1 below the estimate, 1 above
 */
export function allowed({ metric, parts, counted }, shares, side) {
  const up = isUp(metric, side);
  const rows = parts.map(
    ({ below, above, terms }) =>
      (up ? above : below) + terms.reduce((sum, { path, basis, bytes }) => sum + reach(up, shareOf(shares, nearest(shares, path), basis)) * bytes, 0),
  );
  return Math.hypot(...rows, shareOf(shares, wholeId(metric)) * counted);
}

/**
 * What a case allows on the side of its error as one share changes: in each part `fixed` bytes and `each` for a share of one, so also of
 * the whole; what does not depend on the share is counted once. Nothing where none does.
 */
function allowedBy(one, shares, id) {
  const error = offBy(one);
  const up = isUp(one.metric, error < 0 ? -1 : 1);
  const parts = one.parts.map(({ below, above, terms }) => {
    let fixed = up ? above : below;
    let each = 0;
    for (const { path, basis, bytes } of terms) {
      const own = nearest(shares, path);
      if (own === id) each += bytes;
      else fixed += reach(up, shareOf(shares, own, basis)) * bytes;
    }
    return { fixed, each };
  });
  const isWhole = wholeId(one.metric) === id;
  if (!isWhole && parts.every(({ each }) => each === 0)) return undefined;
  const whole = isWhole ? { fixed: 0, each: one.counted } : { fixed: shareOf(shares, wholeId(one.metric)) * one.counted, each: 0 };
  const finestBytes = finest * one.answer;
  const width = (share) => {
    let sum = finestBytes ** 2 + (whole.fixed + whole.each * share) ** 2;
    const reached = reach(up, share);
    for (const { fixed, each } of parts) sum += (fixed + each * reached) ** 2;
    return Math.sqrt(sum);
  };
  return { error: Math.abs(error), width };
}

/** One source weighs at most so many times as much as all others together, or as the cases that a quantile needs. */
const most = 2;
const ofAQuantile = 20; // of which one may lie beyond

/** Cases of one model in one source err together: four weigh as two. One source does not outweigh the others by far: it says how far off
 * its own kind of run is, and bands are for those of others. */
export function weighed(cases) {
  const each = grouped(cases, ({ model, source }) => `${model} ${source}`).flatMap(([, own]) =>
    own.map((one) => ({ one, weight: 1 / Math.sqrt(own.length) })),
  );
  const sum = (some) => some.reduce((all, { weight }) => all + weight, 0);
  const sources = grouped(each, ({ one }) => one.source).map(([, own]) => own);
  const whole = sum(each);
  return sources.flatMap((own) => {
    const weight = sum(own);
    const others = whole - weight;
    const share = others > 0 ? Math.min(1, Math.max(most * others, ofAQuantile) / weight) : 1;
    return own.map((one) => ({ ...one, weight: one.weight * share }));
  });
}

/** Ids of which cases have something that data band, each with its basis. */
export function idsOf(cases) {
  const ids = new Map();
  for (const { parts, metric } of cases) {
    for (const { terms } of parts) for (const { path, basis } of terms) ids.set(path[0], basis);
    ids.set(wholeId(metric), undefined);
  }
  return ids;
}

/** Which cases decide a row's share: those of the innermost total that counts it. What a claimed share leaves for a cache tells of all rows. */
const deciding = [
  { metric: 'capacity', decides: () => true },
  { metric: 'allocated', decides: () => true },
  { metric: 'reserved', decides: (id) => /(^|\.)slack$/.test(id) },
  { metric: 'process', decides: (id) => /(^|\.)device_context$/.test(id) },
];

/** @param {object[]} cases of one group @param {Record<string, number>} [wider] shares of the wider group @returns {Record<string, number>} */
export function sharesOf(cases, wider) {
  let shares = wider ?? {};
  for (const { metric, decides } of deciding) {
    const own = cases.filter((one) => one.metric === metric);
    if (own.length < least) continue;
    const ids = [...idsOf(own)].filter(([id, basis]) => (decides(id) || id === wholeId(metric)) && shareOf(wider ?? {}, id, basis) > 0);
    shares = likeliestOf(weighed(own), ids, wider, shares);
  }
  return shares;
}

/** One share after the other, until none moves. */
function likeliestOf(cases, ids, wider, shares) {
  const before = Object.fromEntries(ids.map(([id, basis]) => [id, shareOf(wider ?? {}, id, basis)]));
  const found = { ...shares, ...before };
  for (let round = 0, moved = true; moved && round < 12; ++round) {
    moved = false;
    for (const [id] of ids) {
      const share = likeliest(cases, found, id, (tried) => (wider ? 1 : nearlyFree) * Math.log2(tried / before[id]) ** 2);
      moved ||= share !== found[id];
      found[id] = share;
    }
  }
  return found;
}

function likeliest(cases, shares, id, cost) {
  const following = cases.map(({ one, weight }) => ({ weight, ...allowedBy(one, shares, id) })).filter(({ width }) => width);
  /** How unlikely cases are under a share. */
  const surprise = (share) =>
    following.reduce((sum, { weight, error, width }) => {
      const bytes = width(share);
      return sum + weight * (Math.log(bytes) + error / bytes);
    }, 0);
  let best = Infinity;
  let found = shares[id];
  for (const share of grid) {
    const now = surprise(share) + cost(share);
    if (now < best - 1e-9) [best, found] = [now, share];
  }
  return found;
}
