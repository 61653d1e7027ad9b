// @ts-check
// Which of many presets a written name means, the likeliest first: exact words before begun ones, common presets before
// rare ones, names with little beside what was written before longer ones.

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} name
 * @property {readonly string[]} [spellings] other names of the same thing: its repository on a hub, aliases
 * @property {string} [words] what else it is found by: family, maker, sizes
 */

/** How well one written word fits an entry: 1 a word of its name, less the further from it, 0 idle, undefined not at all. */
const exact = 1;
const spelled = 0.95;
const nearlyExact = 0.9;
const stated = 0.7;

/** What is written beside a name and tells no preset apart. */
const idle = new Set([
  'nvidia',
  'geforce',
  'amd',
  'radeon',
  'intel',
  'apple',
  'rtx',
  'gtx',
  'rx',
  'instruct',
  'chat',
  'it',
  'base',
  'pt',
  'hf',
  'gguf',
]);

/**
 * A text as words, the same for every spelling: `qwen3`, `Qwen 3` and `qwen-3` are alike, and so are `80 GB` and `80GB`.
 * What drivers put beside a device's name (`HBM3`, the 5 of `SXM5`) is left out.
 * @param {string} text @returns {string[]}
 */
export function wordsOf(text) {
  return text
    .toLowerCase()
    .replace(/gib\b/g, 'gb')
    .replace(/\b(?:hbm\d?e?|gddr\dx?)\b/g, ' ')
    .replace(/\bsxm\d\b/g, 'sxm')
    .replace(/(\d)_(\d)/g, '$1.$2')
    .replace(/(\d)[\s-]+(gb|b|m|bit|bpw)(?![\p{L}\d])/gu, '$1$2')
    .replace(/(\p{L}{2,})(?=\d)/gu, '$1 ')
    .replace(/(\d{3,})(?!gb|mb)(?=\p{L}{2,})/gu, '$1 ')
    .split(/[^\p{L}\p{N}.+]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, ''))
    .filter(Boolean);
}

/**
 * Edits (insert, delete, replace, swap of neighbours) that turn one word into another.
 * @param {string} from @param {string} to
 */
export function edits(from, to) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; ++i) {
    const row = [i];
    for (let j = 1; j <= to.length; ++j) {
      const above = /** @type {number[]} */ (rows[i - 1]);
      const replaced = Number(above[j - 1]) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, Number(above[j]) + 1, Number(row[j - 1]) + 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) row[j] = Math.min(Number(row[j]), Number(rows[i - 2]?.[j - 2]) + 1);
    }
    rows.push(row);
  }
  return Number(rows[from.length]?.[to.length]);
}

/** An entry with its words, made once. */
class Known {
  /** @param {Entry} entry */
  constructor(entry) {
    this.entry = entry;
    this.own = wordsOf(entry.name);
    const others = [entry.id, ...(entry.spellings ?? [])].map(wordsOf);
    const joined = this.own.slice(1).map((word, at) => `${this.own[at]}${word}`);
    this.others = new Set([...others.flat(), ...joined]);
    this.about = wordsOf(entry.words ?? '');
    this.text = [entry.name, entry.id, entry.words ?? '', ...(entry.spellings ?? [])].join(' ').toLowerCase();
  }
}

/** @type {WeakMap<Entry, Known>} */
const made = new WeakMap();

/** @param {Entry} entry @returns {Known} */
function known(entry) {
  const before = made.get(entry);
  if (before) return before;
  const now = new Known(entry);
  made.set(entry, now);
  return now;
}

/** Whether a word begins with another, and how surely: after a figure another figure means another number. @param {string} word @param {string} start */
function begins(word, start) {
  if (!word.startsWith(start)) return 0;
  if (!/\d$/.test(start)) return 0.6;
  return /[\d.]/.test(word[start.length] ?? '') ? 0.4 : 0.6;
}

/** Whether a word is another with letters wrong; figures are never taken for others. @param {string} written @param {string} word */
function slip(written, word) {
  if (/\d/.test(written) || written.length < 4) return false;
  return edits(written, word) <= (written.length < 8 ? 1 : 2);
}

/** @param {string} word @param {Known} of @returns {number | undefined} */
function fit(word, { own, others, about, text }) {
  if (own.includes(word)) return exact;
  if (others.has(word)) return spelled;
  const all = [...own, ...others];
  if (all.some((one) => one === `v${word}` || word === `v${one}`)) return nearlyExact;
  if (about.includes(word)) return stated;
  const begun = Math.max(...all.map((one) => begins(one, word)), ...about.map((one) => begins(one, word) - 0.1));
  if (begun > 0) return begun;
  if (word.length > 1 && text.includes(word)) return 0.3;
  if (all.some((one) => slip(word, one)) || about.some((one) => slip(word, one))) return 0.2;
  return idle.has(word) ? 0 : undefined;
}

/** A size, a version or a number of a type tells more than a word does. @param {string} word */
const weight = (word) => (/\d/.test(word) ? 3 : 1);
const sum = (/** @type {readonly number[]} */ all) => all.reduce((total, one) => total + one, 0);

/**
 * @typedef {object} Hit
 * @property {Entry} entry
 * @property {number} score how well the words fit, from 0 to 1
 * @property {boolean} sure every word that tells presets apart is one of its name, or states its family, maker or size
 * @property {boolean} complete nothing of the name was left out
 * @property {number} common place in the order of common presets; Infinity for others
 * @property {number} beside how much of the name was not written
 */

/** @param {readonly string[]} written @param {Entry} entry @param {readonly string[]} common @param {boolean} partly @returns {Hit | undefined} */
function hitOf(written, entry, common, partly) {
  const one = known(entry);
  const fits = written.map((word) => fit(word, one));
  if (!partly && fits.includes(undefined)) return undefined;
  const left = one.own.filter((word) => !written.includes(word) && !written.includes(`v${word}`));
  const place = common.indexOf(entry.id);
  const all = sum(written.map(weight));
  return {
    entry,
    score: all === 0 ? 0 : sum(written.map((word, at) => weight(word) * (fits[at] ?? 0))) / all,
    sure: fits.every((each) => each === 0 || Number(each) >= stated) && fits.some(Boolean),
    complete: left.every((word) => idle.has(word)),
    common: place < 0 ? Infinity : place,
    beside: sum(left.map((word) => (idle.has(word) ? 0.1 : weight(word)))),
  };
}

/** @param {Hit} a @param {Hit} b */
function compared(a, b) {
  const closer = Math.round(100 * b.score) - Math.round(100 * a.score);
  if (closer !== 0) return closer;
  if (a.complete !== b.complete) return a.complete ? -1 : 1;
  if (a.common !== b.common) return a.common < b.common ? -1 : 1;
  return a.beside - b.beside;
}

/**
 * What was meant, the likeliest first: entries that have every written word, or one that is spelt like it.
 * @param {string} written @param {readonly Entry[]} entries
 * @param {readonly string[]} [common] ids of what people mostly mean, the most usual first
 * @returns {Hit[]}
 */
export function ranked(written, entries, common = []) {
  const words = wordsOf(written);
  const hits = entries.map((entry) => hitOf(words, entry, common, false));
  return hits.filter((hit) => hit !== undefined).sort(compared);
}

/** Share of what was written that a name has to have in common to be offered in its place. */
const near = 0.3;

/**
 * Names to offer where nothing has every written word: those that have most of them.
 * @param {string} written @param {readonly Entry[]} entries @param {readonly string[]} [common] @returns {Hit[]}
 */
export function nearest(written, entries, common = []) {
  const whole = ranked(written, entries, common);
  if (whole.length > 0) return whole;
  const words = wordsOf(written);
  const hits = entries.map((entry) => hitOf(words, entry, common, true)).filter((hit) => hit !== undefined && hit.score >= near);
  return /** @type {Hit[]} */ (hits).sort(compared);
}
