// What llama.cpp knows of a family stands beside its architectures (engine/model/architectures/FAMILY/llama_cpp.inc), once.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root } from './sources.mjs';

const folder = `${root}/engine/model/architectures`;
const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const families = folders.map(({ name }) => {
  const texts = readdirSync(`${folder}/${name}`)
    .filter((file) => file.endsWith('.cpp'))
    .map((file) => readFileSync(`${folder}/${name}/${file}`, 'utf8'));
  const table = `${folder}/${name}/llama_cpp.inc`;
  return { name, text: texts.join('\n'), table: existsSync(table) ? readFileSync(table, 'utf8') : '' };
});
const entries = families.flatMap(({ table }) => [...table.matchAll(/^(GGUF|CLASS)\("([^"]+)"/gm)].map(([, kind, name]) => `${kind} ${name}`));

test('no name of a file and no beginning of a class stands twice', () => {
  assert.ok(entries.length > 100, 'found the tables');
  assert.deepEqual(
    entries.filter((entry, index) => entries.indexOf(entry) !== index),
    [],
  );
});

test('the model type that a file is read as is one of its family', () => {
  const strangers = families.flatMap(({ name, text, table }) =>
    [...table.matchAll(/^GGUF\("[^"]+", "([^"]+)"/gm)]
      .map(([, type]) => type)
      .filter((type) => !text.includes(`"${type}"`) && `${name} has no ${type}`),
  );
  assert.deepEqual(strangers, []);
});
