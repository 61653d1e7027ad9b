// Published runs of training: a row's words to a request, and which part of the reply means what was measured.

import { presets } from '../../web/src/node/presets.mjs';
import { deviceNamed } from './names.mjs';

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
  'fp16 mixed': 'fp16-mixed',
  'bfloat16 weights, fp32 adapters': 'bf16',
};

const optimizers = {
  AdamW: 'adamw',
  'AdamW fp32': 'adamw',
  Adam: 'adam',
  Adam8bit: 'adamw-8bit',
  PagedAdamW8bit: 'paged-adamw-8bit',
  Adafactor: 'adafactor',
  SGD: 'sgd',
};

const checkpointings = { true: 'full', false: 'none', full: 'full', reentrant: 'full', 'selective op': 'selective', none: 'none' };

/** Words for "on where the recipe is full or sharded". */
const checkpointsBy = (settings, method) =>
  /^on only for/.test(settings.checkpointing) ? (method === 'full' || settings.fsdp ? 'full' : 'none') : checkpointings[settings.checkpointing];

/**
 * What a tool did at that time where a row does not say: its own modelling code and loss. Told apart by the source that a row names.
 * `config` lies over the model's; `training` under what the row says.
 */
const tools = [
  {
    // litgpt/finetune/*.py: the vocabulary matrix and the loss in chunks of 128 tokens, logits as they are; one kernel for GELU, adapters in
    // the model's own type
    source: /litgpt/,
    config: ({ hidden_act: act }) => (/^gelu/.test(act ?? '') ? { hidden_act: 'gelu_pytorch_tanh' } : {}),
    training: ({ seq }) => ({ loss: 'chunked', loss_chunks: Math.max(1, Math.ceil(seq / 128)), logits_in_fp32: false }),
    lora: { encoding: 'bf16' },
  },
  {
    // torchtune: CEWithChunkedOutputLoss; adapters in the model's own type
    source: /torchtune/,
    training: () => ({ loss: 'chunked' }),
    lora: { encoding: 'bf16' },
  },
  {
    // QwenLM/Qwen modeling_qwen.py: the loss over logits in 16 bits
    source: /QwenLM\/Qwen /,
    training: () => ({ logits_in_fp32: false }),
    lora: { encoding: 'bf16' },
  },
  {
    // transformers before 4.46, and modelling code of models' own: the last token is cut off by a copy; autocast takes the loss in fp32
    source: /ms-swift docs/,
    training: () => ({ logits_cut: true }),
  },
  {
    // transformers before 4.36: attention is written out
    source: /docs\/source\/en\/perf_train|model_memory_anatomy/,
    training: () => ({ attention: 'eager' }),
  },
  {
    // PEFT method_comparison/MetaMathQA/run.py: sequences of up to 768 tokens, filled up to the longest of a batch
    source: /method_comparison/,
    training: () => ({ sequence: 768 }),
  },
];

const toolOf = (row) => tools.find(({ source }) => source.test(`${row.source} ${row.where ?? ''}`)) ?? {};

/** Where the reply says what was measured: allocated, reserved, or all that the driver sees. */
const parts = {
  'measured max_allocated': (reply) => reply.total,
  'measured max_reserved': (reply) => reply.total.reserved,
  'measured nvidia-smi/pynvml (incl. CUDA context)': (reply) => reply.total.process,
  'measured, metric not stated': (reply) => reply.total.process,
};

/** Settings that change the memory and that no field of a request can say. */
const unsayable = ['cpu_offload'];

/** The method is the first word of the task: "full fp32 AdamW", "lora fsdp", "pretrain fsdp2". */
const methods = { full: 'full', pretrain: 'full', lora: 'lora', dora: 'dora', qlora: 'qlora', dpo: 'lora', galore: 'galore' };

/** PEFT's benchmark names the method in its settings, with what is peculiar about it; plain LoRA is asked for, and DoRA. */
function methodOf(row) {
  const named = /^([a-z_]+)-{2}/.exec(row.settings.method ?? '')?.[1];
  if (named === 'lora') return /-dora$/.test(row.settings.method) ? 'dora' : /-lorafa$/.test(row.settings.method) ? undefined : 'lora';
  if (named) return named === 'full' || /^full-/.test(row.settings.method) ? 'full' : undefined;
  if (/^full-/.test(row.settings.method ?? '')) return 'full';
  return methods[row.task.toLowerCase().split(/[\s:,]+/)[0]];
}

function parallelOf({ gpus = 1, fsdp, tp = 1, pp = 1, cp = 1 }) {
  const data = gpus / (tp * pp * cp);
  return { data, tensor: tp, pipeline: pp, context: cp, zero: fsdp ? 3 : 0 };
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
const inItsOwnWords = ['objective', 'loss', 'norm', 'optimizer_step', 'checkpoint_every', 'checkpoints_on_host', 'gradients_released'];

const saidAsIs = (settings) => Object.fromEntries(inItsOwnWords.filter((name) => name in settings).map((name) => [name, settings[name]]));

/** Adapters of a method that has them, and the projection of GaLore. */
function methodSettings(s, method, tool) {
  if (method === 'galore') return { galore: { rank: s.galore_rank } };
  if (method === 'full') return {};
  return { lora: { rank: s.lora_r ?? undefined, targets: targetsOf(s.targets), dropout: s.lora_dropout, encoding: s.adapters, ...tool.lora } };
}

/** The model, with the tool's own way to build it laid over its config. */
function modelOf(model, tool) {
  if (!tool.config) return model;
  const config = model.config ?? presets('models').find(({ id }) => id === model.preset)?.config;
  return config ? { config: { ...config, ...tool.config(config) } } : model;
}

function requestOf(row, model, method) {
  const s = row.settings;
  const tool = toolOf(row);
  const device = deviceNamed(s.gpu);
  const said = {
    method,
    precision: precisions[s.dtype] ?? s.dtype,
    optimizer: optimizers[s.optimizer] ?? s.optimizer,
    micro_batch: s.micro_batch,
    ...(typeof s.seq === 'number' && { sequence: s.seq }),
    accumulation: s.accumulation,
    ...(checkpointsBy(s, method) && { checkpointing: checkpointsBy(s, method) }),
    ...((s.flash || s.attention) && { attention: s.flash || /flash/.test(s.attention) ? 'flash' : s.attention }),
    ...(s.optimizer_in_bwd && { gradients_released: true }),
    ...saidAsIs(s),
    ...methodSettings(s, method, tool),
  };
  return {
    schema: 1,
    task: 'training',
    explain: 'none',
    model: modelOf(model, tool),
    ...(device && { device: { preset: device } }),
    ...(s.gpus > 1 && { devices: s.gpus, parallel: parallelOf(s) }),
    ...(s.quant && { weights: { encoding: encodings[s.quant] ?? s.quant } }),
    training: { ...tool.training?.(s), ...said },
  };
}

/** @param {object} row @param {object | undefined} model the `model` of a request, where one is known by the row's name */
export function trainingCase(row, model) {
  const engine = row.kind;
  if (engine === 'tool estimate' || row.verified.startsWith('recalled')) return { engine, reason: 'not truth: a rule of thumb, or recalled' };
  const part = parts[row.kind];
  if (!part) return { engine, reason: `what "${row.kind}" counts is no total of a run` };
  const method = methodOf(row);
  if (!method) return { engine, reason: 'the row measures no step of a training run, or of a method that is not estimated' };
  const unsaid = unsayable.find((name) => row.settings[name]);
  if (unsaid) return { engine, reason: `a request cannot say ${unsaid}` };
  if (!model) return { engine, reason: 'no config in the row, and no preset is called so' };
  const { sequence = row.settings.seq } = toolOf(row).training?.(row.settings) ?? {};
  if (typeof sequence !== 'number' || !row.settings.micro_batch) return { engine, reason: 'the row does not state sequence and micro-batch' };
  return {
    engine,
    requests: [requestOf(row, model, method)],
    compare: (reply) => {
      const { bytes, low, high } = part(reply);
      return [{ metric: 'peak', truth: row.bytes, answer: bytes, low, high, tolerance: 0 }];
    },
  };
}
