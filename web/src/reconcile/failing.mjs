// @ts-check
// A message that memory ran out: who asked for how much, what was there, and where in an estimate that would be.

/**
 * @typedef {{counter: string, bytes?: number, low: number, high: number, device?: number | string, restated?: true}} Figure
 * @typedef {{id: string, bytes: number, rows?: readonly Row[]}} Row
 * @typedef {{rows?: readonly Row[], timeline?: readonly {phase: string, bytes: number}[]}} Answer
 */

const told = ['device_total', 'device_free', 'allocated', 'reserved', 'unallocated', 'other_process_used', 'cap'];

/**
 * What failed, and what the same message says of its device; undefined where nothing was asked for in vain.
 * @template {Figure} F
 * @param {readonly F[]} figures
 * @returns {{asked: F, beside: F[]} | undefined}
 */
export function failureIn(figures) {
  const asked = figures.find(({ counter, bytes }) => counter === 'requested' && bytes !== undefined);
  if (!asked) return undefined;
  const same = (/** @type {F} */ { device }) => device === undefined || asked.device === undefined || device === asked.device;
  const beside = told.flatMap((counter) => figures.find((one) => one.counter === counter && one.bytes !== undefined && same(one)) ?? []);
  return { asked, beside };
}

/** Rows and their parts, each with the names that lead to it. @param {readonly Row[]} rows @param {string[]} above @returns {{path: string[], bytes: number}[]} */
const walked = (rows, above = []) =>
  rows.flatMap(({ id, bytes, rows: parts = [] }) => [{ path: [...above, id], bytes }, ...walked(parts, [...above, id])]);

/** Rows that are asked for in one piece; of others each layer asks for a part. */
const single = ['logits', 'loss'];

/** Parts of an estimate that are as large as what was asked for, as far as its digits say. @param {Answer} answer @param {Figure} asked */
export const asLarge = ({ rows = [] }, { low, high }) =>
  walked(rows).filter(({ path, bytes }) => path.some((id) => single.includes(id)) && bytes > 0 && low <= bytes && bytes <= high);

/** The first phase that needs more than was there already, as we count it; the fullest where none does. @param {Answer} answer @param {number | undefined} allocated */
export function likelyPhase({ timeline = [] }, allocated) {
  if (allocated === undefined) return undefined;
  const fullest = timeline.reduce((most, one) => (one.bytes > (most?.bytes ?? 0) ? one : most), timeline[0]);
  return (timeline.find(({ bytes }) => bytes > allocated) ?? fullest)?.phase;
}
