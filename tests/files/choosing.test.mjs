// Which of many files are the model.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseFiles } from '../../web/src/files/choosing.mjs';

const chosen = (...names) => chooseFiles(names.map((name) => ({ name }))).chosen.map(({ name }) => name);
const shards = (stem, of) => Array.from({ length: of }, (_, i) => `${stem}-0000${i + 1}-of-0000${of}.safetensors`);

test('a folder: config, index and weights, nothing else', () => {
  const model = ['config.json', 'model.safetensors.index.json', ...shards('model', 2)];
  assert.deepEqual(chosen(...model, 'tokenizer.json', 'generation_config.json', 'README.md', 'vocab.json'), model);
});

test('weights that lie there twice are taken once', () => {
  assert.deepEqual(chosen('config.json', 'consolidated.safetensors', ...shards('model', 2)), ['config.json', ...shards('model', 2)]);
  assert.deepEqual(chosen(...shards('model', 2), ...shards('model', 3)), shards('model', 2));
  assert.deepEqual(chosen('model.safetensors', 'consolidated.safetensors.index.json', ...shards('consolidated', 2)), ['model.safetensors']);
  const indexed = ['weights.safetensors.index.json', ...shards('weights', 2)];
  assert.deepEqual(chosen('extra.safetensors', ...indexed), indexed);
});

test('an adapter', () => {
  assert.deepEqual(chosen('adapter_config.json', 'adapter_model.safetensors', 'README.md'), ['adapter_config.json', 'adapter_model.safetensors']);
});

test('one file alone is meant, whatever its name', () => {
  assert.deepEqual(chosen('llama-config.json'), ['llama-config.json']);
  assert.deepEqual(chosen('a.json', 'b.json'), []);
});
