// @ts-check
// Points of speed over values of one field: which values, what a reply says, and up to where it fits.

import { fits } from '../answers/sought.mjs';

/** @typedef {import('../engine/wire.d.ts').Throughput} Throughput */
/** @typedef {import('../engine/wire.d.ts').Reply} Reply */
/** @typedef {{value: number, told?: Throughput, most?: number, fits: boolean}} SpeedAt tokens a second in all where they are foretold, and what the peaks allow */

/** Four values an octave up to the limit, with the limit and the chosen value among them. @param {number} limit @param {number} from @param {number} chosen */
export function valuesUpTo(limit, from, chosen) {
  const values = new Set([limit, chosen]);
  for (let octave = from; octave < limit; octave *= 2) for (let step = 0; step < 4; step++) values.add(Math.round(octave * (1 + step / 4)));
  return [...values].filter((value) => value >= from && value <= limit).sort((a, b) => a - b);
}

/** What one reply says of speed; undefined where it says nothing. @param {number} value @param {Reply} reply @returns {SpeedAt | undefined} */
export function speedIn(value, reply) {
  if ('error' in reply || !reply.time) return undefined;
  const { tokens_per_second: told, roof } = reply.time;
  const most = roof?.tokens_per_second;
  if (!told && most === undefined) return undefined;
  return { value, ...(told && { told }), ...(most !== undefined && { most }), fits: !reply.fit || fits(reply) };
}

/** Up to the last value that fits; all of them where none does. @param {readonly SpeedAt[]} points @returns {SpeedAt[]} */
export function untilFull(points) {
  const last = points.findLastIndex((point) => point.fits);
  return last < 0 ? [...points] : points.slice(0, last + 1);
}
