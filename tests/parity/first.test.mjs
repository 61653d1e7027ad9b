// The page's first engine answers as the whole one does, or says that it does not know the model; the page then fetches the whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { instantiated } from '../../web/src/node/engine.mjs';
import { tables } from '../../web/src/library/engine.mjs';
import { presets } from '../../web/src/node/presets.mjs';

async function engine(name) {
  const module = await instantiated(name);
  module.provide(JSON.stringify(Object.fromEntries(tables.map((kind) => [kind, presets(kind)]))));
  return module;
}

/** Families that a visitor is most likely to look at: these must not need a second download. */
const awaited = [
  'llama',
  'llama4',
  'mistral',
  'mixtral',
  'qwen2',
  'qwen3',
  'qwen3_moe',
  'gemma2',
  'gemma3',
  'phi3',
  'deepseek_v3',
  'gpt_oss',
  'glm4_moe',
];

test('the first engine answers as the whole engine, or leaves the model to it', async () => {
  const [first, whole] = await Promise.all([engine('plimsoll'), engine('plimsoll-whole')]);
  const left = new Set();
  let same = 0;
  for (const { id, config } of presets('models')) {
    const ask = (blocks) => JSON.stringify({ schema: 1, explain: 'all', model: { config }, ...blocks });
    for (const text of [ask({ inference: { context: 4096 } }), ask({ inference: { context: 512, sequences: 3 } })]) {
      const answer = first.estimate(text);
      if (JSON.parse(answer).error?.code === 'unknown_architecture') left.add(config.model_type);
      else assert.ok(answer === whole.estimate(text), `${id}: another answer than the whole engine's`);
      same++;
    }
  }
  assert.ok(same > 600);
  assert.deepEqual(
    awaited.filter((family) => left.has(family)),
    [],
  );
});

test('the first engine leaves to the whole one what is not inference on one device under transformers', async () => {
  const [first, whole] = await Promise.all([engine('plimsoll'), engine('plimsoll-whole')]);
  const { config } = presets('models').find(({ id }) => id === 'llama-3-8b');
  const asked = [
    { training: { sequence: 512 } },
    ...presets('runtimes').flatMap(({ id }) => (id === 'transformers' ? [] : { inference: { runtime: id } })),
    { weights: { encoding: 'gguf-q4_k_m' }, inference: {} },
    { inference: { draft: { model: { config } } } },
    { inference: { lora: { max_loras: 2 } } },
    { inference: { beams: 4 } },
    { inference: { cache: 'static' } },
    { weights: { sparsity: { kind: '2:4' } }, inference: {} },
    { weights: { sparsity: { kind: 'structured', of: 'layers', fraction: 0.5 } }, inference: {} },
    { task: 'classic', inference: {} },
    { device: [{ preset: 'rtx-4090' }, { preset: 'rtx-3090' }], inference: { runtime: 'llama.cpp' } },
  ];
  for (const blocks of asked) {
    const text = JSON.stringify({ schema: 1, model: { config }, ...blocks });
    assert.equal(JSON.parse(first.estimate(text)).error?.code, 'ask_the_whole', text);
    assert.notEqual(JSON.parse(whole.estimate(text)).error?.code, 'ask_the_whole', text);
  }
});
