// @ts-check
// Text that was not made here, as it may be shown: names in files, listings and links may hold characters that steer a
// terminal, turn the direction of what follows, or cannot be seen.

/** Control characters, formats (direction, width zero, tags), line and paragraph ends, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** One character as JSON, Python and people write it: `\u202e`. @param {string} character */
function escaped(character) {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The text with what cannot be seen written out. @param {string} text */
export const shown = (text) => text.replace(unseen, escaped);

/**
 * A value as JSON has them, with every text in it as `shown` gives it, names of members too.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function shownAll(value) {
  /** @type {(one: any) => any} */
  const of = (one) => {
    if (typeof one === 'string') return shown(one);
    if (Array.isArray(one)) return one.map(of);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [shown(name), of(inner)]));
  };
  return of(value);
}

/** JSON text that says the same and can be shown: only in strings may such characters stand, and there an escape is the same. @param {string} json */
export const shownJson = (json) => json.replace(unseen, (character) => ('\n\r\t'.includes(character) ? character : escaped(character)));

/** Nearly every reply has nothing to escape, and is not gone through. */
const suspicious = /\\[bfnrtu]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What JSON text says, to be shown. @param {string} json @returns {any} */
export const parsedShown = (json) => (suspicious.test(json) ? shownAll(JSON.parse(json)) : JSON.parse(json));
