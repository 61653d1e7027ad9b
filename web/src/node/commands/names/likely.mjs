// What a name was probably meant to be: by its words, sizes and versions before letters; by letters where no word is alike.

import { distance, nearest } from '../usage.mjs';

const words = (name) =>
  name
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter(Boolean);

/** A size, a version or a number of a type tells more than a word does: 70b, 3.1, h100, q4. */
const weight = (word) => (/\d/.test(word) ? 3 : 1);
const sum = (list) => list.reduce((all, word) => all + weight(word), 0);

/** Whether a word without figures is another with one letter wrong. */
const slip = (one, word) => !/\d/.test(word) && word.length > 3 && distance(one, word) === 1;

/** How much a known name has in common with what was written, less what it has beside. */
function likeness(written, name) {
  const own = words(name);
  const common = written.filter((word) => own.includes(word));
  const begun = written.filter((word) => !own.includes(word) && own.some((one) => one.startsWith(word) || slip(one, word)));
  const beside = own.filter((word) => !written.includes(word));
  const missing = written.filter((word) => !own.includes(word));
  return { name, common: sum(common) + sum(begun), score: sum(common) + 0.5 * sum(begun) - 0.5 * sum(missing) - 0.3 * sum(beside) };
}

/** At most so many names are offered. */
const offered = 3;

/**
 * The names that were probably meant, the likeliest first.
 * @param {string} written @param {readonly string[]} known @returns {string[]}
 */
export function likely(written, known) {
  const own = words(written);
  const alike = known.map((name) => likeness(own, name)).filter(({ common, score }) => common > 0 && score > 0);
  const best = alike.sort((one, other) => other.score - one.score || one.name.length - other.name.length).slice(0, offered);
  if (best.length > 0) return best.filter(({ score }) => score >= 0.8 * best[0].score).map(({ name }) => name);
  const near = nearest(written.toLowerCase(), known);
  return near === undefined ? [] : [near];
}

/** Names as a sentence has them: a, b or c. @param {readonly string[]} names */
export const either = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
