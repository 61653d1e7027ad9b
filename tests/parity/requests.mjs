// Seeded random requests over every family, task, encoding, optimizer, precision, checkpointing, attention, loss, level of
// explanation and device, with the model named, given as a config.json, or typed by hand.

import { ids, presets } from '../../web/src/node/presets.mjs';
import { Random } from './random.mjs';

const precisions = ['fp32', 'bf16', 'bf16-mixed', 'fp16-mixed'];
const explains = ['none', 'rows', 'all'];
// The hosted calculator knows these and no others; its arithmetic has no answer for the rest.
const classicEncodings = ['fp32', 'fp16', 'bf16', 'int8', 'int4'];
const classicOptimizers = ['adamw', 'adamw-8bit', 'sgd'];

/** Families are what a config calls itself. */
const familyOf = (model) => model.config.model_type;

function catalogue() {
  const models = presets('models').filter((model) => model.config);
  const families = [...new Set(models.map(familyOf))].sort();
  const encodings = presets('encodings')
    .filter((e) => e.uses.includes('weights'))
    .map((e) => e.id);
  const kvEncodings = presets('encodings')
    .filter((e) => e.uses.includes('kv'))
    .map((e) => e.id);
  return { models, families, encodings, kvEncodings, optimizers: ids('optimizers'), devices: ids('devices') };
}

/** A config that names each layer's kind can have no other depth: the engine refuses lists of another length. */
const namesLayers = (config) =>
  Object.entries(config).some(([key, value]) =>
    Array.isArray(value) ? /layer|attn|types/.test(key) : /pattern$/.test(key) && typeof value === 'string',
  );

/** A config like a published one, with another vocabulary and, where it may be, another depth. */
function reshaped(config, random) {
  const depth = config.n_layer === undefined ? 'num_hidden_layers' : 'n_layer';
  const layers = namesLayers(config) ? {} : { [depth]: random.between(1, 64) };
  return { ...config, ...layers, vocab_size: random.between(100, 150000) };
}

/** Numbers such as a user types: some in full, some with only what they know. */
function typed(random) {
  const heads = random.pick([8, 16, 32, 64]);
  const model = {
    parameters: random.between(1, 4000) * 1e8,
    hidden_size: heads * random.pick([64, 80, 128]),
    num_hidden_layers: random.between(2, 96),
    num_attention_heads: heads,
  };
  if (random.chance(70)) model.num_key_value_heads = random.pick([1, 2, 4, 8, heads]);
  if (random.chance(70)) model.intermediate_size = model.hidden_size * random.pick([2, 3, 4]);
  if (random.chance(70)) model.vocab_size = random.between(1000, 200000);
  return model;
}

function model(family, known, random) {
  const chosen = random.pick(known.models.filter((m) => familyOf(m) === family));
  if (random.chance(50)) return { preset: chosen.id };
  return { config: random.chance(50) ? chosen.config : reshaped(chosen.config, random) };
}

function device(known, random) {
  if (random.chance(10)) return undefined;
  if (random.chance(10)) return { memory_bytes: random.between(4, 200) * 2 ** 30, used_by_others_bytes: random.between(0, 2 ** 30) };
  return { preset: random.pick(known.devices) };
}

function inference(known, random) {
  const block = { runtime: 'transformers', context: random.between(1, 65536) };
  if (random.chance(60)) block.sequences = random.between(1, 64);
  if (random.chance(20)) block.replicas = random.between(1, 4);
  if (random.chance(40)) block.kv_encoding = random.pick(known.kvEncodings);
  if (random.chance(40)) block.flash_attention = random.chance(50);
  if (random.chance(40)) block.logits = random.pick(['all', 'last']);
  if (random.chance(30)) block.prompt = random.between(1, block.context);
  return block;
}

function training(optimizer, random) {
  const block = { optimizer, micro_batch: random.between(1, 8), sequence: random.between(16, 8192) };
  block.method = random.chance(85) ? 'full' : 'freeze';
  if (block.method === 'freeze') block.trainable_percent = random.between(0, 100);
  if (random.chance(90)) block.precision = random.pick(precisions);
  if (random.chance(70)) block.checkpointing = random.pick(['none', 'full']);
  if (random.chance(70)) block.attention = random.pick(['eager', 'sdpa', 'flash']);
  if (random.chance(70)) block.loss = 'full';
  if (random.chance(30)) block.accumulation = random.between(1, 16);
  if (random.chance(30)) block.dropout = random.pick([0, 0.1]);
  return block;
}

function classic(known, random, i) {
  const request = { weights: { encoding: classicEncodings[i % classicEncodings.length] } };
  const hosted = known.models.filter((m) => m.classic);
  request.model = hosted.length && random.chance(50) ? { preset: random.pick(hosted).id } : typed(random);
  if (random.chance(50)) {
    request.inference = { context: random.between(1, 131072), sequences: random.between(1, 64) };
  } else {
    const optimizer = classicOptimizers[i % classicOptimizers.length];
    request.training = {
      optimizer,
      sequence: random.between(1, 8192),
      micro_batch: random.between(1, 64),
      trainable_percent: random.between(0, 100),
    };
  }
  return request;
}

/** What a request was drawn for: the groups of which at least nine in ten must be answered. */
function strata(request, family) {
  return {
    task: request.task,
    family: family ?? 'typed by hand',
    encoding: request.weights?.encoding,
    optimizer: request.training?.optimizer,
  };
}

function drawn(i, known, random) {
  const request = { schema: 1, explain: random.pick(explains) };
  const chosen = device(known, random);
  if (chosen) request.device = chosen;
  if (random.chance(15)) return { request: { ...request, task: 'classic', ...classic(known, random, i) } };
  const family = random.chance(10) ? undefined : known.families[i % known.families.length];
  request.model = family ? model(family, known, random) : typed(random);
  if (random.chance(55)) {
    request.task = 'inference';
    request.weights = { encoding: known.encodings[i % known.encodings.length] };
    request.inference = inference(known, random);
  } else {
    request.task = 'training';
    request.training = training(known.optimizers[i % known.optimizers.length], random);
  }
  return { request, family };
}

/** @returns {{text: string, strata: object}[]} */
export function randomRequests(number, seed) {
  const known = catalogue();
  const random = new Random(seed);
  return Array.from({ length: number }, (_, i) => {
    const { request, family } = drawn(i, known, random);
    return { text: JSON.stringify(request), strata: strata(request, family) };
  });
}

/** What no engine should answer, but both should refuse in the same words. */
export function damagedRequests(number, seed) {
  const random = new Random(seed);
  const wrong = ['-1', '0', '"many"', 'null', '[]', '1e400', '0.5', '{}', 'true', '9007199254740993'];
  return randomRequests(number, seed).map(({ text }) => {
    if (random.chance(30)) return text.slice(0, random.between(1, text.length - 1));
    const numbers = [...text.matchAll(/:(\d+)(?=[,}])/g)];
    const hit = random.pick(numbers);
    return text.slice(0, hit.index + 1) + random.pick(wrong) + text.slice(hit.index + hit[0].length);
  });
}

/** Trainings on answers of the model's own: who judges them, how they are generated, and over which devices. */
export function answerRequests(count, seed) {
  const random = new Random(seed);
  const some = (percent, value) => (random.chance(percent) ? value() : undefined);
  const spread = () =>
    random.pick([
      { framework: 'ddp' },
      { framework: 'deepspeed', zero: random.between(0, 3) },
      { framework: 'fsdp' },
      { framework: 'fsdp2' },
      { tensor: 2 },
      { pipeline: 2 },
      { framework: 'deepspeed', zero: 3, offload: { optimizer: 'cpu', parameters: 'cpu' } },
    ]);
  const held = () => ({ weights: some(20, () => ({ encoding: 'nf4-dq' })), parallel: some(30, spread), offload: some(30, () => 'cpu') });
  return Array.from({ length: count }, () => {
    const devices = random.pick([undefined, 2, 4]);
    return JSON.stringify({
      task: 'training',
      explain: random.pick(['none', 'rows', 'all']),
      model: { preset: random.pick(['llama-3-8b', 'qwen3-30b-a3b', 'qwen2.5-0.5b', 'gpt2', 'deepseek-v3']) },
      device: some(60, () => ({ preset: 'h100-sxm-80gb' })),
      devices,
      parallel: devices && spread(),
      training: {
        objective: random.pick(['grpo', 'ppo']),
        method: random.pick(['full', 'lora', 'qlora', 'freeze']),
        precision: some(50, () => random.pick(['fp32', 'bf16', 'bf16-mixed', 'bf16-autocast', 'fp8-mixed'])),
        checkpointing: some(50, () => random.pick(['full', 'selective'])),
        micro_batch: random.between(1, 4),
        accumulation: random.between(1, 3),
        beta: some(50, () => random.pick([0, 0.04])),
        models: {
          reference: some(30, held),
          reward: some(40, held),
          critic: some(40, () => ({ parallel: some(30, spread), offload: some(30, () => 'cpu') })),
        },
        rollout: {
          runtime: random.pick(['transformers', 'vllm']),
          completion: some(60, () => random.pick([1, 64, 512])),
          gathers: some(30, () => random.chance(50)),
          sleep: some(50, () => random.pick(['none', 'cache', 'all'])),
          tensor: some(30, () => random.pick([1, 2])),
          memory_fraction: some(50, () => random.pick([0, 0.3, 0.9])),
        },
      },
    });
  });
}
