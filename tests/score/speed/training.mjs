// What a training step reaches of a device's rates, found from printed speeds: for each framework, class of devices and generation the
// shares of its peaks, and how far off that is on sources, models and generations that it was not found from.

import { presetOf } from '../rows/names.mjs';
import { classOf } from './classes.mjs';
import { atPeaks } from './peaks.mjs';
import { bandOf, off, quantile, rounded } from './statistics.mjs';
import { trainingCase } from './training_rows.mjs';

export const frameworks = ['megatron', 'fsdp', 'fsdp2'];

/** Twice the goals of dense models, and of those with experts: beyond it nothing but the roof is told. */
const goals = {
  dense: { median: 0.16, ninth: 0.5 },
  mixture: { median: 0.4, ninth: 1 },
};
const fewest = 10; // printed speeds of a group
const kinds = ['memory', 'products', 'packed', 'attention', 'experts'];
/** Where the search for shares begins; what a group has no rows of stays out of its entry. */
const start = {
  memory: 0.7,
  products: 0.6,
  packed: 0.6,
  attention: 0.5,
  experts: 0.3,
};

/** Seconds of a step at the peaks, by what bounds them. */
function partsOf({ operations, rows }, narrow) {
  const optimizer = rows.find(({ id }) => id === 'optimizer')?.seconds ?? 0;
  const parts = { optimizer, memory: 0, products: 0, packed: 0, attention: 0, experts: 0 };
  const wide = ['head', 'embedding', 'router'];
  for (const { seconds, binds, kind, part } of operations) {
    if (binds === 'bandwidth') parts.memory += seconds;
    else if (kind === 'attention') parts.attention += seconds;
    else if (kind === 'product' && part === 'experts') parts.experts += seconds;
    else if (narrow && kind === 'product' && !wide.includes(part)) parts.packed += seconds;
    else parts.products += seconds;
  }
  return parts;
}

/** Every printed speed of a training that can be asked, with the parts of its step. */
export function trainingCases(rows) {
  const cases = rows.map((row) => ({ row, ...trainingCase(row) })).filter(({ request }) => request);
  for (const one of cases) {
    const preset = presetOf('devices', one.device);
    Object.assign(one, {
      class: classOf(preset),
      generation: Math.floor(preset.compute_capability ?? 0),
      model: one.row.model,
    });
  }
  const replies = atPeaks(
    frameworks,
    cases.map(({ request }) => request),
    [...new Set(cases.map((one) => one.class))],
  );
  return cases.flatMap((one, at) => {
    const step = replies[at].time?.step;
    if (!step) return [];
    const { micro_batch, sequence, accumulation, precision } = one.request.training;
    const tokens = micro_batch * sequence * accumulation * one.request.parallel.data;
    const parts = partsOf(step, precision === 'fp8-mixed');
    return [
      {
        ...one,
        parts,
        seconds: tokens / (one.truth * one.row.devices),
        mixture: parts.experts > 0,
      },
    ];
  });
}

/** Seconds of a step with the shares found; the optimizer's are told by the engine, from a share that was measured. */
export const foretoldStep = (parts, shares) => kinds.reduce((sum, kind) => sum + parts[kind] / (shares[kind] || 1), parts.optimizer ?? 0);

/** Mean of the logarithms' distances, each source counting alike. */
function distance(cases, shares) {
  const bySource = new Map();
  for (const { source } of cases) bySource.set(source, (bySource.get(source) ?? 0) + 1);
  let [sum, whole] = [0, 0];
  for (const { parts, seconds, source } of cases) {
    const weight = 1 / Math.sqrt(bySource.get(source));
    sum += weight * Math.abs(Math.log(foretoldStep(parts, shares) / seconds));
    whole += weight;
  }
  return sum / whole;
}

/** The shares that come nearest, one after the other made larger and smaller by ever finer steps. */
export function fitStep(cases, from = start, free = kinds) {
  let shares = { ...from };
  let best = distance(cases, shares);
  const present = free.filter((kind) => cases.some(({ parts, seconds }) => parts[kind] > 0.02 * seconds));
  for (const step of [1.3, 1.15, 1.07, 1.03, 1.01])
    for (let changed = true; changed;) {
      changed = false;
      for (const kind of present)
        for (const factor of [step, 1 / step]) {
          const tried = {
            ...shares,
            [kind]: Math.min(1, shares[kind] * factor),
          };
          const far = distance(cases, tried);
          if (far < best - 1e-6) [shares, best, changed] = [tried, far, true];
        }
    }
  return { shares, present };
}

const telling = 0.1; // of a step's seconds: what has less says little of its share

/** Whether a row is made of what the others teach something about. */
const isTaught = (row, rest) => {
  const has = (one, kind) => one.parts[kind] > telling * one.seconds;
  return kinds.every((kind) => !has(row, kind) || rest.some((one) => has(one, kind)));
};

/** Each row foretold from those that differ from it by `key`, if these teach what it is made of. */
function leftOut(cases, key, fit) {
  return [...new Set(cases.map((one) => one[key]))].flatMap((left) => {
    const rest = cases.filter((one) => one[key] !== left);
    if (rest.length < fewest / 2) return [];
    const shares = fit(rest);
    const foretold = cases.filter((one) => one[key] === left && (one.mixture || isTaught(one, rest)));
    return foretold.map(({ parts, seconds }) => seconds / foretoldStep(parts, shares));
  });
}

function judged(cases, keys, fit) {
  const ratios = keys.map((key) => leftOut(cases, key, fit)).find((list) => list.length >= cases.length / 2);
  if (!ratios) return undefined;
  const errors = ratios.map(off);
  const sources = new Set(cases.map(({ source }) => source)).size;
  return {
    figures: cases.length,
    sources,
    median: quantile(errors, 0.5),
    ninth: quantile(errors, 0.9),
    band: bandOf(ratios),
  };
}

const within = (found, { median, ninth }) => found !== undefined && found.median <= median && found.ninth <= ninth;

/** Shares of one group, and of its mixtures where they are near enough. `keys`: by what rows are left out, the best first. */
function groupOf(about, cases, keys) {
  const dense = cases.filter(({ mixture }) => !mixture);
  const mixtures = cases.filter(({ mixture }) => mixture);
  if (dense.length < fewest) return { ...about, figures: cases.length };
  const { shares, present } = fitStep(dense);
  const ofExperts = (rest) => fitStep(rest, shares, ['experts']).shares;
  const found = judged(dense, keys, (rest) => fitStep(rest).shares);
  const experts = mixtures.length >= fewest ? judged(mixtures, keys, ofExperts) : undefined;
  const group = { ...about, figures: dense.length, dense: found, experts };
  if (!within(found, goals.dense)) return group;
  const told = within(experts, goals.mixture);
  group.entry = {
    devices: about.devices,
    ...(about.generation && { generation: about.generation }),
    ...Object.fromEntries(present.map((kind) => [kind, rounded(shares[kind])])),
    ...(told && { experts: rounded(ofExperts(mixtures).experts) }),
    figures: dense.length + (told ? mixtures.length : 0),
    sources: found.sources,
    step: found.band,
    ...(told && { mixture_step: experts.band }),
  };
  return group;
}

const wider = (one, other) => ({
  low: Math.min(one.low, other.low),
  high: Math.max(one.high, other.high),
});

/** A generation's few rows vary no less than those of the class as a whole, and mixtures that it has no rows of reach what others' do. */
function completed(each, { entry: whole }) {
  for (const { entry } of each) {
    if (!entry || !whole) continue;
    entry.step = wider(entry.step, whole.step);
    if (whole.mixture_step && !entry.mixture_step) entry.experts = whole.experts;
    if (whole.mixture_step) entry.mixture_step = wider(entry.mixture_step ?? whole.mixture_step, whole.mixture_step);
  }
}

/** Groups of every framework: each generation of a class of devices, and a class as a whole where generations are foretold from others. */
export function trainingGroups(cases) {
  const names = [...new Set(cases.map((one) => `${one.framework} ${one.class}`))].sort();
  return names.flatMap((name) => {
    const [framework, devices] = name.split(' ');
    const own = cases.filter((one) => one.framework === framework && one.class === devices);
    const generations = [...new Set(own.map(({ generation }) => generation))].sort((a, b) => a - b);
    const each = generations.map((generation) =>
      groupOf(
        { framework, devices, generation },
        own.filter((one) => one.generation === generation),
        ['source', 'model'],
      ),
    );
    if (generations.length === 1) return each;
    const whole = groupOf({ framework, devices, generation: 0 }, own, ['generation']);
    completed(each, whole);
    return [...each, whole];
  });
}
