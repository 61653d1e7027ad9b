// @ts-check
// A pickle, portion by portion, without running what it says: plain containers, texts and numbers. Whatever names a class or calls
// anything is refused. Opcodes: CPython, Lib/pickletools.py, of protocol 2 and later: Python 3 writes no other by itself.

import { damaged, deepest, joined, kept, longest, restOf, SnapshotError } from './kept.mjs';

const mark = Symbol('mark');
const decoder = new TextDecoder();

/** Bytes of the longest text. */
const mostOfText = 2 ** 24;

/** A text's bytes; of long ones nobody reads anything. @param {Uint8Array} all @param {number} at @param {number} length */
const textAt = (all, at, length) => (length > longest ? '' : decoder.decode(all.subarray(at, at + length)));

/** A whole number of so many bytes, the lowest first, with a sign. @param {Uint8Array} all @param {number} at @param {number} length */
function wholeAt(all, at, length) {
  if (length > 16) damaged('one of its numbers is longer than any size');
  let value = 0n;
  for (let i = length - 1; i >= 0; --i) value = (value << 8n) | BigInt(/** @type {number} */ (all[at + i]));
  return Number(BigInt.asIntN(8 * Math.max(length, 1), value));
}

/** Opcodes with a number of so many bytes behind them, and how it is read. @type {Record<string, [number, (view: DataView) => number]>} */
const sized = {
  K: [1, (view) => view.getUint8(0)],
  M: [2, (view) => view.getUint16(0, true)],
  J: [4, (view) => view.getInt32(0, true)],
  G: [8, (view) => view.getFloat64(0)],
};

/** Texts, and how many bytes their length has: unicode in three, and what Python 2 writes. @type {Record<string, number>} */
const texts = { '\x8c': 1, X: 4, '\x8d': 8, U: 1, T: 4 };

/** What is refused, by name, so that it is told why. @type {Record<string, string>} */
const forbidden = {
  c: 'GLOBAL',
  '\x93': 'STACK_GLOBAL',
  R: 'REDUCE',
  b: 'BUILD',
  i: 'INST',
  o: 'OBJ',
  '\x81': 'NEWOBJ',
  '\x92': 'NEWOBJ_EX',
  P: 'PERSID',
  Q: 'BINPERSID',
  '\x82': 'EXT1',
  '\x83': 'EXT2',
  '\x84': 'EXT4',
};

export class PickleReader {
  /** @type {any} */
  value = undefined;
  #rest = new Uint8Array(0);
  /** @type {any[]} */
  #stack = [];
  /** Where marks stand in the stack. @type {number[]} */
  #marks = [];
  /** @type {any[]} */
  #memo = [];
  #done = false;

  /** @param {Uint8Array} bytes @param {boolean} [last] whether none follow */
  take(bytes, last = false) {
    const all = joined(this.#rest, bytes);
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    let at = 0;
    while (at < all.length && !this.#done) {
      const next = this.#step(all, view, at);
      if (next === 0) break;
      at = next;
    }
    if (!this.#done && all.length - at > mostOfText) damaged('one of its texts is too long');
    if (last && !this.#done) damaged('it breaks off');
    this.#rest = restOf(all, this.#done ? all.length : at);
  }

  /** One opcode. @param {Uint8Array} all @param {DataView} view @param {number} at @returns {number} where it ends; 0: not yet */
  #step(all, view, at) {
    const code = String.fromCharCode(/** @type {number} */ (all[at]));
    const left = all.length - at - 1;
    if (Object.hasOwn(sized, code)) {
      const [length, read] = /** @type {[number, (view: DataView) => number]} */ (sized[code]);
      if (left < length) return 0;
      this.#stack.push(read(new DataView(all.buffer, all.byteOffset + at + 1, length)));
      return at + 1 + length;
    }
    if (Object.hasOwn(texts, code)) return this.#text(all, view, at, /** @type {number} */ (texts[code]));
    if (code === '\x8a' || code === '\x8b') return this.#long(all, view, at, code === '\x8a' ? 1 : 4);
    if ('qhrj\x80\x95'.includes(code)) return this.#numbered(all, view, at, code);
    this.#plain(code);
    return at + 1;
  }

  /** @param {Uint8Array} all @param {DataView} view @param {number} at @param {number} width of its length */
  #text(all, view, at, width) {
    const begin = at + 1 + width;
    if (all.length < begin) return 0;
    const length = width === 1 ? view.getUint8(at + 1) : width === 4 ? view.getUint32(at + 1, true) : Number(view.getBigUint64(at + 1, true));
    if (length > mostOfText) damaged('one of its texts is too long');
    if (all.length < begin + length) return 0;
    this.#stack.push(textAt(all, begin, length));
    return begin + length;
  }

  /** @param {Uint8Array} all @param {DataView} view @param {number} at @param {number} width of its length */
  #long(all, view, at, width) {
    const begin = at + 1 + width;
    if (all.length < begin) return 0;
    const length = width === 1 ? view.getUint8(at + 1) : view.getUint32(at + 1, true);
    if (length > 16) damaged('one of its numbers is longer than any size');
    if (all.length < begin + length) return 0;
    this.#stack.push(wholeAt(all, begin, length));
    return begin + length;
  }

  /** Places in the memo, the protocol and a frame's length. @param {Uint8Array} all @param {DataView} view @param {number} at @param {string} code */
  #numbered(all, view, at, code) {
    const length = code === '\x95' ? 8 : code === 'r' || code === 'j' ? 4 : 1;
    if (all.length < at + 1 + length) return 0;
    if (code === '\x80' && view.getUint8(at + 1) > 5) damaged('its protocol is of a later time');
    if (length === 8 || code === '\x80') return at + 1 + length;
    const place = length === 4 ? view.getUint32(at + 1, true) : view.getUint8(at + 1);
    if (code === 'q' || code === 'r') this.#keep(place);
    else this.#recall(place);
    return at + 1 + length;
  }

  /** @param {number} place */
  #keep(place) {
    // Places are numbered one by one: a far one would be an array of holes.
    if (!(Number.isInteger(place) && place >= 0 && place <= this.#memo.length)) damaged('its memo has holes');
    this.#memo[place] = this.#top();
  }

  /** @param {number} place */
  #recall(place) {
    if (!(place in this.#memo)) damaged('it speaks of what is not there');
    this.#stack.push(this.#memo[place]);
  }

  #top() {
    const top = this.#stack.at(-1);
    return this.#stack.length === 0 || top === mark ? damaged('nothing is there') : top;
  }

  #pop() {
    const top = this.#top();
    this.#stack.pop();
    return top;
  }

  /** What stands above the last mark, which goes. */
  #marked() {
    const at = this.#marks.pop();
    if (at === undefined || at >= this.#stack.length) return damaged('nothing is marked');
    const found = this.#stack.splice(at + 1);
    this.#stack.pop();
    return found;
  }

  /** @param {string} code that nothing stands behind */
  #plain(code) {
    const stack = this.#stack;
    switch (code) {
      case '.':
        this.value = this.#pop();
        this.#done = true;
        return;
      case '(':
        this.#marks.push(stack.push(mark) - 1);
        if (this.#marks.length > deepest) damaged('values lie too deep within each other');
        return;
      case 'N':
        return void stack.push(null);
      case '\x88':
      case '\x89':
        return void stack.push(code === '\x88');
      case '}':
        return void stack.push({});
      case ']':
      case ')':
        return void stack.push([]);
      case '\x94':
        return void this.#memo.push(this.#top());
      case '2':
        return void stack.push(this.#top());
      case '0':
        return void this.#pop();
      case '1':
        return void this.#marked();
      default:
        return this.#contain(code);
    }
  }

  /** Fills containers. @param {string} code */
  #contain(code) {
    if (code === 'a') return this.#append([this.#pop()]);
    if (code === 'e') return this.#append(this.#marked());
    if (code === 's') return this.#set([this.#pop(), this.#pop()].reverse());
    if (code === 'u') return this.#set(this.#marked());
    if (code === 'l' || code === 't') return void this.#stack.push(this.#marked());
    if (code === 'd') {
      const items = this.#marked();
      this.#stack.push({});
      return this.#set(items);
    }
    const count = '\x85\x86\x87'.indexOf(code) + 1;
    if (count > 0) return void this.#stack.push(Array.from({ length: count }, () => this.#pop()).reverse());
    if (Object.hasOwn(forbidden, code))
      throw new SnapshotError(
        'forbidden',
        `the pickle names or calls something (${forbidden[code]}), which would run when Python opens it: it is not read`,
      );
    damaged('it has an opcode that no snapshot has');
  }

  /** @param {any[]} items */
  #append(items) {
    const list = this.#top();
    if (!Array.isArray(list)) damaged('something is put into what is no list');
    for (const item of items) list.push(item);
  }

  /** Of a dictionary what is counted stays; a list that is not lets go of what it holds. @param {any[]} items */
  #set(items) {
    const dict = this.#top();
    if (typeof dict !== 'object' || dict === null || Array.isArray(dict) || items.length % 2 !== 0)
      damaged('something is put into what is no dictionary');
    for (let i = 0; i < items.length; i += 2) {
      const [key, value] = [items[i], items[i + 1]];
      if (typeof key === 'string' && kept.has(key)) dict[key] = value;
      else if (Array.isArray(value)) value.length = 0;
    }
  }
}
