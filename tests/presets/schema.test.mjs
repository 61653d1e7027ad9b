// Every preset follows its schema, is named by its file, and says where its values come from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults, filesOf, kinds, schemas, walk } from './schema.mjs';

test('every field of every schema is described', () => {
  const bare = [];
  for (const { name, schema } of schemas()) {
    walk(schema, (node, path) => {
      if (!path.endsWith('/properties')) return;
      for (const [field, form] of Object.entries(node)) {
        if (typeof form === 'object' && !form.description && !form.$ref) bare.push(`${name}${path}/${field}`);
      }
    });
  }
  assert.deepEqual(bare, []);
});

for (const [kind, schema] of Object.entries(kinds)) {
  const files = filesOf(kind);

  test(`${kind}: there are some, and each is valid`, () => {
    assert.notEqual(files.length, 0);
    for (const { file, preset } of files) assert.deepEqual(faults(schema, preset), [], `presets/${kind}/${file}`);
  });

  test(`${kind}: the id is the file's name`, () => {
    for (const { file, preset } of files) assert.equal(`${preset.id}.json`, file);
  });

  test(`${kind}: no two share a name`, () => {
    const names = files.map(({ preset }) => preset.name ?? preset.title ?? preset.id);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
  });

  test(`${kind}: every value's source is listed`, () => {
    for (const { file, preset } of files) {
      walk({ ...preset, config: undefined, request: undefined }, (node, path) => {
        for (const key of ['from', 'config_from'].flatMap((field) => node[field] ?? [])) {
          assert.ok(key in preset.sources, `presets/${kind}/${file}${path}: no source ${key}`);
        }
      });
    }
  });
}

test('a wrong preset is refused', () => {
  const { preset } = filesOf('devices').find(({ file }) => file === 'h100-sxm-80gb.json');
  assert.notDeepEqual(faults('device', { ...preset, memory: { ...preset.memory, value: -1 } }), []);
  assert.notDeepEqual(faults('device', { ...preset, memory: { value: 80, unit: 'GiB' } }), [], 'a value without its source');
  assert.notDeepEqual(faults('device', { ...preset, bandwith: preset.bandwidth }), [], 'a field misspelt');
});

test('requests of the contract are valid, misspelt ones are not', () => {
  const request = { schema: 1, task: 'inference', model: { preset: 'llama-3.1-8b' }, inference: { context: 8192, sequences: 4 } };
  assert.deepEqual(faults('request', request), []);
  assert.deepEqual(faults('sweep', { request, over: [{ field: 'inference.context', values: [1024, 2048] }] }), []);
  assert.notDeepEqual(faults('request', { ...request, inference: { contxt: 8192 } }), []);
  assert.notDeepEqual(faults('request', { ...request, inference: { context: 0 } }), []);
});
