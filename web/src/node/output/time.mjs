// How long a prompt, a token or a training step take, as the engine says it.

import { energyAtMost, priced } from '../../time/pricing.mjs';
import { columns } from './table.mjs';
import { count } from '../../library/units.mjs';

/** Three digits, in the unit that people say: 12.3 ms, 4.56 s, 3 min. */
export function duration(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toPrecision(3)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  return seconds < 600 ? `${seconds.toPrecision(3)} s` : `${(seconds / 60).toPrecision(3)} min`;
}

/** Tokens a second, which are many or few. */
export const rate = (value) => (value >= 1000 ? count(Math.round(value)) : value.toPrecision(3));

const spanned = (name, part, show, value) => [name, show(value), part.low === part.high ? '' : `${show(part.low)} … ${show(part.high)}`];

const titles = {
  prefill: 'prompt',
  first_token: 'first token',
  token: 'a token',
  step: 'a step',
  tokens_per_second: 'tokens a second',
  tokens_per_second_each: 'of each sequence',
  days: 'the training',
};

const days = (value) => `${value >= 1000 ? count(Math.round(value)) : value.toPrecision(3)} days`;

function passes(time) {
  return Object.entries(titles).flatMap(([key, title]) => {
    const part = time[key];
    if (!part) return [];
    const show = key === 'days' ? days : rate;
    const cells = part.seconds === undefined ? spanned(title, part, show, part.value) : spanned(title, part, duration, part.seconds);
    return [[...cells, part.binds ? `bound by ${part.binds}` : '']];
  });
}

/** The roof: what the device's peaks allow. */
function roof(time) {
  const { tokens_per_second: rateAtMost, days: fewest, ...seconds } = time.roof;
  const parts = Object.entries(seconds).map(([key, value]) => `${titles[key]} ${duration(value)}`);
  if (fewest !== undefined) parts.push(`${titles.days} ${days(fewest)}`);
  return [`at least ${parts.join(', ')}${rateAtMost ? `; at most ${rate(rateAtMost)} tokens a second` : ''}`];
}

/** Tokens for one unit of currency. */
function priceLine(time, hour) {
  const found = priced(time, hour);
  if (!found) return 'tokens have no price: no speed is known';
  const { tokens, low, high, price, limit } = found;
  if (limit) return `one unit of currency buys at most ${rate(tokens)} tokens; a million cost at least ${rate(price)}`;
  return `one unit of currency buys about ${rate(tokens)} tokens, ${rate(low)} … ${rate(high)}; a million cost about ${rate(price)}`;
}

function energyLine(time, watts) {
  const energy = energyAtMost(time, watts);
  if (energy === undefined) return 'energy has no bound: only a limit of the speed is known';
  return `a million tokens take at most ${rate(energy)} kWh: an upper bound, with the boards at all of their ${count(watts)} W`;
}

/** @typedef {{price?: number, power?: number}} Cost of an hour, and watts */

/** What a price and a power make of the speed. @param {Cost} cost */
const costLines = (time, { price, power }) => [
  ...(price === undefined ? [] : [priceLine(time, price)]),
  ...(power === undefined ? [] : [energyLine(time, power)]),
];

/** @param {object} reply @param {Cost} [cost] @returns {string[]} nothing where no time was asked for */
export function timeLines({ time }, cost = {}) {
  if (!time) return [];
  const known = passes(time);
  return [
    ...(known.length ? columns(known, ['left', 'right', 'left', 'left']) : []),
    ...(time.mfu === undefined ? [] : [`${(100 * time.mfu).toPrecision(3)} % of the peak go into the model's own operations (MFU)`]),
    ...(time.roof ? roof(time) : []),
    ...(time.why ? [time.why] : []),
    ...costLines(time, cost),
  ];
}
