// Names as people write them, and what is listed of all that there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { meant } from '../../web/src/node/commands/names/meant.mjs';
import { plimsollEach } from './run.mjs';

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
  ['models', 'mistral-7b', 'mistral-7b-v0.3', true],
  ['devices', 'RTX 4090', 'rtx-4090', false],
  ['devices', 'NVIDIA GeForce RTX 4090', 'rtx-4090', true],
  ['devices', '4090', 'rtx-4090', true],
  ['devices', 'h100', 'h100-sxm-80gb', true],
  ['devices', 'm1 pro', undefined],
  ['devices', 'rtx-3060', 'rtx-3060-12gb', true],
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

const listed = (...all) => plimsollEach(all.map((words) => ['list', ...words, '--json'])).map(({ stdout }) => JSON.parse(stdout));

test('list is narrowed by words, family, maker, year and size', () => {
  const [coders, family, maker, recent, eights, cards, machines, small] = listed(
    ['models', 'coder', '--size', '7b..40b'],
    ['models', '--family', 'qwen3'],
    ['models', '--maker', 'meta'],
    ['models', '--year', '2025..'],
    ['models', '--size', '8b'],
    ['devices', '--maker', 'nvidia', '--size', '24..48GB', '--year', '2023..'],
    ['machines', '--size', '8'],
    ['encodings', '--family', 'gguf', '--size', '..5'],
  );
  assert.ok(coders.length > 3);
  for (const { id, parameters } of coders) assert.ok(/coder/.test(id) && parameters.value >= 7e9 && parameters.value <= 40e9, id);
  assert.ok(family.length > 5 && family.every(({ family: own }) => own === 'Qwen3'));
  assert.ok(maker.length > 5 && maker.every(({ organization }) => /meta/i.test(organization)));
  assert.ok(recent.length > 20 && recent.every(({ released }) => released >= '2025'));
  const sizes = eights.map(({ parameters }) => parameters.value);
  assert.ok(sizes.length > 5 && Math.min(...sizes) >= 7.2e9 && Math.max(...sizes) <= 8.8e9);
  assert.ok(cards.length > 3);
  for (const { id, memory, year } of cards) assert.ok(memory.value >= 24 && memory.value <= 48 && year >= 2023, id);
  assert.ok(machines.length > 5 && machines.every(({ count }) => count.value === 8));
  assert.ok(small.length > 5 && small.every(({ bits }) => bits <= 5));
});

test('list refuses a filter that a kind has not, and a name that nothing has', () => {
  const wrong = [
    [['runtimes', '--year', '2024'], /runtimes have no year/],
    [['models', '--family', 'qwen33'], /did you mean Qwen3\?/],
    [['devices', '--size', 'large'], /A\.\.B/],
    [['devices', '--year', '1..2..3'], /A\.\.B/],
  ];
  plimsollEach(wrong.map(([words]) => ['list', ...words])).forEach(({ status, stderr }, at) => {
    assert.equal(status, 2, wrong[at][0].join(' '));
    assert.match(stderr, wrong[at][1]);
  });
});

test('list as CSV and as Markdown', () => {
  const words = ['list', 'devices', 'rtx-4090', '--year', '2022'];
  const [csv, markdown] = plimsollEach([
    [...words, '--csv'],
    [...words, '--markdown'],
  ]);
  assert.equal(csv.lines[0], 'id,name,memory,bandwidth,year');
  assert.match(csv.lines[1], /^rtx-4090,RTX 4090,24 GiB/);
  assert.match(markdown.lines[2], /^\| rtx-4090 \| RTX 4090 \| 24 GiB/);
});

const asked = (...all) => plimsollEach(all.map((words) => ['estimate', '--model', 'qwen3-8b', ...words, '--print-request']));

test('a machine stands for its devices, and an option of one of its fields changes it', () => {
  const [whole, half, one, unknown] = asked(
    ['--machine', 'DGX H100'],
    ['--devices', '4', '--machine', 'hgx-h100'],
    ['--machine', 'dgx-spark'],
    ['--machine', 'hgx-h10'],
  );
  assert.deepEqual(JSON.parse(whole.stdout), { schema: 1, model: { preset: 'qwen3-8b' }, device: { preset: 'h100-sxm-80gb' }, devices: 8 });
  assert.equal(JSON.parse(half.stdout).devices, 4);
  assert.equal(JSON.parse(one.stdout).device.preset, 'dgx-spark');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /did you mean hgx-h100\?/);
});

test('what other programs hold may be said by its usual name', () => {
  const [named, typed, wrong] = asked(['--used-by-others', 'desktop-and-browser'], ['--used-by-others', '1.5GiB'], ['--used-by-others', 'games']);
  assert.deepEqual(JSON.parse(named.stdout).device, { used_by_others_bytes: 2 * 2 ** 30 });
  assert.deepEqual(JSON.parse(typed.stdout).device, { used_by_others_bytes: 1.5 * 2 ** 30 });
  assert.equal(wrong.status, 2);
});
