// Names as people write them, and what is listed of all that there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { meant } from '../../web/src/node/commands/meant.mjs';
import { plimsoll } from './run.mjs';

for (const [kind, written, id, loosely] of [
  ['models', 'qwen3-8b', 'qwen3-8b', false],
  ['models', 'Llama 3.1 70B', 'llama-3.1-70b', false],
  ['models', 'llama3.1-8b', 'llama-3.1-8b', false],
  ['models', 'Qwen/Qwen3-8B', 'qwen3-8b', false],
  ['models', 'google/gemma-2-9b-it', 'gemma-2-9b', false],
  ['models', 'llama-3.1-70b-instruct', 'llama-3.1-70b', true],
  ['models', 'llama-3.3-70b', 'llama-3.3-70b-instruct', true],
  ['models', 'meta-llama/Llama-3.1-8B-Instruct', 'llama-3.1-8b', true],
  ['models', 'Llama-2-7b-chat-hf', 'llama-2-7b', true],
  ['models', 'somebody/llama-3.1-8b', undefined],
  ['models', 'llama-31-8b', undefined],
  ['models', 'mistral-7b', undefined],
  ['devices', 'RTX 4090', 'rtx-4090', false],
  ['devices', 'NVIDIA GeForce RTX 4090', 'rtx-4090', true],
  ['devices', '4090', 'rtx-4090', true],
  ['devices', 'h100', undefined],
  ['devices', 'rtx-3060', undefined],
  ['machines', 'DGX H100', 'hgx-h100', false],
  ['machines', 'dgx h200', 'hgx-h200', false],
  ['encodings', 'q4_k_m', 'gguf-q4_k_m', true],
  ['encodings', 'BF16', 'bf16', false],
  ['runtimes', 'llamacpp', 'llama.cpp', false],
  ['optimizers', 'AdamW 8bit', 'adamw-8bit', false],
])
  test(`${written} means ${id ?? 'no single one'} of the ${kind}`, () => {
    const found = meant(kind, written);
    assert.equal(found?.id, id);
    if (id) assert.equal(found.loosely, loosely);
  });

const listed = (...words) => JSON.parse(plimsoll(['list', ...words, '--json']).stdout);

test('list is narrowed by words, family, maker, year and size', () => {
  const coders = listed('models', 'coder', '--size', '7b..40b');
  assert.ok(coders.length > 3);
  for (const { id, parameters } of coders) assert.ok(/coder/.test(id) && parameters.value >= 7e9 && parameters.value <= 40e9, id);
  assert.ok(listed('models', '--family', 'qwen3').every(({ family }) => family === 'Qwen3'));
  assert.ok(listed('models', '--maker', 'meta').every(({ organization }) => /meta/i.test(organization)));
  assert.ok(listed('models', '--year', '2025..').every(({ released }) => released >= '2025'));
  const eights = listed('models', '--size', '8b').map(({ parameters }) => parameters.value);
  assert.ok(eights.length > 5 && Math.min(...eights) >= 7.2e9 && Math.max(...eights) <= 8.8e9);
  const cards = listed('devices', '--maker', 'nvidia', '--size', '24..48GB', '--year', '2023..');
  assert.ok(cards.length > 3);
  for (const { id, memory, year } of cards) assert.ok(memory.value >= 24 && memory.value <= 48 && year >= 2023, id);
  assert.ok(listed('encodings', '--family', 'gguf', '--size', '..5').every(({ bits }) => bits <= 5));
});

test('list refuses a filter that a kind has not, and a name that nothing has', () => {
  for (const [words, message] of [
    [['runtimes', '--year', '2024'], /runtimes have no year/],
    [['models', '--family', 'qwen33'], /did you mean Qwen3\?/],
    [['devices', '--size', 'large'], /A\.\.B/],
    [['devices', '--year', '1..2..3'], /A\.\.B/],
  ]) {
    const run = plimsoll(['list', ...words]);
    assert.equal(run.status, 2, words.join(' '));
    assert.match(run.stderr, message);
  }
});

test('list as CSV and as Markdown', () => {
  const words = ['list', 'devices', 'rtx-4090', '--year', '2022'];
  const csv = plimsoll([...words, '--csv']).lines;
  assert.equal(csv[0], 'id,name,memory,bandwidth,year');
  assert.match(csv[1], /^rtx-4090,RTX 4090,24 GiB/);
  assert.match(plimsoll([...words, '--markdown']).lines[2], /^\| rtx-4090 \| RTX 4090 \| 24 GiB/);
});

test('a machine stands for its devices, and an option of one of its fields changes it', () => {
  const asked = (...words) => JSON.parse(plimsoll(['estimate', '--model', 'qwen3-8b', ...words, '--print-request']).stdout);
  assert.deepEqual(asked('--machine', 'DGX H100'), { schema: 1, model: { preset: 'qwen3-8b' }, device: { preset: 'h100-sxm-80gb' }, devices: 8 });
  assert.equal(asked('--devices', '4', '--machine', 'hgx-h100').devices, 4);
  assert.equal(asked('--machine', 'dgx-spark').device.preset, 'dgx-spark');
  const unknown = plimsoll(['estimate', '--model', 'qwen3-8b', '--machine', 'hgx-h10']);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /did you mean hgx-h100\?/);
});

test('what other programs hold may be said by its usual name', () => {
  const held = (text) => JSON.parse(plimsoll(['estimate', '--model', 'qwen3-8b', '--used-by-others', text, '--print-request']).stdout).device;
  assert.deepEqual(held('desktop-and-browser'), { used_by_others_bytes: 2 * 2 ** 30 });
  assert.deepEqual(held('1.5GiB'), { used_by_others_bytes: 1.5 * 2 ** 30 });
  assert.equal(plimsoll(['estimate', '--model', 'qwen3-8b', '--used-by-others', 'games']).status, 2);
});
