// What the engine says has the form that presets/schema/reply.json promises: answers of every kind, and refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/src/node/engine.mjs';
import { load as loadLibrary } from '../../web/src/node/index.mjs';
import { faults, filesOf } from './schema.mjs';

const asked = filesOf('examples').flatMap(({ preset }) => (preset.request ? [preset.request] : []));
const device = { preset: 'h100-sxm-80gb' };

for (const explain of ['none', 'rows', 'all']) {
  test(`answers with explain ${explain} follow the schema`, async () => {
    const engine = await load();
    for (const request of asked) {
      for (const variant of [request, { ...request, device }, { ...request, task: 'classic' }]) {
        const reply = engine.estimate({ ...variant, explain });
        assert.deepEqual(faults('reply', reply), [], JSON.stringify({ ...variant, explain }));
      }
    }
  });
}

test('what the examples ask is answered', async () => {
  const engine = await load();
  for (const request of asked) assert.equal(engine.estimate(request).error, undefined, JSON.stringify(request));
});

test('refusals follow the schema', async () => {
  const engine = await load();
  const wrong = [
    {},
    { schema: 1 },
    { schema: 1, task: 'inference', model: { preset: 'no-such-model' } },
    { schema: 1, task: 'training', model: { config: {} } },
  ];
  for (const request of wrong) {
    const reply = engine.estimate(request);
    assert.deepEqual(faults('reply', reply), [], JSON.stringify(request));
    assert.ok(reply.error, JSON.stringify(request));
  }
});

test('searches follow the schema', async () => {
  const engine = await load();
  const request = { schema: 1, task: 'inference', model: { preset: 'llama-3-8b' }, device };
  for (const find of ['inference.context', 'weights.encoding', 'parallel.tensor', 'device.preset', ['inference.context', 'inference.sequences']]) {
    for (const limit of [undefined, { bytes: 12e9 }]) {
      const question = { request, find, ...(limit && { limit }) };
      assert.deepEqual(faults('solve', question), []);
      const reply = engine.solve(question);
      assert.deepEqual(faults('solve_reply', reply), [], JSON.stringify(question));
      assert.equal(reply.error, undefined, JSON.stringify(question));
    }
  }
  assert.deepEqual(faults('solve_reply', engine.solve({ request, find: 'nothing' })), []);
});

test('searches over layouts follow the schema', async () => {
  const engine = await load();
  const cluster = { device, devices_per_node: 4, nodes: 2 };
  const trained = { model: { preset: 'llama-3-8b' }, training: { sequence: 4096 } };
  const served = { model: { preset: 'qwen3-30b-a3b' }, inference: { runtime: 'vllm', context: 8192 } };
  for (const question of [
    { request: trained, cluster, global_batch: 16, want: 'least_overhead', keep: 3 },
    { request: trained, cluster, bounds: { 'parallel.tensor': [3, 3] } },
    { request: trained, cluster: { ...cluster, bandwidth_within: 450e9, bandwidth_between: 50e9 }, want: 'shortest_step', keep: 3 },
    { request: served, cluster, want: 'most_sequences', part: [0, 2], limit: { bytes: 60e9 } },
  ]) {
    assert.deepEqual(faults('plan', question), []);
    const reply = engine.plan(question);
    assert.equal(reply.error, undefined);
    assert.deepEqual(faults('plan_reply', reply), [], JSON.stringify(question));
  }
  assert.deepEqual(faults('plan_reply', engine.plan({ request: served })), []);
});

test('the neighbours of a layout, where they are asked for, follow the schema, and the layouts stay as they are', async () => {
  const library = await loadLibrary();
  const cluster = { device, devices_per_node: 4, nodes: 2 };
  const kinds = new Set();
  for (const [request, want] of [
    [{ model: { preset: 'llama-3-8b' }, training: { sequence: 4096 }, parallel: { framework: 'megatron' } }, 'least_overhead'],
    [{ model: { preset: 'llama-3.3-70b-instruct' }, inference: { runtime: 'vllm', context: 8192 } }, 'fewest_devices'],
  ]) {
    const question = { request, cluster, want, keep: 2 };
    const { neighbours, ...reply } = await library.plan(question, { neighbours: true });
    assert.deepEqual(faults('plan_reply', { ...reply, neighbours }), [], JSON.stringify(question));
    assert.deepEqual(reply, await library.plan(question));
    assert.ok(neighbours.length > 1);
    for (const { kind } of neighbours) kinds.add(kind);
  }
  assert.ok(
    ['behind', 'unfit'].every((kind) => kinds.has(kind)),
    [...kinds].join(),
  );
  const none = await library.plan({ request: { model: { preset: 'llama-3-8b' } } }, { neighbours: true });
  assert.ok(none.error);
  assert.deepEqual(faults('plan_reply', none), []);
});

test('sweeps follow the schema', async () => {
  const engine = await load();
  const request = { schema: 1, task: 'inference', model: { preset: 'llama-3-8b' } };
  const over = [{ field: 'inference.context', values: [1024, 2048, 4096] }];
  assert.deepEqual(faults('sweep', { request, over }), []);
  const reply = engine.sweep({ request, over });
  assert.deepEqual(faults('sweep_reply', reply), []);
  assert.equal(reply.bytes?.length, 3);
});
