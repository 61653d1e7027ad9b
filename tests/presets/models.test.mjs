// The engine counts the published number of parameters, whether it is handed the preset or the config alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/src/node/engine.mjs';
import { filesOf } from './schema.mjs';

const models = filesOf('models').map(({ preset }) => preset);

/** The hosted calculator's presets: billions of parameters, hidden size, layers, heads, precision. */
const hosted = {
  'llama-3-70b-instruct': [70, 8192, 80, 64, 'bf16'],
  'llama-3-8b': [8, 4096, 32, 32, 'bf16'],
  'llama-3-8b-instruct': [8, 4096, 32, 32, 'bf16'],
  'mistral-7b-v0.3': [7, 4096, 32, 32, 'bf16'],
  'mixtral-8x7b': [47, 4096, 32, 32, 'bf16'],
  'phi-3-mini-4k': [3.8, 3072, 32, 32, 'bf16'],
  'qwen2-72b': [72, 8192, 80, 64, 'bf16'],
  'phi-2': [2.7, 2560, 32, 32, 'fp16'],
};

test('the presets of the hosted calculator are there with its own figures, and no others claim to be', () => {
  const found = models
    .filter(({ classic }) => classic)
    .map(({ id, classic: c }) => [id, [c.parameters / 1e9, c.hidden_size, c.num_hidden_layers, c.num_attention_heads, c.precision]]);
  assert.deepEqual(Object.fromEntries(found), hosted);
  for (const { classic, nominal_parameters: nominal } of models) if (classic) assert.equal(nominal, classic.parameters);
});

test('a family is written in one way', () => {
  const families = new Set(models.map(({ family }) => family));
  const plain = new Set([...families].map((family) => family.toLowerCase().replaceAll(/[\s.-]/g, '')));
  assert.equal(plain.size, families.size, [...families].sort().join(', '));
});

test('every model says when it was published, so that the list can begin with the recent ones', () => {
  assert.ok(models.length >= 150, `${models.length} models`);
  assert.deepEqual(
    models.filter(({ released }) => !released).map(({ id }) => id),
    [],
  );
});

for (const { id, config, parameters, active_parameters: active } of models) {
  test(`${id} has ${parameters.value} parameters`, async () => {
    const engine = await load();
    // The type finds the model by itself, too: a misspelt model_type would be hidden by the class.
    const byType = { ...config };
    delete byType.architectures;
    for (const model of [{ preset: id }, { config }, { config: byType }]) {
      const reply = engine.estimate({ schema: 1, task: 'inference', explain: 'none', model, inference: { context: 1 } });
      assert.equal(reply.error, undefined);
      assert.ok(!reply.notes?.some(({ code }) => code === 'generic_architecture'), `${config.model_type}: no such type is known`);
      if (model.config !== byType) assert.equal(reply.model.architecture, config.architectures[0]);
      assert.equal(reply.model.parameters.total, parameters.value);
      assert.equal(reply.model.parameters.active, (active ?? parameters).value);
    }
  });
}

/** Such a preset says all that its source says; what it leaves out is the class's default, which the source need not share. */
const shapesAlone = /^Shape fields only/;

test('no preset of shapes alone has a window that its source does not name', async () => {
  const engine = await load();
  const cacheOf = (model) => {
    const reply = engine.estimate({ schema: 1, task: 'inference', explain: 'rows', model, inference: { runtime: 'vllm', context: 100_000 } });
    return reply.rows?.find(({ id }) => id === 'kv_cache')?.bytes;
  };
  const silent = models.filter(({ sources, config }) => shapesAlone.test(sources.config?.note ?? '') && !('sliding_window' in config));
  assert.ok(silent.length > 10);
  for (const { id, config } of silent) assert.equal(cacheOf({ config }), cacheOf({ config: { ...config, sliding_window: null } }), id);
});
