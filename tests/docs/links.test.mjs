// Documents lead somewhere: each relative link, and each path in backticks that looks like a file of this repository.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** What stands on a reader's disk, in a build or on a served site; and names with a placeholder in capitals, as in NAME.cpp. */
const notOurs = (path) =>
  /^(build|dist|web\/dist|site|org|assets|evidence|conformance|application|plimsoll|guide)(\/|$)/.test(path) ||
  /^\.\w+$/.test(path) ||
  /(^|\/|_)[A-Z]{4,}(\.\w+)?(\/|$)/.test(path.replace(/\.md$/, ''));

/** Names of files that readers have, or that a build makes. */
const names = [
  'config.json',
  'request.json',
  'adapter_config.json',
  'plimsoll.html',
  'plimsoll-calculator.js',
  'plimsoll.js',
  'plimsoll-data.js',
  'plimsoll-calculator.all.js',
  'plimsoll-engine.js',
  'embed.html',
  'embed.js',
  'plimsoll-frame.js',
  'oembed.json',
  'sources.json',
  'offline.js',
  'plimsoll.wasm',
  'plimsoll-whole.wasm',
  'plimsoll-logs.wasm',
  'index.json',
  'v1.jsonl',
  'reference.html',
];

const skipped = new Set(['node_modules', '.git', 'build', 'dist']);
const tracked = new Set();
(function gather(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    tracked.add(entry.name);
    if (entry.isDirectory()) gather(join(folder, entry.name));
  }
})(root);

/** Whether a document may name the path: from the root, from engine/, or from where the document stands. */
function isThere(path, document) {
  const places = [root, join(root, 'engine'), join(root, dirname(document))];
  return places.some((place) => existsSync(join(place, path)));
}

function pathsIn(text) {
  return [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => /^[\w.@-]+(\/[\w.@-]*)*$/.test(path) && /\/|\.(md|json|jsonl|h|cpp|inc|ts|mjs|js|cmake|sh|py|html|wasm)$/.test(path));
}

for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8');

  test(`${document}: every relative link leads to a file`, () => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target).filter((target) => !/^(https?:|#)/.test(target));
    const lost = targets.filter((target) => !existsSync(join(root, dirname(document), target.replace(/#.*$/, ''))));
    assert.deepEqual(lost, []);
  });

  test(`${document}: every path in backticks exists`, () => {
    const lost = pathsIn(text).filter((path) => {
      if (notOurs(path) || names.includes(path)) return false;
      return path.includes('/') ? !isThere(path, document) : !tracked.has(path);
    });
    assert.deepEqual(lost, []);
  });
}

test('a ruling is short, and says context, ruling and consequence; the list has each', () => {
  const folder = 'docs/decisions/';
  const list = readFileSync(join(root, folder, 'README.md'), 'utf8');
  for (const document of documents.filter((one) => one.startsWith(folder) && !one.endsWith('README.md'))) {
    const text = readFileSync(join(root, document), 'utf8');
    const lines = text.trimEnd().split('\n').length;
    assert.ok(lines >= 10 && lines <= 25, `${document}: ${lines} lines`);
    assert.deepEqual(
      [...text.matchAll(/^\*\*(\w+)\.\*\* /gm)].map(([, name]) => name),
      ['Context', 'Ruling', 'Consequence'],
      document,
    );
    assert.ok(list.includes(`(${document.slice(folder.length)})`), `${document} is not in the list`);
  }
});

test("ARCHITECTURE.md's way of one number goes through what it names: each name stands in a file of its step", () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const way = page.slice(page.indexOf('## One number'), page.indexOf('## The ideas'));
  const steps = way.split(/^\d\. /m).slice(1);
  assert.ok(steps.length >= 6, `${steps.length} steps`);
  const lost = steps.flatMap((step) => {
    const files = pathsIn(step).filter((path) => path.includes('/'));
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const names = [...step.matchAll(/`(?:\w+::)?([A-Za-z_]+)`/g)].map(([, name]) => name);
    return names.filter((name) => !text.includes(name)).map((name) => `${name}: ${files.join(', ')}`);
  });
  assert.deepEqual(lost, []);
});

test('ARCHITECTURE.md is read in ten minutes', () => {
  const lines = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n').length;
  assert.ok(lines <= 140, `${lines} lines: mechanisms and rulings have documents of their own`);
});

test('what looks like a path is looked for', () => {
  assert.deepEqual(pathsIn('`a/b.h`, `x.cpp`, `./dev test`, `total.process`, `tests/golden/`, `Traced`'), ['a/b.h', 'x.cpp', 'tests/golden/']);
  assert.ok(!isThere('engine/number/nothing.h', 'README.md'));
  assert.ok(notOurs('tests/fuzz/fuzz_NAME.cpp') && !notOurs('engine/number/traced.h'));
});
