// A newcomer finds their way: each folder is one subject, says what it is in a first file, and is read at one glance.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root } from './sources.mjs';

/** What may stand beside the README. */
const most = 20;

const below = (folder) => [
  folder,
  ...readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => below(`${folder}/${name}`)),
];
const folders = ['engine', 'web/src'].flatMap(below);

test('every folder of the engine and of the page says in a README of a few lines what it is', () => {
  assert.ok(folders.length > 60, 'found the folders');
  const wrong = folders.filter((folder) => {
    const file = `${root}/${folder}/README.md`;
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.length < 3 || lines.length > 12 || !lines[0].startsWith('# ');
  });
  assert.deepEqual(wrong, []);
});

test(`no folder has more than ${most} siblings beside it`, () => {
  const full = folders.filter((folder) => readdirSync(`${root}/${folder}`).length - 1 > most);
  assert.deepEqual(full, []);
});

test('what a README names in its folder is there', () => {
  const lost = folders.flatMap((folder) => {
    const file = `${root}/${folder}/README.md`;
    const named = existsSync(file) ? [...readFileSync(file, 'utf8').matchAll(/`([a-z_]+\.(?:h|cpp|ts|mjs|js|cmake|inc))`/g)] : [];
    return named
      .map(([, name]) => name)
      .filter((name) => !existsSync(`${root}/${folder}/${name}`))
      .map((name) => `${folder}: ${name}`);
  });
  assert.deepEqual(lost, []);
});

test("the code of a test stands in a namespace of its file's name: the tests of a folder are compiled as one", () => {
  const tests = readdirSync(`${root}/tests/engine`, { recursive: true })
    .filter((path) => path.endsWith('.cpp'))
    .map((path) => ({ path, text: readFileSync(`${root}/tests/engine/${path}`, 'utf8') }))
    .filter(({ text }) => /^TEST_CASE\(/m.test(text));
  assert.ok(tests.length > 80, `found the tests, ${tests.length} of them`);
  const wrong = tests.filter(({ path, text }) => {
    const at = text.indexOf(`namespace plimsoll::test::${path.split('/').at(-1).replace('.cpp', '')} {\n`);
    return at < 0 || at > text.search(/^TEST_CASE\(/m);
  });
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});
