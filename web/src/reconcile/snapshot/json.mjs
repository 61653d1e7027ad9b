// @ts-check
// JSON, portion by portion: values under the keys that are kept, and nothing of all others.

import { damaged, deepest, joined, kept, longest, restOf } from './kept.mjs';

/** Bytes of the longest token. */
const mostOfToken = 2 ** 20;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openDict, closeDict] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @param {number} byte */
const isSpace = (byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** @param {number} byte of a number or a word */
const isWord = (byte) =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2b ||
  byte === 0x2d ||
  byte === 0x2e;

/** Where a text ends, behind its quote; 0 where that is not there yet. @param {Uint8Array} all @param {number} at its first quote */
function endOfText(all, at) {
  for (let end = all.indexOf(quote, at + 1); end >= 0; end = all.indexOf(quote, end + 1)) {
    let before = end;
    while (all[before - 1] === backslash) --before;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return 0;
}

/** Python writes what JSON has no word for. @type {Record<string, unknown>} */
const words = { true: true, false: false, null: null, NaN: null, Infinity: null, '-Infinity': null };

/** @typedef {{dict: boolean, into: any, key: string | undefined}} Frame `into` is nothing where nothing of it is kept */

export class JsonReader {
  /** @type {any} */
  value = undefined;
  #rest = new Uint8Array(0);
  /** @type {Frame[]} */
  #frames = [];
  /** What may come: a value, a key, a colon, what follows a value, nothing more. @type {'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'after' | 'end'} */
  #wants = 'value';
  #decoder = new TextDecoder();

  /** @param {Uint8Array} bytes @param {boolean} [last] whether none follow */
  take(bytes, last = false) {
    const all = joined(this.#rest, bytes);
    let at = 0;
    for (;;) {
      while (at < all.length && isSpace(/** @type {number} */ (all[at]))) ++at;
      if (at === all.length) break;
      const next = this.#token(all, at, last);
      if (next === 0) break;
      at = next;
    }
    if (all.length - at > mostOfToken) damaged('one of its texts has no end');
    if (last && (at < all.length || this.#wants !== 'end')) damaged('it breaks off');
    this.#rest = restOf(all, at);
  }

  /** Reads one token. @param {Uint8Array} all @param {number} at @param {boolean} last @returns {number} where it ends; 0: not yet */
  #token(all, at, last) {
    const byte = /** @type {number} */ (all[at]);
    if (byte === quote) {
      const end = endOfText(all, at);
      if (end > 0) this.#text(all, at, end);
      return end;
    }
    if (isWord(byte)) {
      let end = at + 1;
      while (end < all.length && isWord(/** @type {number} */ (all[end]))) ++end;
      if (end === all.length && !last) return 0;
      this.#put(this.#wanted ? this.#word(this.#decoder.decode(all.subarray(at, end))) : undefined);
      return end;
    }
    this.#sign(byte);
    return at + 1;
  }

  /** @param {string} text */
  #word(text) {
    if (Object.hasOwn(words, text)) return words[text];
    return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : damaged(`${text.slice(0, longest)} is no number`);
  }

  /** Whether the value that comes is kept. */
  get #wanted() {
    const frame = this.#frames.at(-1);
    return frame === undefined || (frame.into !== undefined && (!frame.dict || frame.key !== undefined));
  }

  /** @param {Uint8Array} all @param {number} at @param {number} end */
  #text(all, at, end) {
    const isKey = this.#wants === 'key' || this.#wants === 'firstKey';
    if (!isKey && !this.#wanted) return this.#put(undefined);
    const raw = end - at > 6 * longest ? '' : this.#decoder.decode(all.subarray(at + 1, end - 1));
    const text = raw.includes('\\') ? unescaped(raw) : raw;
    if (!isKey) return this.#put(text);
    /** @type {Frame} */ (this.#frames.at(-1)).key = kept.has(text) ? text : undefined;
    this.#wants = 'colon';
  }

  /** @param {number} byte */
  #sign(byte) {
    const { dict } = this.#frames.at(-1) ?? { dict: undefined };
    const after = this.#wants === 'after';
    if (byte === openDict || byte === openList) this.#open(byte === openDict);
    else if (byte === colon && this.#wants === 'colon') this.#wants = 'value';
    else if (byte === comma && after && dict !== undefined) this.#wants = dict ? 'key' : 'value';
    else if (
      (byte === closeDict && dict === true && (after || this.#wants === 'firstKey')) ||
      (byte === closeList && dict === false && (after || this.#wants === 'first'))
    )
      this.#close();
    else damaged('it is no JSON');
  }

  /** @param {boolean} dict */
  #open(dict) {
    const into = this.#wanted ? (dict ? {} : []) : undefined;
    this.#put(into);
    if (this.#frames.push({ dict, into, key: undefined }) > deepest) damaged('values lie too deep within each other');
    this.#wants = dict ? 'firstKey' : 'first';
  }

  #close() {
    this.#frames.pop();
    this.#wants = this.#frames.length > 0 ? 'after' : 'end';
  }

  /** @param {unknown} value */
  #put(value) {
    if (this.#wants !== 'value' && this.#wants !== 'first') damaged('it is no JSON');
    const frame = this.#frames.at(-1);
    this.#wants = frame ? 'after' : 'end';
    if (!frame) this.value = value;
    else if (frame.into === undefined) return;
    else if (!frame.dict) frame.into.push(value);
    else if (frame.key !== undefined) frame.into[frame.key] = value;
  }
}

/** @param {string} raw */
function unescaped(raw) {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return damaged('one of its texts is none');
  }
}
