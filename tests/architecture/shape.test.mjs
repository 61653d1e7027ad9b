// A function is read at one glance: it is short, and no choice stands within a choice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineFiles } from './sources.mjs';

/** Lines of a function, its first and last included. */
const most = 40;

const files = engineFiles();
const indentation = (line) => line.length - line.trimStart().length;
const balance = (text) => [...text].reduce((depth, each) => depth + (each === '(') - (each === ')'), 0);

/** Where the declaration begins whose body opens at line `at`: parentheses close, and no list of initializers goes before. */
function beginning(text, at) {
  let first = at;
  let depth = balance(text[at]);
  while (first > 0 && (depth < 0 || /^\s*[:,]/.test(text[first]))) depth += balance(text[--first]);
  return first;
}

const opens = /\)(?: const| noexcept| override| mutable|\s*->[^{]*| requires [^{]*)* \{$|[)}] \{$/;
const control = /^\s*(?:\}? ?else|if|for|while|switch|do|return|case|catch|namespace|struct|class|enum|union|extern)\b/;

/** Functions by clang-format's layout: a head that ends in `{`, and the first `}` of its indentation. */
function functionsOf({ path, text: source }) {
  const text = source.split('\n');
  return text.flatMap((line, at) => {
    if (!opens.test(line)) return [];
    const first = beginning(text, at);
    const head = text.slice(first, at + 1).join(' ');
    if (control.test(text[first]) || !head.includes('(') || /\[[^\]]*\]\(/.test(head) || / = /.test(text[first])) return [];
    const end = text.findIndex((each, index) => index > at && each.startsWith(`${' '.repeat(indentation(text[first]))}}`));
    return [{ where: `engine/${path}:${first + 1}`, length: end - first + 1 }];
  });
}

/** Lines with a second `?` in an expression, at one level of brackets. */
function nestedChoices({ path, code }) {
  const found = [];
  let levels = [0];
  let line = 1;
  for (const each of code) {
    if (each === '\n') line += 1;
    if ('(['.includes(each)) levels.push(0);
    if (')]'.includes(each) && levels.length > 1) levels.pop();
    if (',' === each) levels[levels.length - 1] = 0;
    if ('{};'.includes(each)) levels = [0];
    if (each !== '?') continue;
    levels[levels.length - 1] += 1;
    if (levels.at(-1) > 1) found.push(`engine/${path}:${line}`);
  }
  return found;
}

test(`no function of the engine has more than ${most} lines`, () => {
  const all = files.flatMap(functionsOf);
  assert.ok(all.length > 1500, `found the functions, ${all.length} of them`);
  assert.deepEqual(
    all.filter(({ length }) => length > most).map(({ where, length }) => `${where}: ${length} lines`),
    [],
  );
});

test('no choice stands within another', () => {
  assert.deepEqual(files.flatMap(nestedChoices), []);
});
