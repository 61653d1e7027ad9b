// What the engine names by itself (rows, what they are made of, why it assumed something, errors) is said in every language of the
// page; notes are held by tests/architecture. Symbols are names in formulas, most of them a config's own, and need no other.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { instantiated } from '../../web/src/node/engine.mjs';
import { tables } from '../../web/src/library/engine.mjs';
import { ids, presets } from '../../web/src/node/presets.mjs';
import { randomRequests } from './requests.mjs';

const source = new URL('../../web/src/languages/', import.meta.url);
const read = (language, file) => JSON.parse(readFileSync(new URL(`${language}/${file}.json`, source), 'utf8'));
const languages = readdirSync(source, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
/** What each language says: at once, and with the pieces of the page that come later, as those on training do. */
const first = Object.fromEntries(languages.map((language) => [language, read(language, 'texts')]));
const later = Object.fromEntries(languages.map((language) => [language, { ...first[language], ...read(language, 'later') }]));

/** The requests whose replies are kept. */
function golden(folder = new URL('../golden/', import.meta.url)) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('request.json'))
    .map((name) => ({ ...JSON.parse(readFileSync(new URL(name, folder), 'utf8')), explain: 'rows' }));
}

/** Each runtime with families that it treats in ways of their own, and each method of training. */
function ways() {
  const models = ['llama-3-8b', 'deepseek-v3', 'qwen3-30b-a3b', 'gpt-oss-20b', 'gemma-3-27b', 't5-base', 'qwen3-next-80b-a3b'].filter((id) =>
    ids('models').includes(id),
  );
  const device = { preset: 'h100-sxm-80gb' };
  const said = models.flatMap((preset) =>
    [
      ...ids('runtimes').flatMap((runtime) => [
        { inference: { runtime } },
        { inference: { runtime, draft: { num_speculative_tokens: 3 }, lora: { count: 2 } } },
      ]),
      ...['full', 'lora', 'qlora', 'dora', 'galore', 'freeze'].map((method) => ({ task: 'training', training: { method, checkpointing: 'full' } })),
    ].map((way) => ({ schema: 1, task: 'inference', explain: 'rows', model: { preset }, device, ...way })),
  );
  const seeing = ['full', 'lora', 'freeze'].flatMap((method) =>
    [{}, { width: 448 }].map((images) => ({
      schema: 1,
      task: 'training',
      explain: 'rows',
      model: { preset: 'qwen2.5-vl-3b' },
      training: { method, images, sequence: 4096, ...(method === 'freeze' && { freeze: { trainable_layers: 2 } }) },
    })),
  );
  const teacher = { model: { preset: 'llama-3-8b' }, weights: { encoding: 'nf4-dq' } };
  const objectives = ['dpo', 'orpo', 'kto', 'reward', 'distill'].flatMap((objective) =>
    [
      {},
      { method: 'lora' },
      { precision: 'fp32', models: { teacher } },
      { divergence: 'forward' },
      { divergence: 'hidden_states', micro_batch: 64 },
    ].map((more) => ({ schema: 1, task: 'training', explain: 'rows', model: { preset: 'llama-3-8b' }, training: { objective, ...more } })),
  );
  const server = { runtime: 'vllm', memory_fraction: 0.4 };
  const answers = ['grpo', 'ppo'].flatMap((objective) =>
    [
      { beta: 0.1, models: { reward: teacher } },
      { method: 'qlora', rollout: { num_generations: 1 } },
      { rollout: { ...server, sleep: 'cache' }, beta: 0, accumulation: 2 },
      { rollout: { ...server, sleep: 'all' }, checkpointing: 'full', precision: 'fp32' },
      { rollout: { ...server, tensor: 2 }, parallel: { framework: 'fsdp2' } },
      { parallel: { framework: 'deepspeed', zero: 3 } },
      { parallel: { framework: 'fsdp' } },
    ].map(({ parallel, ...more }) => ({
      schema: 1,
      task: 'training',
      explain: 'rows',
      model: { preset: 'llama-3-8b' },
      device,
      ...(parallel && { devices: 2, parallel }),
      training: { objective, ...more },
    })),
  );
  const settings = [
    { loss: 'cut', precision: 'bf16-autocast', attention: 'eager' },
    { checkpointing: 'selective' },
    { checkpointing: 'full', use_cache: true, micro_batch: 16 },
  ].map((training) => ({ schema: 1, task: 'training', explain: 'rows', model: { preset: 'llama-3-8b' }, training }));
  const all = [...said, ...seeing, ...objectives, ...answers, ...settings, ...golden()];
  return [...all, ...randomRequests(200, 7).map(({ text }) => ({ ...JSON.parse(text), explain: 'rows' }))];
}

/** Trainings spread over devices: each framework with its stages, off-load, and every way to divide a model. */
function layouts() {
  const offload = { optimizer: 'nvme', parameters: 'cpu' };
  const spread = [
    { framework: 'ddp' },
    { framework: 'ddp', gradient_as_bucket_view: true },
    ...[0, 1, 2, 3].map((zero) => ({ framework: 'deepspeed', zero })),
    { framework: 'deepspeed', zero: 2, offload: { optimizer: 'cpu' } },
    { framework: 'deepspeed', zero: 3, offload },
    { framework: 'deepspeed', zero: 3, offload: { optimizer: 'nvme', parameters: 'nvme' } },
    { framework: 'fsdp', zero: 2 },
    { framework: 'fsdp', offload: { parameters: 'cpu' } },
    { framework: 'fsdp', frozen_joined: true },
    { framework: 'fsdp2', ends_apart: true, loading: 'whole' },
    { framework: 'fsdp2', reshard_after_forward: false, shard_group: 2 },
    { framework: 'megatron', zero: 1 },
    { framework: 'megatron', zero: 1, offload: { optimizer: 'cpu' } },
    { framework: 'megatron', expert: 8, expert_imbalance: 1.5 },
    { tensor: 2 },
    { tensor: 2, sequence_parallel: true, framework: 'megatron' },
    { pipeline: 4, schedule: 'gpipe' },
    { pipeline: 4, virtual_stages: 2, framework: 'megatron' },
    { pipeline: 2, first_stage_layers: 5 },
    { context: 2 },
    { context: 2, context_kind: 'ulysses' },
    { expert: 4 },
    { tensor: 2, pipeline: 2, context: 2, expert: 2, framework: 'fsdp2' },
  ];
  const trainings = [{ accumulation: 4 }, { method: 'lora', checkpointing: 'full' }, { precision: 'fp32', checkpointing: 'selective' }];
  return ['llama-3-8b', 'qwen3-30b-a3b', 'deepseek-v3', 'gpt2'].flatMap((preset) =>
    spread.flatMap((parallel) =>
      trainings.map((training) => ({ schema: 1, task: 'training', explain: 'rows', model: { preset }, devices: 8, parallel, training })),
    ),
  );
}

/** Layouts that cannot be: why, and what to do, is said in each language. */
function refusals() {
  const layouts = [
    [{ tensor: 3 }],
    [{ tensor: 7 }, 'qwen2.5-0.5b', 7],
    [{ tensor: 64, data: 1 }, 'llama-3-8b', 64],
    [{ framework: 'ddp', zero: 2 }],
    [{ framework: 'megatron', zero: 2 }],
    [{ framework: 'fsdp2', zero: 1 }],
    [{ framework: 'deepspeed', zero: 2, pipeline: 2 }],
    [{ framework: 'fsdp2', shard_group: 3 }],
    [{ framework: 'fsdp2', offload: { optimizer: 'cpu' } }],
    [{ framework: 'deepspeed', zero: 2, offload: { parameters: 'cpu' } }],
    [{ framework: 'ddp', offload: { optimizer: 'cpu' } }],
    [{ framework: 'deepspeed', zero: 2, offload: { optimizer: 'nvme' } }],
    [{ pipeline: 4, virtual_stages: 2, schedule: 'gpipe' }],
    [{ sequence_parallel: true }],
    [{ first_stage_layers: 4 }],
    [{ framework: 'deepspeed', zero: 2, loading: 'whole' }],
    [{ pipeline: 4, last_stage_layers: 3 }],
    [{ pipeline: 4, virtual_stages: 2, first_stage_layers: 1, last_stage_layers: 1 }],
    [{ pipeline: 64 }, 'llama-3-8b', 64],
    [{ expert: 2 }],
    [{ expert: 256 }, 'qwen3-30b-a3b', 256],
    [{ tensor: 2 }, 'rwkv-4-3b'],
    [{ tensor: 2, sequence_parallel: true }, 'mamba-2.8b'],
    [{ context: 2, context_kind: 'ulysses' }, 'deepseek-v3'],
    [{ context: 2, context_kind: 'ulysses' }, 'mamba-2.8b'],
    [{ framework: 'fsdp2', frozen_joined: true }, 'llama-3-8b', 8, { method: 'lora' }],
    [{ context: 7, context_kind: 'ulysses' }, 'qwen2.5-0.5b', 7],
    [{ context: 5, context_kind: 'ulysses' }, 'llama-3-8b', 5],
  ];
  return layouts.map(([parallel, preset = 'llama-3-8b', devices = 8, training = {}]) => ({
    ...{ schema: 1, task: 'training', model: { preset }, devices },
    ...{ parallel, training },
  }));
}

const sentence = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Every key that the page looks up for a reply. */
function keysOf(reply) {
  const keys = new Set();
  const named = (rows, group) => {
    for (const { id, rows: children = [] } of rows ?? []) {
      keys.add(`${group}.${id}`);
      named(children, 'part');
    }
  };
  named(reply.rows, 'row');
  named(reply.host?.rows, 'row');
  for (const { device } of reply.devices ?? [])
    keys.add(device.replace(/^(device|stage) \d+$/, (_, kind) => (kind === 'stage' ? 'devices.stage' : 'devices.name')));
  for (const { why } of reply.assumptions ?? []) if (why && !/; default of \w+$/.test(why)) keys.add(`why.${sentence(why)}`);
  if (reply.error) keys.add(`error.${reply.error.code}`);
  return keys;
}

/** As the page looks it up: by its last word too, and a part as the row of its name. */
function known(table, key) {
  const [group, last] = [key.split('.')[0], key.split('.').at(-1)];
  return key in table || `${group}.${last}` in table || (group === 'part' && `row.${last}` in table);
}

async function engine() {
  const module = await instantiated('plimsoll-whole');
  module.provide(JSON.stringify(Object.fromEntries(['models', ...tables].map((kind) => [kind, presets(kind)]))));
  return (request) => JSON.parse(module.estimate(JSON.stringify(request)));
}

const unnamed = (table, keys) => [...keys].filter((key) => !known(table, key)).sort();

test('what the engine names has a name in every language', async () => {
  const estimate = await engine();
  const [trainings, others] = [[], []];
  for (const request of ways()) (request.training ? trainings : others).push(...keysOf(estimate(request)));
  assert.ok(new Set([...trainings, ...others]).size > 100);
  for (const [file, table] of Object.entries(first)) assert.deepEqual(unnamed(table, new Set(others)), [], file);
  for (const [file, table] of Object.entries(later)) assert.deepEqual(unnamed(table, new Set(trainings)), [], file);
});

test('and what it names of a training on several devices', async () => {
  const estimate = await engine();
  const replies = layouts().map(estimate);
  const answered = replies.filter(({ error }) => !error).length;
  assert.ok(answered > replies.length / 2, `${answered} of ${replies.length} answered`);
  const keys = new Set(replies.flatMap((reply) => [...keysOf(reply)]));
  for (const [file, table] of Object.entries(later)) assert.deepEqual(unnamed(table, keys), [], file);
});

test('and why a layout cannot be', async () => {
  const estimate = await engine();
  const errors = refusals().map((request) => {
    const { error } = estimate(request);
    assert.ok(error, JSON.stringify(request));
    return error;
  });
  const keys = new Set(
    errors.flatMap(({ what, hint }) => [what, hint].filter(Boolean).map((text) => `refused.${sentence(text.replace(/^at most \d+$/, 'at most'))}`)),
  );
  for (const [file, table] of Object.entries(later)) assert.deepEqual(unnamed(table, keys), [], file);
});
