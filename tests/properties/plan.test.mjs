// A search over layouts finds what trying every layout finds. Random questions of small clusters: with and without bounds, in
// parts and whole, against `estimate` of each layout. PLIMSOLL_PLANS: how many.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { askNative } from '../native/native.mjs';
import { Random } from '../parity/random.mjs';
import { joined, partsOf } from '../../web/src/answers/planning.mjs';

const count = Number(process.env.PLIMSOLL_PLANS ?? 24);
const seed = Number(process.env.PLIMSOLL_SEED ?? 20261124);

const asked = (command, questions) =>
  askNative(
    questions.map((question) => JSON.stringify(question)),
    [command],
  ).map((text) => JSON.parse(text));

const models = ['gpt2', 'llama-3.2-1b', 'llama-3-8b', 'qwen3-30b-a3b', 'gemma-2-2b', 'mixtral-8x7b', 'llama-3.1-70b'];
const devices = ['rtx-4090', 'a100-sxm-40gb', 'h100-sxm-80gb'];

function training(random) {
  return {
    training: {
      sequence: random.pick([512, 2048, 8192]),
      precision: random.pick(['bf16', 'bf16-mixed', 'fp32']),
      optimizer: random.pick(['adamw', 'sgd', 'adamw-8bit']),
      ...(random.pick([true, false]) && { checkpointing: random.pick(['none', 'full', 'selective']) }),
    },
    ...(random.pick([true, false]) && { parallel: { framework: random.pick(['megatron', 'fsdp2', 'deepspeed', 'ddp']) } }),
  };
}

const inference = (random) => ({
  inference: {
    runtime: random.pick(['vllm', 'sglang', 'transformers', 'llama.cpp']),
    context: random.pick([2048, 16384]),
    sequences: random.pick([1, 8, 64]),
  },
});

const links = { bandwidth_within: 450e9, bandwidth_between: 50e9 };

/** A question whose every layout can be tried. */
function draw(random) {
  const trains = random.pick([true, true, false]);
  return {
    request: { model: { preset: random.pick(models) }, ...(trains ? training(random) : inference(random)) },
    cluster: { device: { preset: random.pick(devices) }, devices_per_node: random.pick([1, 2, 4, 6]), nodes: random.pick([1, 2]), ...links },
    ...(trains && random.pick([true, false]) && { global_batch: random.pick([8, 12, 64]) }),
    want: random.pick([
      'fits',
      'fewest_devices',
      'least_traffic',
      'least_overhead',
      ...(trains ? ['largest_micro_batch', 'shortest_step'] : ['most_sequences']),
    ]),
    keep: 1000,
  };
}

const random = new Random(seed);
const questions = Array.from({ length: count }, () => draw(random));
const replies = asked('plan', questions);

test('all layouts are refused, ruled out or computed', () => {
  let all = 0;
  for (const [at, reply] of replies.entries()) {
    assert.equal(reply.error, undefined, JSON.stringify([questions[at], reply.error]));
    const { counted, refusals, layouts } = reply;
    assert.equal(counted.refused + counted.bounded + counted.estimated, counted.all, JSON.stringify(questions[at]));
    assert.equal(
      refusals.reduce((sum, one) => sum + one.count, 0),
      counted.refused,
    );
    assert.ok(layouts.length <= counted.fit && counted.fit + counted.within_reach <= counted.estimated);
    all += counted.all;
  }
  assert.ok(all > 1000, `${all} layouts`);
});

test('a layout takes what its request does by itself, and fits', (t) => {
  const layouts = replies.flatMap((reply) => [...reply.layouts, ...reply.front]);
  const alone = asked(
    'estimate',
    layouts.map(({ request }) => ({ ...request, explain: 'none' })),
  );
  for (const [at, { request, bytes, process, verdict, free_bytes: free }] of layouts.entries()) {
    assert.equal(alone[at].total?.bytes, bytes, JSON.stringify(request));
    assert.ok(
      ['fits', 'tight'].includes(alone[at].fit.verdict) || alone[at].fit.verdict === verdict,
      JSON.stringify([request, alone[at].fit, verdict]),
    );
    assert.ok(free >= 0 && process > 0);
  }
  t.diagnostic(`${layouts.length} layouts`);
  assert.ok(layouts.length >= 2000, `${layouts.length} layouts`);
});

test('bounds rule out nothing that fits, and refusals are the same one by one', () => {
  const plain = asked(
    'plan',
    questions.map((question) => ({ ...question, prune: false })),
  );
  for (const [at, reply] of replies.entries()) {
    const text = JSON.stringify(questions[at]);
    assert.equal(plain[at].counted.bounded, 0);
    assert.equal(plain[at].counted.all, reply.counted.all, text);
    assert.deepEqual(plain[at].layouts, reply.layouts, text);
    assert.deepEqual(plain[at].front, reply.front, text);
    // without bounds more of them are read, so that more are refused for what stands behind
    assert.ok(plain[at].counted.refused >= reply.counted.refused, text);
    assert.equal(plain[at].counted.fit + plain[at].counted.within_reach, reply.counted.fit + reply.counted.within_reach, text);
  }
});

test('parts joined are the whole', () => {
  for (const [at, question] of questions.entries()) {
    const parts = joined(asked('plan', partsOf(question, 3)), question.keep);
    const text = JSON.stringify(question);
    const same = ({ request, bytes }) => [request, bytes];
    assert.deepEqual(parts.layouts.map(same), replies[at].layouts.map(same), text);
    assert.deepEqual(parts.front.map(same), replies[at].front.map(same), text);
    for (const name of ['all', 'refused', 'bounded', 'estimated']) assert.equal(parts.counted[name], replies[at].counted[name], text);
  }
});

/** Degrees of every layout of four devices of one node, as a person would list them. */
test('of a dense model on four devices no layout is left out', () => {
  const request = { model: { preset: 'llama-3.2-1b' }, training: { sequence: 512, checkpointing: 'none' }, parallel: { framework: 'megatron' } };
  const [reply] = asked('plan', [
    {
      request,
      cluster: { device: { preset: 'h100-sxm-80gb' }, devices_per_node: 4 },
      bounds: { 'parallel.virtual_stages': [1, 1], 'parallel.zero': [1, 1], 'parallel.sequence_parallel': [false] },
      keep: 1000,
    },
  ]);
  const expected = [];
  for (const tensor of [1, 2, 4])
    for (const pipeline of [1, 2, 4])
      for (const context of [1, 2, 4])
        if (4 % (tensor * pipeline * context) === 0) expected.push([4 / tensor / pipeline / context, tensor, pipeline, context].join());
  const found = reply.layouts.map(({ request: { parallel: p } }) => [p.data, p.tensor, p.pipeline, p.context ?? 1].join());
  assert.deepEqual(found.sort(), expected.sort());
});

test('what is wrong in a question is told at its field', () => {
  const request = { model: { preset: 'llama-3-8b' }, training: {} };
  const cluster = { device: { preset: 'h100-sxm-80gb' } };
  const wrong = [
    [{ cluster }, 'request'],
    [{ request }, 'cluster'],
    [{ request, cluster: {} }, 'cluster.device'],
    [{ request, cluster: { ...cluster, nodes: 0 } }, 'cluster.nodes'],
    [{ request, cluster: { ...cluster, nodes: 4096 } }, 'cluster.nodes'],
    [{ request, cluster: { device: [{ preset: 'h100-sxm-80gb' }] } }, 'cluster.device'],
    [{ request, cluster, bounds: { 'parallel.tensr': [1, 2] } }, 'bounds.parallel.tensr'],
    [{ request, cluster, bounds: { 'parallel.tensor': [2, 1] } }, 'bounds.parallel.tensor'],
    [{ request, cluster, bounds: { 'training.checkpointing': ['some'] } }, 'bounds.training.checkpointing'],
    [{ request, cluster, bounds: { 'parallel.tensor': 2 } }, 'bounds.parallel.tensor'],
    [{ request, cluster, want: 'most' }, 'want'],
    [{ request, cluster, keep: 0 }, 'keep'],
    [{ request, cluster, part: [4, 4] }, 'part'],
    [{ request, cluster, global_batch: 0.5 }, 'global_batch'],
    [{ request, cluster, wants: 'fits' }, 'wants'],
    [{ request: { ...request, training: { sequenc: 1 } }, cluster }, 'training.sequenc'],
    [{ request: { ...request, model: { preset: 'no-such-model' } }, cluster }, 'model.preset'],
  ];
  for (const [at, reply] of asked(
    'plan',
    wrong.map(([question]) => question),
  ).entries())
    assert.equal(reply.error?.where, wrong[at][1], JSON.stringify(wrong[at]));
});
