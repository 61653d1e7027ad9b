// `import { vectors, figureIn } from 'plimsoll-conformance'`: requests with figures that others printed, counted or published, for any
// calculator to be held against. The form is presets/schema/vector.json.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of the request's form that the vectors ask in, and the name of their file. */
export const version = 1;

const nameOf = (entry) => entry?.id ?? entry?.phase;
const fits = (name, wanted) => (wanted.endsWith('*') ? String(name).startsWith(wanted.slice(0, -1)) : name === wanted);

function step(value, wanted) {
  if (Array.isArray(value)) return value.filter((entry) => fits(nameOf(entry), wanted));
  if (value === null || typeof value !== 'object') return [];
  return Object.keys(value)
    .filter((key) => fits(key, wanted))
    .map((key) => value[key]);
}

/** What stands at a place: names of members, an entry of a list by its `id` or `phase`, and `*` at a name's end for all that begin so. */
const standing = (reply, place) => place.split('/').reduce((values, wanted) => values.flatMap((value) => step(value, wanted)), [reply]);

/**
 * What a reply says at some places, added up: numbers, or objects that have `bytes` and perhaps a band.
 * @param {unknown} reply @param {readonly string[]} places
 * @returns {{value: number, low: number, high: number} | undefined} undefined where there is nothing at any of them
 */
export function figureIn(reply, places) {
  const found = places
    .flatMap((place) => standing(reply, place))
    .map((one) => (typeof one === 'number' ? { bytes: one } : one))
    .filter((one) => Number.isFinite(one?.bytes));
  if (found.length === 0) return undefined;
  const sum = (part) => found.reduce((all, one) => all + (Number.isFinite(one[part]) ? one[part] : one.bytes), 0);
  return { value: sum('bytes'), low: sum('low'), high: sum('high') };
}

/** The figure of a vector that asks two requests is the first reply's less the second's. */
export function figureOf(places, reply, less) {
  const [first, second] = [reply, less].map((one) => one && figureIn(one, places));
  if (!first || !less) return first;
  return second && { value: first.value - second.value, low: first.low - second.low, high: first.high - second.high };
}

/** Whether a value is as near as the vector asks: no farther than its tolerance from what its source leaves open. */
export const isHeld = ({ from, to, truth, tolerance }, value) => value >= from - tolerance * truth && value <= to + tolerance * truth;

/** Where they lie: in the package beside this file, in a checkout where the build writes them. */
const usual = () => {
  const places = ['.', '../../../dist/conformance'].map((folder) => fileURLToPath(new URL(`${folder}/v${version}.jsonl`, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? places[1];
};

/**
 * All vectors, by name.
 * @param {string} [file] one vector a line
 * @returns {import('../../engine/wire.js').Vector[]}
 * @throws where there is no such file
 */
export function vectors(file = usual()) {
  if (!existsSync(file)) throw new Error(`no vectors at ${file}: ./dev vectors writes them`);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}
