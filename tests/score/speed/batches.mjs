// Steps of several sequences, and of several devices: what kernels reach of the peaks there, found from printed speeds in which
// prompts and answers are timed together. Memory decides a part of such a pass and arithmetic another, so both shares are found at once.

import { weightedQuantile } from './fit.mjs';

const launches = [0, 1, 2, 3, 5, 8, 12, 16, 20, 30, 40].map((micro) => micro * 1e-6);
const sums = [0, 2, 5, 10, 15, 20, 30, 40, 60].map((micro) => micro * 1e-6);
const finest = 0.005;
const telling = 0.005; // nearer by less, more time of launches is not believed

/** Seconds with the shares found: of one device's work, of launches, of what links carry and of each sum over devices. */
export const foretoldBatch = (parts, { memory, products, launch_seconds: launch, exchange_seconds: sum = 0 }) =>
  parts.memory / memory + parts.compute / products + parts.launches * launch + (parts.links ?? 0) + (parts.sums ?? 0) * sum;

const distance = (cases, shares) =>
  weightedQuantile(
    cases.map((one) => ({ value: Math.abs(Math.log(foretoldBatch(one.parts, shares) / one.truth)), weight: one.weight })),
    0.5,
  ) +
  cases.reduce((sum, one) => sum + one.weight * Math.abs(Math.log(foretoldBatch(one.parts, shares) / one.truth)), 0) /
    cases.reduce((sum, { weight }) => sum + weight, 0);

/** Both shares and the seconds of a launch that come nearest, moved one after the other by ever finer steps. */
export function fitBatch(cases) {
  let best;
  for (const launch of launches) {
    let shares = { memory: 0.7, products: 0.5, launch_seconds: launch };
    let error = distance(cases, shares);
    for (let step = 0.16; step >= finest; step /= 2)
      for (let moved = true; moved;) {
        moved = false;
        for (const key of ['memory', 'products'])
          for (const by of [step, -step]) {
            const tried = { ...shares, [key]: Math.min(1, Math.max(0.02, shares[key] + by)) };
            const far = distance(cases, tried);
            if (far < error - 1e-6) [shares, error, moved] = [tried, far, true];
          }
      }
    if (!best || error < best.error - telling) best = { ...shares, error };
  }
  return best;
}

/** What a sum over devices takes, beside shares that one device reaches. */
export function fitSums(cases, shares) {
  const far = (sum) => distance(cases, { ...shares, exchange_seconds: sum });
  return sums.reduce((best, sum) => (far(sum) < far(best) - 1e-4 ? sum : best), 0);
}
