// plimsoll alone, in a terminal: three questions, each asked until its answer means something.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';

import { asked } from '../../web/src/node/commands/asking.mjs';

/** What the answers make, and what was said to them. Each line is given when a question waits for it. */
async function answering(lines) {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  const left = [...lines];
  let said = '';
  output.on('data', (text) => {
    said += text;
    if (!/\] $/.test(text)) return;
    if (left.length > 0) input.write(`${left.shift()}\n`);
    else input.end();
  });
  return { words: await asked(input, output), said };
}

test('three answers make a command, which is told', async () => {
  const { words, said } = await answering(['Qwen3 8B', '4090', '32k']);
  assert.deepEqual(words, ['--model', 'qwen3-8b', '--device', 'rtx-4090', '--context', '32k']);
  assert.match(said, /\nplimsoll estimate --model qwen3-8b --device rtx-4090 --context 32k\n/);
});

test('an empty line takes what stands in brackets, and training is a word', async () => {
  const { words } = await answering(['', '', 'train']);
  assert.deepEqual(words, ['--model', 'llama-3.1-8b', '--device', 'rtx-4090', '--task', 'training']);
});

test('what means nothing is asked again, with the names near it', async () => {
  const { words, said } = await answering(['qwen3-8', 'qwen3-8b', 'h10', 'h100-sxm-80gb', 'long', '8k']);
  assert.deepEqual(words, ['--model', 'qwen3-8b', '--device', 'h100-sxm-80gb', '--context', '8k']);
  assert.match(said, /did you mean .*qwen3-8b/);
  assert.match(said, /did you mean .*h100-sxm-80gb/);
  assert.match(said, /a number such as 32k, or train/);
});

test('an input that ends is no answer', async () => {
  assert.equal((await answering(['qwen3-8b'])).words, undefined);
});
