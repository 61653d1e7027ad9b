// Published runs of training: a row's words to a request, and which part of the reply means what was measured.

import { configOf, deviceNamed, modelNamed } from './names.mjs';
import { isLoad, partOf } from './training_parts.mjs';
import { toolOf } from './training_tools.mjs';

/** What rows call an encoding of the frozen base. */
const encodings = { nf4: 'nf4', 'nf4-dq': 'nf4-dq', 'GPTQ int4': 'gptq-4bit-128g', 'GPTQ int8': 'gptq-8bit-128g', int8: 'int8-llm' };

/** What rows call the numbers that a training run computes with. */
const precisions = {
  fp32: 'fp32',
  bf16: 'bf16',
  'bf16-true': 'bf16',
  fp16: 'fp16',
  'bf16 AMP': 'bf16-autocast',
  'bf16 autocast, fp32 weights': 'bf16-autocast',
  'fp32 params, bf16 compute': 'bf16-mixed',
  'fp16 autocast': 'fp16-autocast',
  'bf16 mixed': 'bf16-mixed',
  'fp16 mixed': 'fp16-mixed',
  'bfloat16 weights, fp32 adapters': 'bf16',
};

const optimizers = {
  AdamW: 'adamw',
  'AdamW fp32': 'adamw',
  Adam: 'adam',
  Adam8bit: 'adamw-8bit',
  AdamW8bit: 'adamw-8bit',
  'AdamW8bit torchao': 'adamw-8bit-torchao',
  PagedAdamW8bit: 'paged-adamw-8bit',
  Adafactor: 'adafactor',
  SGD: 'sgd',
};

const checkpointings = {
  true: 'full',
  false: 'none',
  full: 'full',
  reentrant: 'full',
  selective: 'selective',
  'selective op': 'selective-op',
  none: 'none',
};

/** Words for "on where the recipe is full or sharded". */
const checkpointsBy = (settings, method) =>
  /^on only for/.test(settings.checkpointing) ? (method === 'full' || settings.fsdp ? 'full' : 'none') : checkpointings[settings.checkpointing];

/** Settings that change the memory and that no field of a request can say. */
const unsayable = ['init'];

/** The method is the first word of the task: "full fp32 AdamW", "lora fsdp", "pretrain fsdp2". */
const methods = {
  full: 'full',
  pretrain: 'full',
  lora: 'lora',
  dora: 'dora',
  qlora: 'qlora',
  dpo: 'lora',
  galore: 'galore',
  prefix: 'prefix',
  prompt: 'prompt',
};

/** PEFT's benchmark names the method in its settings, with what is peculiar about it; plain LoRA is asked for, and DoRA. */
function methodOf(row) {
  const named = /^([a-z_]+)-{2}/.exec(row.settings.method ?? '')?.[1];
  if (/^p(refix|rompt) tuning$/.test(row.task)) return methods[row.task.split(' ')[0]];
  if (named === 'lora') return /-dora$/.test(row.settings.method) ? 'dora' : /-lorafa$/.test(row.settings.method) ? undefined : 'lora';
  if (named) return named === 'full' || /^full-/.test(row.settings.method) ? 'full' : undefined;
  if (/^full-/.test(row.settings.method ?? '')) return 'full';
  if (isLoad(row) && row.model.startsWith('bert')) return 'full';
  return methods[row.task.toLowerCase().split(/[\s:,]+/)[0]];
}

/** What rows call a way to share a model's state among its copies. */
const shardings = [
  [/zero-?\s*1/i, { framework: 'deepspeed', zero: 1 }],
  [/zero-?\s*2/i, { framework: 'deepspeed', zero: 2 }],
  [/zero-?\s*3/i, { framework: 'deepspeed', zero: 3 }],
  [/fsdp2/i, { framework: 'fsdp2' }],
  [/fsdp/i, { framework: 'fsdp' }],
  [/megatron, no distributed/i, { framework: 'megatron', zero: 0 }],
  [/megatron distributed/i, { framework: 'megatron', zero: 1 }],
  [/megatron/i, { framework: 'megatron' }],
];

function parallelOf(row, settings, tool, config) {
  const { gpus = 1, fsdp, sharding, tp = 1, pp = 1, cp = 1, ep, virtual_stages: virtual, shard_group: group, optimizer_on: place } = settings;
  const named = shardings.find(([word]) => word.test(`${sharding ?? ''} ${row.task}`))?.[1];
  return {
    data: gpus / (tp * pp * cp),
    tensor: tp,
    pipeline: pp,
    context: cp,
    ...(named ?? (fsdp && { framework: 'fsdp' })),
    ...(ep && { expert: ep }),
    ...(virtual && { virtual_stages: virtual, schedule: 'interleaved' }),
    ...(group && { shard_group: group }),
    ...(place && { offload: { optimizer: place } }),
    ...((settings.cpu_offload || /fsdp.*offload/.test(row.task)) && { offload: { parameters: 'cpu' } }),
    ...(settings.loading && { loading: settings.loading }),
    ...(settings.first_stage_layers && { first_stage_layers: settings.first_stage_layers }),
    ...(settings.sequence_parallel && { sequence_parallel: true }),
    ...tool.parallel?.(row, config ?? {}),
  };
}

/** What rows call the layers that get adapters. */
const layers = {
  q: 'q_proj',
  k: 'k_proj',
  v: 'v_proj',
  o: 'o_proj',
  gate: 'gate_proj',
  up: 'up_proj',
  down: 'down_proj',
  head: 'lm_head',
  'all linear': 'all-linear',
};

function targetsOf(targets) {
  const names = typeof targets === 'string' ? targets.split(',') : targets;
  return names?.map((name) => layers[name.trim()] ?? name.trim());
}

/** What rows say in a request's own words: the same fields, where a row has them. */
const inItsOwnWords = [
  'objective',
  'loss',
  'norm',
  'dropout',
  'optimizer_step',
  'checkpoint_every',
  'checkpoints_on_host',
  'gradients_released',
  'expandable_segments',
  'lengths',
];

/** Lengths that a row describes, and whose mean nobody printed. */
const isProse = (name, value) => name === 'lengths' && typeof value === 'string';

const saidAsIs = (settings) =>
  Object.fromEntries(inItsOwnWords.filter((name) => name in settings && !isProse(name, settings[name])).map((name) => [name, settings[name]]));

/** Adapters of a method that has them, and the projection of GaLore. */
function methodSettings(row, s, method, tool) {
  if (method === 'galore') return { galore: { rank: s.galore_rank } };
  if (method === 'full') return {};
  if (method === 'prefix' || method === 'prompt') return { prompt: { virtual_tokens: s.virtual_tokens } };
  return {
    lora: { rank: s.lora_r ?? undefined, targets: targetsOf(s.targets), dropout: s.lora_dropout, encoding: s.adapters, ...tool.lora?.(s, row) },
  };
}

/** The model, with the tool's own way to build it laid over its config. */
function modelOf(model, tool) {
  if (!tool.config) return model;
  const config = configOf(model);
  return config ? { config: { ...config, ...tool.config(config) } } : model;
}

/** Tokens of the longest sequence, where a row says so much: a number, or the most that one may have ("<=768, padded per batch"). */
const longestOf = (seq) => (typeof seq === 'number' ? seq : Number(/^<=(\d+)/.exec(seq)?.[1] ?? NaN));

/** What a row says, over what its tool does by itself; and what of the latter was used. */
function settingsOf(row, tool) {
  const defaults = tool.defaults?.(row) ?? {};
  const said = { ...row.settings, seq: longestOf(row.settings.seq) || null };
  const stated = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  const used = Object.entries(defaults).filter(([key]) => !(key in stated));
  return { settings: { ...defaults, ...stated }, assumed: used.map(([key, value]) => `${key} ${value}`) };
}

const attentionOf = (s) => (s.flash || /flash|fa2/i.test(s.attention) ? 'flash' : s.attention);

function requestOf(row, model, method, s, tool) {
  const device = deviceNamed(s.gpu);
  const autocast = tool.autocast && method === 'lora' && s.dtype === 'bf16' && !s.quant;
  const training = {
    method,
    precision: precisions[s.dtype] ?? s.dtype,
    optimizer: optimizers[s.optimizer] ?? s.optimizer,
    micro_batch: s.micro_batch,
    sequence: s.seq,
    accumulation: s.accumulation,
    checkpointing: checkpointsBy(s, method),
    attention: attentionOf(s),
    gradients_released: s.optimizer_in_bwd,
    ...((s.compile === true || /compile/.test(s.mode)) && { layers_compiled: true }),
    ...(/^bf16 moments/.test(s.states) && { state_encoding: 'bf16' }),
    ...tool.training?.(s, row),
    ...(autocast && { precision: 'bf16-autocast' }),
    ...saidAsIs(s),
    ...(s.completion && { rollout: { completion: s.completion, num_generations: s.generations } }),
    ...(s.teacher && { models: { teacher: { model: { preset: modelNamed(s.teacher) } } } }),
    ...methodSettings(row, s, method, tool),
  };
  return {
    schema: 1,
    task: 'training',
    explain: 'rows',
    model: modelOf(model, tool),
    ...(device && { device: { preset: device } }),
    ...(s.gpus > 1 ? { devices: s.gpus, parallel: parallelOf(row, s, tool, configOf(model)) } : tool.alone?.(row, configOf(model) ?? {})),
    ...(autocast && { weights: { encoding: 'bf16' } }),
    ...(s.quant && { weights: { encoding: encodings[s.quant] ?? s.quant, ...tool.weights } }),
    training,
  };
}

/** @param {object} row @param {object | undefined} known the `model` of a request, where one is known by the row's name */
export function trainingCase(row, known) {
  const engine = `${row.kind}${row.settings?.gpus > 1 ? ', several devices' : row.settings?.lengths ? ', lengths that vary' : ''}`;
  if (row.kind === 'tool estimate' || row.verified.startsWith('recalled')) return { engine, reason: 'not truth: a rule of thumb, or recalled' };
  const part = partOf(row);
  if (!part) return { engine, reason: `what "${row.kind}" counts is no total of a run` };
  const method = methodOf(row);
  if (!method) return { engine, reason: 'the row measures no step of a training run, or of a method that is not estimated' };
  const unsaid =
    unsayable.find((name) => row.settings[name]) ?? (/offload/i.test(row.task) && !/fsdp/.test(row.task) ? 'what is off-loaded' : undefined);
  if (unsaid) return { engine, reason: `a request cannot say ${unsaid}` };
  const tool = toolOf(row);
  const preset = tool.models?.[row.model];
  const model = known ?? (preset && { preset });
  if (!model) return { engine, reason: 'no config in the row, and no preset is called so' };
  const { settings, assumed } = settingsOf(row, tool);
  if (!isLoad(row) && (!settings.seq || !settings.micro_batch)) return { engine, reason: 'the row does not state sequence and micro-batch' };
  return {
    engine,
    ...(assumed.length > 0 && { assumed: `${assumed.join(', ')} (${tool.from})` }),
    requests: [requestOf(row, model, method, settings, tool)],
    compare: (reply) => {
      const { metric, of, at, unstated, total } = part;
      const { bytes, low, high } = total(reply, row.bytes);
      return [{ metric, ...(of && { of, at: [at], unstated }), truth: row.bytes, answer: bytes, low, high, tolerance: 0 }];
    },
  };
}
