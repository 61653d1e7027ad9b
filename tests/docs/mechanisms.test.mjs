// docs/mechanisms.md names files that exist, and the files of a row name what it calls their source.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';

const page = readFileSync(join(root, 'docs/mechanisms.md'), 'utf8');

/** The rows of the page: what they are about, the paths that they name, and their sources: {of, terms}. */
const rows = page
  .split('\n')
  .filter((line) => /^\| (?!What )/.test(line))
  .map((line) => {
    const [what, where, source] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const paths = [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
    return { what, paths, sources: source.split('; ').map(sourceOf) };
  });

function sourceOf(text) {
  const [of, terms] = text.split(': ');
  return { of, terms: terms?.split(', ') ?? [of] };
}

const placeOf = (path) => join(root, /^(presets|tests)\//.test(path) ? path : `engine/${path}`);

/** What a file says, or all files of a folder; a header's source file, too. Comments that go on are one line. */
function said(path) {
  const place = placeOf(path);
  const files = statSync(place).isDirectory() ? readdirSync(place).map((name) => join(place, name)) : [place, place.replace(/\.h$/, '.cpp')];
  return files
    .filter((file) => existsSync(file) && statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/\s*\n\s*\/\/+/g, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

test('there are rows, each with a file and a source', () => {
  assert.ok(rows.length > 50, `${rows.length} rows`);
  for (const { what, paths, sources } of rows) assert.ok(paths.length > 0 && sources.every(({ terms }) => terms.length > 0), what);
});

test('each file that is named exists', () => {
  assert.deepEqual(
    rows.flatMap(({ paths }) => paths).filter((path) => !existsSync(placeOf(path))),
    [],
  );
});

test('the files of a row name its sources', () => {
  const silent = [];
  for (const { what, paths, sources } of rows) {
    const text = paths
      .filter((path) => existsSync(placeOf(path)))
      .map(said)
      .join(' ');
    for (const { of, terms } of sources) for (const term of terms) if (!text.includes(term.toLowerCase())) silent.push(`${what}: ${of}: ${term}`);
  }
  assert.deepEqual(silent, []);
});
