// The examples of CONTRIBUTING.md, and a copy of the tree that they are applied to. A block of code says behind its language
// what is done with it: `file PATH`, `merge PATH` into JSON, `append PATH` a line, `excerpt PATH` of a file that is there.

import { appendFileSync, cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../architecture/sources.mjs';

/** @returns {{does: string, path: string, text: string}[]} the examples, in the order of the page */
export function examples() {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const blocks = [...page.matchAll(/^```\w+ (\w+) (\S+)\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, does, path, text]) => ({ does, path, text }));
}

/** What the tests of presets, languages and rows read; the rest of the tree is only linked. */
const copied = [
  'presets',
  'web/src',
  'web/bin',
  'web/scripts',
  'web/plugins',
  'web/package.json',
  'tests/presets',
  'tests/measured',
  'tests/architecture',
  'tests/score',
];
const linked = ['engine', 'build', 'web/node_modules', 'ACCURACY.md', 'README.md', 'tests/native'];

/** A copy of the tree in a folder of its own; whoever makes it removes it. */
export function copyOfTree() {
  const copy = mkdtempSync(join(tmpdir(), 'plimsoll-contributing-'));
  for (const path of copied) cpSync(join(root, path), join(copy, path), { recursive: true });
  for (const path of linked) symlinkSync(join(root, path), join(copy, path));
  return copy;
}

function merged(into, from) {
  for (const [key, value] of Object.entries(from)) {
    if (typeof value === 'object' && !Array.isArray(value) && typeof into[key] === 'object') merged(into[key], value);
    else into[key] = value;
  }
  return into;
}

/** Where a row is appended, the README beside it counts one more, as CONTRIBUTING.md tells. */
function raiseCount(copy, path) {
  const readme = join(copy, 'tests/measured/README.md');
  const name = path.split('/').at(-1);
  const text = readFileSync(readme, 'utf8');
  const counted = text.replace(new RegExp(`(\\| \`${name}\` \\| )(\\d+)`), (_, before, count) => `${before}${Number(count) + 1}`);
  writeFileSync(readme, counted);
}

/** Does with an example what the page tells. */
export function apply(copy, { does, path, text }) {
  const file = join(copy, path);
  if (does === 'file') writeFileSync(file, text);
  else if (does === 'merge') writeFileSync(file, JSON.stringify(merged(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(text))));
  else if (does === 'append') {
    appendFileSync(file, text);
    raiseCount(copy, path);
  } else throw new Error(`CONTRIBUTING.md: what is ${does} ${path}?`);
}
