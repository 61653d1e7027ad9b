// Which of many files are the model.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseFiles } from '../../web/src/files/choosing.mjs';

const chosenOf = (names, wanted) =>
  chooseFiles(
    names.map((name) => ({ name })),
    wanted,
  ).chosen.map(({ name }) => name);
const chosen = (...names) => chosenOf(names);
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

const quantised = ['mmproj-F16.gguf', 'imatrix.gguf', 'M-Q3_K_L.gguf', 'M-Q4_K_M.gguf', 'M-Q4_K_S.gguf', 'M.IQ2_XXS.gguf', 'M-UD-Q5_K_XL.gguf'];

test('of several GGUFs the usual type, or the one that is named; projectors lie beside', () => {
  assert.deepEqual(chosen(...quantised), ['M-Q4_K_M.gguf']);
  assert.deepEqual(chosen('mmproj-F16.gguf', 'M-Q8_0.gguf', 'M-BF16.gguf'), ['M-Q8_0.gguf']);
  assert.deepEqual(chosen('mmproj-F16.gguf', 'config.json'), ['mmproj-F16.gguf', 'config.json']);
  for (const [type, file] of [
    ['q4_k_s', 'M-Q4_K_S.gguf'],
    ['IQ2_XXS', 'M.IQ2_XXS.gguf'],
    ['Q5_K_XL', 'M-UD-Q5_K_XL.gguf'],
    ['UD-Q5_K_XL', 'M-UD-Q5_K_XL.gguf'],
  ])
    assert.deepEqual(chosenOf(quantised, { type }), [file]);
  assert.deepEqual(chosenOf(quantised, { type: 'Q4_K' }), []);
  assert.deepEqual(chosenOf(['config.json', 'model.safetensors', 'M-Q8_0.gguf'], { type: 'Q8_0' }), ['config.json', 'M-Q8_0.gguf']);
});

test('a GGUF in parts, in a folder of its type', () => {
  const parts = ['Q6_K/M-Q6_K-00001-of-00002.gguf', 'Q6_K/M-Q6_K-00002-of-00002.gguf'];
  const all = ['BF16/M-BF16-00001-of-00002.gguf', 'BF16/M-BF16-00002-of-00002.gguf', ...parts, 'M-Q2_K.gguf'];
  assert.deepEqual(chosenOf(all, { type: 'Q6_K' }), parts);
  assert.deepEqual(chosenOf(all, { file: parts[1] }), parts);
  assert.deepEqual(chosenOf(all, { file: 'M-Q4_0.gguf' }), []);
  assert.deepEqual(chosen(...all), all.slice(0, 2));
});

test('one file alone is meant, whatever its name', () => {
  assert.deepEqual(chosen('llama-config.json'), ['llama-config.json']);
  assert.deepEqual(chosen('a.json', 'b.json'), []);
});
