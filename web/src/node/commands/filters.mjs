// Which presets `plimsoll list` shows: by words of their names, family, maker, year and size.

import { folded, isCalled } from '../../library/listing.mjs';
import { read } from '../../library/units.mjs';
import { UsageError, unknown } from './usage.mjs';

/** @typedef {import('./options.mjs').Option} Option */

/** @type {Option[]} */
export const filterOptions = [
  { name: 'family', value: 'NAME', help: 'models and encodings: of this family' },
  { name: 'maker', value: 'NAME', help: 'of this organization or vendor' },
  { name: 'year', value: '2024..', help: 'released then; 2023..2024, 2024.. or 2024' },
  {
    name: 'size',
    value: '7b..14b',
    help: 'parameters (8b alone: within a tenth), memory in GiB (24..48), devices of a machine (4..), bits of a value (4..6)',
  },
];

const year = ({ released, year: own }) => own ?? (released === undefined ? undefined : Number(released.slice(0, 4)));

/** What each kind can be asked for; `size` says how a size is read, and what it is. */
const known = {
  models: {
    family: ({ family }) => family,
    maker: ({ organization }) => organization,
    year,
    size: { of: ({ parameters }) => parameters.value, read: read.parameters, within: 0.1 },
  },
  devices: {
    maker: ({ vendor }) => vendor,
    year,
    size: { of: ({ memory }) => memory.value, read: (text) => read.number(text.replace(/ *gi?b$/i, '')), within: 0 },
  },
  machines: { maker: ({ vendor }) => vendor, year, size: { of: ({ count }) => count.value, read: read.number, within: 0 } },
  encodings: { family: ({ family }) => family, size: { of: ({ bits }) => bits, read: read.number, within: 0 } },
};

/** `A..B`, `A..`, `..B`, or one value with what lies within a share of it. @returns {{from: number, to: number} | undefined} */
function rangeOf(text, readOne, within) {
  const [first, last, ...more] = text.split('..');
  const ends = [first, last ?? first].map((end) => (end === '' ? undefined : readOne(end)));
  const wrong =
    more.length > 0 || [first, last ?? first].some((end, at) => end !== '' && ends[at] === undefined) || ends.every((end) => end === undefined);
  if (wrong) return undefined;
  if (last === undefined) return { from: ends[0] * (1 - within), to: ends[0] * (1 + within) };
  return { from: ends[0] ?? -Infinity, to: ends[1] ?? Infinity };
}

/** @returns {(preset: any) => boolean} */
function inRange(name, text, { of, read: readOne, within = 0 }) {
  const range = rangeOf(text, readOne, within);
  if (!range) throw new UsageError(`--${name}: "${text}" is not of the form A..B, A.., ..B or A`, 'list');
  return (preset) => of(preset) >= range.from && of(preset) <= range.to;
}

/** What is called so; where nothing is, what has it in its name. @returns {(preset: any) => boolean} */
function called(name, text, of, all) {
  const names = [...new Set(all.map(of).filter(Boolean))];
  const same = names.filter((one) => folded(one) === folded(text));
  const alike = same.length > 0 ? same : names.filter((one) => folded(one).includes(folded(text)));
  if (alike.length === 0) throw unknown(name, text, names, 'list');
  return (preset) => alike.includes(of(preset));
}

/**
 * The presets that pass.
 * @param {string} kind @param {any[]} all its presets
 * @param {readonly string[]} words each stands in the id or the name
 * @param {Record<string, string | undefined>} flags of `filterOptions`
 */
export function filtered(kind, all, words, flags) {
  const tests = words.map(isCalled);
  for (const { name } of filterOptions) {
    const wanted = flags[name];
    const field = known[kind]?.[name];
    if (wanted === undefined) continue;
    if (!field) throw new UsageError(`${kind} have no ${name}`, 'list');
    if (name === 'year') tests.push(inRange(name, wanted, { of: field, read: read.number }));
    else tests.push(name === 'size' ? inRange(name, wanted, field) : called(name, wanted, field, all));
  }
  return all.filter((preset) => tests.every((test) => test(preset)));
}
