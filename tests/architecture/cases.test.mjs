// The names of Catch2's cases go through CMake's lists: a semicolon makes two cases of one, and ctest finds neither.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root } from './sources.mjs';

const named = /TEST_CASE\("((?:\\.|[^"\\])*)"/g;
const names = readdirSync(`${root}/tests/engine`, { recursive: true })
  .filter((path) => path.endsWith('.cpp'))
  .flatMap((path) => [...readFileSync(`${root}/tests/engine/${path}`, 'utf8').matchAll(named)].map(([, name]) => ({ path, name })));

test('ctest finds every case by its name', () => {
  assert.ok(names.length > 300, `${names.length} names were found`);
  assert.deepEqual(
    names.filter(({ name }) => /[;[\]\\]/.test(name)),
    [],
  );
});

test('no two cases have one name', () => {
  const seen = names.map(({ name }) => name);
  assert.deepEqual(
    seen.filter((name, index) => seen.indexOf(name) !== index),
    [],
  );
});
