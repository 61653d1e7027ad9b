// @ts-check
// Which device a graphics card is, by what a browser names it: "ANGLE (NVIDIA, NVIDIA GeForce RTX 4090 Laptop GPU (0x…) …)".

/** @typedef {{id: string, name: string, slice?: object | undefined}} Named */

/** Words without marks such as (TM). @param {string} text */
const words = (text) =>
  text
    .replace(/\((?:tm|r)\)/gi, ' ')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

/** A size tells variants of one card apart, which no browser names. @param {string} word */
const isSize = (word) => /^\d+gb$/.test(word);

/** Words behind a card's name that make it another card. */
const others = new Set(['ti', 'super', 'laptop', 'xt', 'xtx', 'gre', 'max', 'pro', 'ultra', 'd', 'ada', 'blackwell', 'mobile', 'q']);

/** Where a name's words stand in a text's, one behind another; how many they are. @param {readonly string[]} name @param {readonly string[]} text */
function wordsOf(name, text) {
  const own = name.filter((word) => !isSize(word));
  const at = text.findIndex((_, from) => own.every((word, place) => text[from + place] === word));
  const next = at < 0 ? undefined : text[at + own.length];
  return at < 0 || own.length === 0 || (next !== undefined && others.has(next)) ? 0 : own.length;
}

/**
 * The devices that a card may be: those whose name has most of its words; several where they differ in memory alone.
 * @template {Named} Device
 * @param {readonly string[]} named what the browser's ways to draw name
 * @param {readonly Device[]} devices
 * @returns {Device[]}
 */
export function cardsNamed(named, devices) {
  const texts = named.map(words);
  const ranked = devices
    .filter(({ slice }) => !slice)
    .map((device) => ({ device, count: Math.max(0, ...texts.map((text) => wordsOf(words(device.name), text))) }));
  const most = Math.max(0, ...ranked.map(({ count }) => count));
  return most === 0 ? [] : ranked.filter(({ count }) => count === most).map(({ device }) => device);
}
