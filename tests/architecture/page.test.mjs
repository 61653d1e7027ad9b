// Which room of the page may use which, and that no two files wait for each other. Types are passed over: they are gone when the
// page is built.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from './sources.mjs';

/** Each may use those before it. */
const line = [
  ...['styles', 'languages', 'files', 'finding', 'engine', 'state', 'answers', 'time', 'training', 'charts', 'layouts', 'reconcile'],
  ...['library', 'node', 'views', 'accuracy', 'app', 'embed', 'guide'],
];

const source = join(root, 'web', 'src');
const isType = (type, names) => type !== undefined || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names.trim());

/** What a file has of others when it runs: paths from web/src. What comes later, by `import()`, is asked for and not waited for. */
function usedBy(path) {
  const text = readFileSync(join(source, path), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?([^;'"]*?)(?:from\s+)?'(\.[^']+)'/gm)]
    .filter(([, type, names]) => !isType(type, names))
    .map(([, , , to]) => relative(source, join(source, dirname(path), to)));
}

const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((path) => path.includes('/') && /\.(ts|mjs)$/.test(path) && !path.endsWith('.d.ts'))
  .sort();
const uses = new Map(files.map((path) => [path, usedBy(path)]));
const roomOf = (path) => path.slice(0, path.indexOf('/'));

test('every file of the page stands in a room that has its place in the line', () => {
  assert.ok(files.length > 300, `${files.length} files`);
  assert.deepEqual([...new Set(files.map(roomOf))].sort(), [...line].sort());
});

test('no import runs against the arrows', () => {
  const against = [];
  for (const [path, others] of uses)
    for (const other of others)
      if (!other.startsWith('..') && line.indexOf(roomOf(other)) > line.indexOf(roomOf(path))) against.push(`${path} imports ${other}`);
  assert.deepEqual(against, []);
});

test('no two files wait for each other', () => {
  const circles = [];
  const done = new Set();
  const visit = (path, way) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    else if (!done.has(path)) for (const other of uses.get(path) ?? []) visit(other, [...way, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  assert.deepEqual(circles, []);
});

test('every field of a training that the schema puts into the form stands in one of its lists', () => {
  const read = (path) => readFileSync(new URL(`../../web/src/${path}`, import.meta.url), 'utf8');
  const views = files
    .filter((path) => path.startsWith('views/'))
    .map(read)
    .join('\n');
  const fields = [...read('state/described.ts').matchAll(/"id":"(training\.[^"]+)"/g)].map(([, id]) => id);
  assert.ok(fields.length > 40, `${fields.length} fields`);
  assert.deepEqual(
    fields.filter((id) => !views.includes(`'${id}'`)),
    [],
  );
});
