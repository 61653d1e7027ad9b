// plimsoll estimate --html: a tag that asks for what was answered, with the same figures in it, and nothing in it that is not text.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hashOf } from '../../web/src/library/stale.mjs';
import { attributesOf, escaped } from '../../web/src/node/output/html.mjs';
import { inUnit } from '../../web/src/library/units.mjs';
import { hostile as strings } from '../hostile/strings.mjs';
import { plimsoll, replies } from './run.mjs';

const unescaped = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** The tag's own attributes. */
const attributesIn = (html) =>
  [.../^<div>\n<plimsoll-calculator([^>]*)>/.exec(html)[1].matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name, text]) => [name, unescaped(text)]);

/** The table's cells, line by line. */
const cellsIn = (html) =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, line]) => [...line.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, text]) => unescaped(text)));

const asked = [
  ['--model', 'llama-3-8b', '--device', 'rtx-4090', '--context', '8k'],
  ['--model', 'gemma-2-9b', '--device', 'rtx-4090', '--runtime', 'vllm', '--weights', 'fp8'],
  ['--task', 'training', '--model', 'llama-3-8b', '--device', 'h100-sxm-80gb', '--method', 'lora'],
  ['--model', 'qwen3-0.6b'],
];

for (const words of asked) {
  test(`its figures are those of the JSON reply: ${words.join(' ')}`, () => {
    const [reply] = replies(plimsoll(['estimate', ...words, '--json']));
    const { stdout: html, status } = plimsoll(['estimate', ...words, '--html']);
    assert.equal(status, 0);
    const [head, ...lines] = cellsIn(html);
    const whole = reply.total.process.bytes;
    assert.equal(head[1], 'GiB');
    assert.deepEqual(
      lines.map(([name, bytes]) => [name, bytes]),
      [...reply.rows.map(({ id, bytes }) => [id.replaceAll('_', ' '), inUnit(bytes, 'GiB')]), ['in all', inUnit(whole, 'GiB')]],
    );
    if (reply.fit) assert.ok(unescaped(html).includes(`${reply.fit.verdict}: `));
    const attributes = attributesIn(html);
    const { 'data-version': version, 'data-request': hash } = Object.fromEntries(attributes);
    assert.equal(version, reply.engine);
    assert.equal(hash, hashOf(attributes));
    assert.notEqual(hash, hashOf([...attributes, ['context', '4096']]), 'another request has another hash');
    assert.equal(hash, hashOf([...attributes, ['theme', 'dark'], ['size', 'row']]), 'how it is shown is no request');
  });
}

test('what no attribute says is asked as a whole', () => {
  const request = {
    schema: 1,
    task: 'inference',
    model: { preset: 'llama-3-8b' },
    inference: { runtime: 'llama.cpp', kv_encoding: { k: 'gguf-q8_0' } },
  };
  const [[name, text], ...others] = attributesOf({ ...request, explain: 'rows' });
  assert.equal(name, 'request');
  assert.deepEqual(JSON.parse(text), request);
  assert.deepEqual(others, []);
});

test('Markdown takes it as one block: it stands in one of its own, and no line is empty or indented', () => {
  const { stdout } = plimsoll(['estimate', ...asked[0], '--html']);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual([lines[0], lines.at(-1)], ['<div>', '</div>']);
  for (const line of lines) assert.match(line, /^<[a-z/]/);
});

test('a name that would be markup is text', () => {
  for (const hostile of strings) {
    const text = escaped(hostile);
    assert.doesNotMatch(text, /[<>"'`{}\n\r]/);
    assert.doesNotMatch(text.replaceAll(/&#\d+;/g, ''), /&/);
  }
  const name = '"><img src=x onerror=alert(1)>{alert(1)}</plimsoll-calculator><script>alert(1)</script>';
  const config = {
    model_type: name,
    _name_or_path: name,
    architectures: [name],
    hidden_size: 64,
    num_hidden_layers: 2,
    num_attention_heads: 2,
    vocab_size: 100,
    intermediate_size: 64,
  };
  const request = JSON.stringify({ schema: 1, task: 'inference', model: { config }, inference: { context: 128 } });
  const { stdout, status } = plimsoll(['estimate', '-', '--html'], request);
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /<img|<script|\{|<\/plimsoll-calculator>(?!\n<\/div>\n$)/);
  const attributes = Object.fromEntries(attributesIn(stdout));
  assert.deepEqual(JSON.parse(attributes.config), config);
});

test('what it cannot be is wrong usage', () => {
  for (const words of [['--json'], ['--markdown'], ['--find', 'context']])
    assert.equal(plimsoll(['estimate', ...asked[0], '--html', ...words]).status, 2);
  const classic = JSON.stringify({ schema: 1, task: 'classic', model: { preset: 'llama-3-8b' }, inference: { context: 10, sequences: 1 } });
  assert.equal(plimsoll(['estimate', '-', '--html'], classic).status, 2);
});
