// What runtime presets say of requests: settings and lines of a command name fields that a request has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, schemas } from './schema.mjs';

const runtimes = filesOf('runtimes').map(({ preset }) => preset);
const request = schemas().find(({ name }) => name === 'request.json').schema;

/** The schema of a field by its path, through references within the file and whichever alternative has it. */
function fieldAt(path) {
  let at = request;
  for (const name of path.split('.')) {
    if (at?.$ref?.startsWith('#/'))
      at = at.$ref
        .slice(2)
        .split('/')
        .reduce((node, key) => node[key], request);
    at = [at, ...(at?.anyOf ?? [])].find((one) => one?.properties?.[name])?.properties[name];
  }
  return at;
}

test('settings are fields of a request, none stands twice', () => {
  for (const { id, options } of runtimes) {
    const paths = [...options.usual, ...options.rare];
    assert.equal(new Set(paths).size, paths.length, id);
    for (const path of paths) assert.ok(fieldAt(path), `${id}: ${path}`);
  }
});

test('lines of a command name fields of a request, and have a value where they have a field', () => {
  for (const { id, launch } of runtimes) {
    for (const { text, field = [], values } of launch.flatMap(({ lines }) => lines)) {
      for (const path of field) assert.ok(fieldAt(path), `${id}: ${path}`);
      if (field.length > 0 && !/\{(value|draft|draft_file)\}/.test(text)) assert.deepEqual(Object.values(values ?? {}), [''], `${id}: ${text}`);
      for (const [hole] of text.matchAll(/\{\w+\}/g)) assert.match(hole, /^\{(model|name|file|draft|draft_file|value)\}$/, `${id}: ${text}`);
    }
  }
});

test('a setting that a command can say is said there', () => {
  const ways = { 'llama.cpp': ['inference.offload.gpu_layers', 'inference.batch_tokens'], vllm: ['inference.memory_fraction', 'parallel.tensor'] };
  for (const [id, paths] of Object.entries(ways)) {
    const said = runtimes.find((one) => one.id === id).launch.flatMap(({ lines }) => lines.flatMap(({ field = [] }) => field));
    for (const path of paths) assert.ok(said.includes(path), `${id}: ${path}`);
  }
});
