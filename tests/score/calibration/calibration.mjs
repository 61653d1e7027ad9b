// From residuals to presets/bands: groups of cases, each with shares of rows and factors of totals.

import { enough, factorsOf } from './factors.mjs';
import { allowed, idsOf, least, shareOf, sharesOf, untried, wholeId } from './shares.mjs';

/** From within to without: a metric that no case states errs like the one within it. */
const metrics = ['allocated', 'reserved', 'process', 'capacity'];

const rounded = (number) => Number(number.toPrecision(3));

/** So that what was inside still is. */
const roundedUp = ({ low, high }) => ({
  low: rounded(low * 1.005),
  high: rounded(high * 1.005),
});

const meanOf = ({ low, high }) => Math.sqrt(low * high);

/** Shares such that the innermost metric of which there are cases has a factor of about 1: a row's band then reaches as surely as a total's. */
function asSure(shares, own) {
  const decides = metrics.find((metric) => own.filter((one) => one.metric === metric).length >= least);
  if (!decides) return shares;
  const of = (cases) => cases.filter(({ metric }) => metric === decides);
  let sure = shares;
  for (let round = 0; round < 4; ++round) {
    const factor = Math.max(1, meanOf(factorsOf(of(own), sure)));
    sure = Object.fromEntries(Object.entries(sure).map(([id, share]) => [id, share * factor]));
  }
  return Object.fromEntries(Object.entries(sure).map(([id, share]) => [id, rounded(share)]));
}

/** Methods of training run in one program, whose allocator and context are the same; runtimes are programs of their own. */
const isMethod = (wider) => wider?.id === 'training';

/** Whether so few cases of a method have no quantile of their own, and those of all methods have one. */
const leftToAll = (cases, metric, wider) => isMethod(wider) && cases.length < enough && (wider.totals[metric]?.cases.length ?? 0) >= enough;

/** Factors of each metric that cases state; of one that none states, neither here nor in a wider group, those of the metric within it. */
function totalsOf(own, shares, wider) {
  const totals = {};
  for (const metric of metrics) {
    const cases = own.filter((one) => one.metric === metric);
    const inner = metrics[metrics.indexOf(metric) - 1];
    const within = totals[inner];
    if (leftToAll(cases, metric, wider)) continue;
    if (cases.length >= least)
      totals[metric] = {
        ...roundedUp(factorsOf(cases, shares)),
        whole: wholeOf(shares, metric),
        cases,
      };
    else if (within && metric !== 'capacity' && !isStated(wider, metric))
      totals[metric] = {
        ...within,
        cases: [],
        like: within.like ?? inner,
      };
  }
  return totals;
}

const wholeOf = (shares, metric) => shareOf(shares, wholeId(metric));

const isStated = (group, metric) => group !== undefined && (group.totals[metric]?.cases.length > 0 || isStated(group.wider, metric));

/** One group: its shares, before and after they are made as sure as its totals, and its totals. */
function fitted(id, own, wider) {
  const likely = sharesOf(own, wider?.likely);
  const sure = asSure(likely, own);
  const ids = [...idsOf(own).keys()].filter((each) => each in sure);
  const shares = {
    ...wider?.shares,
    ...Object.fromEntries(ids.map((each) => [each, sure[each]])),
  };
  return {
    id,
    own,
    wider,
    shares,
    likely,
    totals: totalsOf(own, shares, wider),
  };
}

/**
 * @param {object[]} residuals that decide @param {(id: string) => boolean} [asked] which groups
 * @returns {Map<string, object>} by id, wider ones first
 */
export function calibrated(residuals, asked = () => true) {
  const chains = residuals.map(({ groups }) => groups);
  const ids = [...new Set(chains.flatMap((chain) => chain.toReversed().map((id, depth) => `${depth} ${id}`)))].sort();
  const groups = new Map();
  for (const id of ids.map((each) => each.slice(2)).filter(asked)) {
    const own = residuals.filter((one) => one.groups.includes(id));
    const chain = own[0].groups;
    const wider = chain.slice(chain.indexOf(id) + 1).find((each) => groups.has(each));
    if (own.length >= least) groups.set(id, fitted(id, own, groups.get(wider)));
  }
  return groups;
}

/** Shares of a group and of all that are wider; the widest has what rows without a residual get, by their basis. */
const allSharesOf = ({ wider, shares }) => (wider ? shares : { ...untried, ...shares });

/** The band that an answer would have: from and to, in bytes; as Banding in engine/estimate/ledger/bands.cpp. */
export function bandOf(residual, groups) {
  const chain = residual.groups.filter((id) => groups.has(id)).map((id) => groups.get(id));
  const total = chain.find(({ totals }) => totals[residual.metric])?.totals[residual.metric] ?? { low: 1, high: 1, whole: 0 };
  const shares = {
    ...Object.assign({}, ...chain.toReversed().map(allSharesOf)),
    [wholeId(residual.metric)]: total.whole,
  };
  const { answer, counted, exact, metric, unsplit = 0, pooled } = residual;
  const byRows = { ...shares, [wholeId(metric)]: 0 };
  const isExact = [-1, 1].every((side) => allowed(residual, byRows, side) === 0);
  if (isExact && !pooled) return { low: answer, high: answer };
  const reach = (side, factor) => factor * allowed(residual, shares, side);
  const [least, most] = metric === 'capacity' ? [0, answer + counted - exact] : [exact, Infinity];
  return {
    low: Math.floor(Math.max(answer - reach(-1, total.low), least)),
    high: Math.ceil(Math.min(answer + reach(1, total.high), most) + unsplit),
  };
}

const toMillionths = (number) => Number(number.toFixed(6));

const why = {
  modelled: 'a rule that no measured case has tried by itself',
  measured: 'what spread was seen stands beside the figure, in presets/runtimes',
  rule: 'a rule of thumb may be off by half or by as much again',
  'rule.slack': 'a few hundredths of what moves, where published runs reserve from nothing to five times that',
};

const edges = (share) => ({
  low: toMillionths(Math.max(0, 1 - share)),
  high: toMillionths(1 + share),
});

/** A group of the widest kind also has what rows without a residual get, by their basis. */
const byBasis = () => Object.fromEntries(Object.entries(why).map(([id, text]) => [id, { ...edges(untried[id]), residuals: 0, why: text }]));

function rowEntries({ own, wider, shares }) {
  const entries = wider ? {} : byBasis();
  for (const id of [...idsOf(own).keys()].sort()) {
    if (id.startsWith('whole.') || !(shares[id] > 0)) continue;
    const cases = own.filter(({ parts }) => parts.some(({ terms }) => terms.some(({ path }) => path[0] === id)));
    entries[id] = { ...edges(shares[id]), residuals: cases.length };
  }
  return entries;
}

function totalEntries({ totals }, coverage) {
  const entry = ([metric, { low, high, whole, cases, like }]) => [
    metric,
    {
      ...{ low, high, whole, residuals: cases.length },
      ...(cases.length > 0 && {
        models: new Set(cases.map(({ model }) => model)).size,
      }),
      ...(cases.length > 0 &&
        coverage(metric) !== undefined && {
          coverage: rounded(coverage(metric)),
        }),
      ...(like && { why: `no case states it: as ${like}` }),
    },
  ];
  return Object.fromEntries(Object.entries(totals).map(entry));
}

/** @param {Map<string, object>} groups @param {(id: string, metric: string) => number | undefined} coverage @returns {object[]} presets */
export function presetsOf(groups, coverage) {
  return [...groups.values()].map((group) => ({
    id: group.id,
    rows: rowEntries(group),
    totals: totalEntries(group, (metric) => coverage(group.id, metric)),
  }));
}
