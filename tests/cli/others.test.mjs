// plimsoll inspect, sweep, list, help and version.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { plimsoll, replies } from './run.mjs';

const presets = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'presets');

for (const kind of ['models', 'devices', 'machines', 'others', 'encodings', 'optimizers', 'runtimes', 'trainers']) {
  test(`list ${kind} has every preset`, () => {
    const run = plimsoll(['list', kind, '--json']);
    assert.equal(run.status, 0, run.stderr);
    const files = readdirSync(join(presets, kind))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5))
      .sort();
    const listed = JSON.parse(run.stdout);
    assert.deepEqual(listed.map(({ id }) => id).sort(), files);
    const families = new Set(listed.flatMap(({ family }) => family ?? []));
    const lines = 1 + families.size + files.length;
    assert.equal(plimsoll(['list', kind]).lines.length, lines, 'a heading, and a line for each family and each preset');
  });
}

test('list models groups by family, recent families and models first, with size and context', () => {
  const { lines } = plimsoll(['list', 'models']);
  const at = (pattern) => {
    const index = lines.findIndex((line) => pattern.test(line));
    assert.notEqual(index, -1, String(pattern));
    return index;
  };
  assert.equal(at(/^Llama 4$/) + 1, at(/^ {2}llama-4-scout .* 108,641,793,536 +18,044,827,136 +10,485,760 +2025-04$/));
  assert.equal(at(/^ {2}llama-4-scout /) + 1, at(/^ {2}llama-4-maverick /));
  for (const [recent, early] of [
    [/^Qwen3$/, /^Qwen2.5$/],
    [/^Llama 4$/, /^Llama 2$/],
    [/^ {2}deepseek-v3.2 /, /^ {2}deepseek-v3 /],
  ]) {
    assert.ok(at(recent) < at(early), `${recent} before ${early}`);
  }
});

test('list of something else is wrong usage', () => {
  const run = plimsoll(['list', 'device']);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /did you mean devices\?/);
});

const config = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 512,
  intermediate_size: 1024,
  num_hidden_layers: 2,
  num_attention_heads: 8,
  vocab_size: 1000,
  tie_word_embeddings: false,
};

test('inspect says what a config.json holds', () => {
  const run = plimsoll(['inspect', '-', '--json'], JSON.stringify(config));
  assert.equal(run.status, 0, run.stderr + run.stdout);
  assert.match(run.stdout, /LlamaForCausalLM/);
  assert.match(plimsoll(['inspect', '-'], JSON.stringify(config)).stdout, /architecture: LlamaForCausalLM/);
});

test('inspect of something else is an error', () => {
  const run = plimsoll(['inspect', '-', '--json'], 'not a config');
  assert.equal(run.status, 1);
  assert.ok(replies(run)[0].error.what);
});

const contexts = [1024, 2048, 4096];
const question = {
  request: { schema: 1, task: 'inference', model: { preset: 'llama-3-8b' }, inference: { runtime: 'transformers', context: 1 } },
  over: [{ field: 'inference.context', values: contexts }],
};

test('sweep equals the single answers', () => {
  const [swept] = replies(plimsoll(['sweep', '-', '--json'], JSON.stringify(question)));
  const singles = contexts.map((context) => JSON.stringify({ ...question.request, inference: { ...question.request.inference, context } }));
  const answers = replies(plimsoll(['estimate', '-', '--json'], `${singles.join('\n')}\n`));
  assert.deepEqual(
    swept.bytes,
    answers.map(({ total }) => total.bytes),
  );
  assert.deepEqual(
    swept.rows.kv_cache,
    answers.map(({ rows }) => rows.find(({ id }) => id === 'kv_cache').bytes),
  );
});

test('sweep prints a line per point', () => {
  const run = plimsoll(['sweep', '-'], JSON.stringify(question));
  assert.equal(run.lines.length, contexts.length + 1);
  assert.match(run.lines[0], /inference\.context .*kv_cache/);
});

test('help for each command, and the version', () => {
  for (const words of [
    ['--help'],
    ['help', 'estimate'],
    ['estimate', '--help'],
    ['inspect', '-h'],
    ['sweep', '--help'],
    ['list', '--help'],
    ['solve', '--help'],
    ['fit', '--help'],
    ['compare', '--help'],
  ]) {
    const run = plimsoll(words);
    assert.equal(run.status, 0, words.join(' '));
  }
  assert.match(plimsoll(['estimate', '--help']).stdout, /--micro-batch/);
  assert.match(plimsoll(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});
