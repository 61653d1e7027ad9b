// Text that was not made here, made fit to be shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parsedShown, shown, shownAll, shownJson } from '../../web/src/files/shown.mjs';
import { harmless, hostile, raw } from './strings.mjs';

test('no control, direction or unseen character is left, and the rest is as it was', () => {
  for (const text of [...hostile, '\ud800 half']) {
    assert.doesNotMatch(shown(text), raw, JSON.stringify(text));
    assert.doesNotMatch(shown(text), /\n/);
    assert.equal(shown(shown(text)), shown(text), 'once is enough');
  }
  for (const text of harmless) assert.equal(shown(text), text);
  assert.equal(shown('A\u001b]0;p\u0007\u202e'), 'A\\u001b]0;p\\u0007\\u202e');
});

test('every character of Unicode that Unicode calls control, format or separator of lines is written out', () => {
  for (let code = 0; code <= 0x10ffff; ++code) {
    const character = String.fromCodePoint(code);
    const steers = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character);
    if (steers === (shown(character) === character)) assert.fail(`U+${code.toString(16)}`);
  }
});

test('values are gone through, names of members included', () => {
  const value = { '\u202ea': [{ b: '\u0007' }, 1, null, true], __proto__x: 'c' };
  assert.deepEqual(shownAll(value), { '\\u202ea': [{ b: '\\u0007' }, 1, null, true], __proto__x: 'c' });
  const own = shownAll(JSON.parse('{"__proto__": {"polluted": true}}'));
  assert.equal(Object.getPrototypeOf(own), Object.prototype);
  assert.equal({}.polluted, undefined);
});

test('JSON that is made fit to be shown says the same', () => {
  for (const text of [...hostile, ...harmless]) {
    for (const json of [JSON.stringify({ [text]: text }), JSON.stringify({ [text]: [text] }, null, 2), `{\n\t"a":${JSON.stringify(text)}}`]) {
      assert.doesNotMatch(shownJson(json).replaceAll('\t', ''), raw);
      assert.deepEqual(JSON.parse(shownJson(json)), JSON.parse(json));
      assert.deepEqual(parsedShown(json), shownAll(JSON.parse(json)), 'the quick way gives the same');
    }
  }
});
