// Why the layouts one step from a layout are no better: each is a layout of as many devices and of the same step, and what is said of it
// is what the engine answers to its request.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { neighboursOf, whyNot } from '../../web/src/answers/neighbours.mjs';
import { load } from '../../web/src/node/engine.mjs';

const engine = await load();

const device = { preset: 'h100-sxm-80gb' };
const cluster = { device, devices_per_node: 4, nodes: 2 };
const questions = {
  'a training': {
    request: { model: { preset: 'llama-3.1-8b' }, training: { method: 'full', sequence: 8192 }, parallel: { framework: 'megatron' } },
    cluster,
    want: 'least_overhead',
    global_batch: 64,
  },
  'a training with its micro-batch said': {
    request: { model: { preset: 'qwen3-30b-a3b' }, training: { method: 'lora', sequence: 4096, micro_batch: 2, accumulation: 4 } },
    cluster,
    want: 'fits',
  },
  'a server': {
    request: { model: { preset: 'llama-3.3-70b-instruct' }, inference: { runtime: 'vllm', context: 8192 } },
    cluster,
    want: 'fewest_devices',
  },
};

const degreesOf = ({ parallel = {} }) => ['data', 'tensor', 'pipeline', 'context'].reduce((all, name) => all * (parallel[name] ?? 1), 1);
const batchOf = ({ parallel = {}, training }) => (training ? (parallel.data ?? 1) * (training.micro_batch ?? 1) * (training.accumulation ?? 1) : 0);
const processOf = ({ total }) => (total.process ?? total).bytes;

for (const [what, question] of Object.entries(questions)) {
  const {
    layouts: [best],
  } = engine.plan(question);

  test(`${what}: a neighbour has as many devices, or a server half of them, makes the same step, and differs in what is said`, () => {
    const all = neighboursOf(question, best);
    assert.ok(all.length >= 2);
    const kinds = new Set(all.map(({ changes }) => JSON.stringify(changes)));
    assert.equal(kinds.size, all.length, 'none stands twice');
    for (const { changes, question: other } of all) {
      const share = degreesOf(other.request) / degreesOf(best.request);
      assert.ok(share === 1 || (share === 1 / 2 && !other.request.training && changes.length === 1), JSON.stringify(changes));
      assert.equal(batchOf(other.request), batchOf(best.request));
      assert.ok(changes.every(({ from, to }) => from !== to));
      assert.equal(other.bounds, undefined);
    }
  });

  test(`${what}: what is said is what the engine answers`, async () => {
    const all = await whyNot(question, best, engine);
    for (const { kind, changes, layout, worse, better, error, process, over } of all) {
      if (kind === 'refused') {
        assert.ok(error.what.length > 0 && error.where.length > 0);
        continue;
      }
      if (kind === 'unfit') {
        assert.ok(process > 0 && over >= 0);
        continue;
      }
      assert.equal(layout.devices, layout.request.devices ?? 1, JSON.stringify(changes));
      const reply = engine.estimate({ ...layout.request, device });
      assert.equal(processOf(reply), layout.process);
      for (const { measure, from, to } of [...worse, ...better])
        if (measure === 'process') assert.deepEqual([from, to], [best.process, layout.process]);
      // what ranks behind is worse in something
      if (kind === 'behind') assert.ok(worse.length > 0, JSON.stringify({ changes, better }));
    }
  });
}

test('what is too large is so by as many bytes as its own estimate says', async () => {
  const question = questions['a training'];
  const [best] = engine.plan(question).layouts;
  const large = (await whyNot(question, best, engine)).filter(({ kind }) => kind === 'unfit');
  assert.ok(large.length > 0);
  for (const { changes, process, over } of large) {
    const { question: other } = neighboursOf(question, best).find((one) => JSON.stringify(one.changes) === JSON.stringify(changes));
    assert.equal(processOf(engine.estimate(other.request)), process);
    assert.equal(over, process - best.process - best.free_bytes);
  }
});
