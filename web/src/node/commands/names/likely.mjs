// What a name was probably meant to be: by its words, sizes and versions before letters; by letters where no word is alike.

import { nearest } from '../../../finding/ranking.mjs';
import { common } from '../../presets.mjs';
import { nearest as nearestByLetters } from '../usage.mjs';
import { entries } from './entries.mjs';

/** At most so many names are offered. */
const offered = 3;

/**
 * The ids that were probably meant, the likeliest first.
 * @param {string} kind @param {string} written @returns {string[]}
 */
export function likely(kind, written) {
  const all = entries(kind);
  const best = nearest(written, all, common(kind)).slice(0, offered);
  if (best.length > 0) return best.filter(({ score }) => score >= 0.8 * best[0].score).map(({ entry }) => entry.id);
  const near = nearestByLetters(
    written.toLowerCase(),
    all.map(({ id }) => id),
  );
  return near === undefined ? [] : [near];
}

/** Names as a sentence has them: a, b or c. @param {readonly string[]} names */
export const either = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
