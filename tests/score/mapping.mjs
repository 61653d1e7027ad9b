// From a row of truth to a request and to what is compared: the one table of the score. Rows are told apart by what they
// hold, words are translated by the lists below, and no row is treated by its name or id.
//
// A kind's `cases(row, beside)` gives one case: {engine, requests, compare}, or {engine, reason} where there is nothing to ask.
// `compare(...replies)` gives [{metric, truth, answer, low, high, tolerance}]; an answer of undefined counts as unanswered.

import { autogradCase } from './autograd.mjs';
import { llamaCase, typesCase } from './llama_cpp.mjs';
import { deviceNamed, modelNamed } from './names.mjs';
import { isLlama, publishedLlamaCase } from './published_llama.mjs';
import { isServer, serverCase } from './servers.mjs';

const GiB = 2 ** 30;

/** What rows call an encoding, and its preset. */
const encodings = {
  BF16: 'bf16',
  bf16: 'bf16',
  FP16: 'fp16',
  fp16: 'fp16',
  FP8: 'fp8',
  fp8: 'fp8',
  Int8: 'int8',
  int8: 'int8',
  NF4: 'nf4',
  nf4: 'nf4',
  'nf4-dq': 'nf4-dq',
  'GPTQ-Int8': 'gptq-8bit-128g',
  'GPTQ-Int4': 'gptq-4bit-128g',
  'GPTQ int4': 'gptq-4bit-128g',
  AWQ: 'awq-4bit-128g',
};

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
  PagedAdamW8bit: 'adamw-8bit',
  Adafactor: 'adafactor',
  SGD: 'sgd',
};

const checkpointings = { true: 'full', false: 'none', full: 'full', reentrant: 'full', 'selective op': 'selective', none: 'none' };

/** Words for "on where the recipe is full or sharded". */
const checkpointsBy = (settings, method) =>
  /^on only for/.test(settings.checkpointing) ? (method === 'full' || settings.fsdp ? 'full' : 'none') : checkpointings[settings.checkpointing];

/** Settings that change the memory and that no field of a request can say. */
const unsayable = ['optimizer_in_bwd', 'cpu_offload'];

/** What a printed figure measured, and where the reply says the same: allocated, reserved, or all that the driver sees. */
const allocated = (reply) => reply.total;
const reserved = (reply) => reply.total.reserved;
const whole = (reply) => reply.total.process;

const printedByTransformers = {
  max_memory_allocated_mib: { of: allocated, scale: 2 ** 20 },
  // The tables that print "GB" divided by 2^30, and read the allocator's peak.
  peak_gpu_memory_gb: { of: allocated, scale: GiB },
};

const measuredInTraining = {
  'measured max_allocated': allocated,
  'measured max_reserved': reserved,
  'measured nvidia-smi/pynvml (incl. CUDA context)': whole,
  'measured, metric not stated': whole,
};

/** One figure against the part of the reply that means the same. */
function figure(metric, truth, part, tolerance = 0) {
  return { metric, truth, answer: part?.bytes, low: part?.low, high: part?.high, tolerance };
}

const plainFigure = (metric, truth, answer, tolerance = 0) => ({ metric, truth, answer, low: answer, high: answer, tolerance });

// ---- models -------------------------------------------------------------------------------------------------------

/** A count that nothing verifies, neither the repository nor a sibling, is held to a thousandth. */
const countTolerance = (row) => (row.family_cross_check === null ? 0.001 : 0);

function modelCase(row) {
  return {
    engine: row.family,
    requests: [{ schema: 1, task: 'inference', explain: 'none', model: { config: row.config }, inference: { context: 1 } }],
    compare: ({ model: { parameters } }) => [
      plainFigure('parameters', row.params_total, parameters.total, countTolerance(row)),
      ...(row.params_active ? [plainFigure('active parameters', row.params_active, parameters.active, 0.001)] : []),
      ...(row.params_mtp ? [plainFigure('multi-token prediction', row.params_mtp, parameters.parts?.mtp)] : []),
    ],
  };
}

// ---- inference ----------------------------------------------------------------------------------------------------

/** Before transformers 4.45 (torch 2.4 is as old) the head ran over every position of the prompt, in fp32. */
function logitsOf(version = '') {
  const [, library] = /transformers (\d+\.\d+)/.exec(version) ?? [];
  const [, torch] = /torch (\d+\.\d+)/.exec(version) ?? [];
  const older = (given, than) =>
    given
      .split('.')
      .map(Number)
      .some((n, i, v) => n < than[i] && v.slice(0, i).every((m, j) => m === than[j]));
  if (library) return older(library, [4, 45]) ? 'all' : undefined;
  return torch && older(torch, [2, 4]) ? 'all' : undefined;
}

function givenModel(row, beside) {
  const config = row.hf_config ?? beside(row.config)?.config;
  if (config) return { config };
  const preset = modelNamed(row.model_full ?? row.model);
  return preset && { preset };
}

/** In transformers FP8 has a scale for each block of 128×128 (FineGrainedFP8Config), and Int8 is LLM.int8 of bitsandbytes. */
const inTransformers = { FP8: 'fp8-block-128', Int8: 'int8-llm' };

/**
 * What is held once the answer is whole. Tables of 4.51 leave no room for a prompt's activations, nor for a copy of a layer's
 * cache, at any length: they were read after generation.
 */
function heldAtTheEnd(reply) {
  const held = { bytes: 0, low: 0, high: 0 };
  for (const { id, by_phase, bytes, low, high } of reply.rows) {
    const { decode } = by_phase;
    if (['weights', 'kv_cache', 'state', 'workspace'].includes(id)) {
      held.bytes += decode;
      held.low += bytes ? (decode * low) / bytes : decode;
      held.high += bytes ? (decode * high) / bytes : decode;
    } else if (id === 'logits' || id === 'activations') {
      held.high += decode; // of the last step, what is still referenced
    }
  }
  return held;
}

function transformersRequest(row, model) {
  const { batch, input_tokens: prompt = 1, generated_tokens: generated = 0, attention = '', gpus = 1, kv_quant: kv } = row.settings;
  const device = deviceNamed(row.hardware);
  return {
    schema: 1,
    task: 'inference',
    explain: row.moment === 'end' ? 'rows' : 'none',
    model,
    weights: { encoding: inTransformers[row.quant] ?? encodings[row.quant] ?? row.quant },
    ...(device && { device: { preset: device } }),
    ...(gpus > 1 && { devices: gpus }),
    inference: {
      runtime: 'transformers',
      context: prompt + generated,
      prompt,
      sequences: batch,
      logits: logitsOf(row.version),
      release: /transformers (\d+\.\d+)/.exec(row.version)?.[1],
      flash_attention: attention.startsWith('flash'),
      kv_encoding: kv?.startsWith('int8') ? 'int8' : undefined,
    },
  };
}

function inferenceCase(row, beside) {
  const { engine } = row;
  if (engine !== 'transformers' && !isServer(engine) && !isLlama(engine)) return { engine, reason: `${engine} is no runtime of ours` };
  const model = givenModel(row, beside);
  if (!model) return { engine, reason: `no config in the row, and no preset is called so` };
  if (isServer(engine)) return serverCase(row, model);
  if (isLlama(engine)) return publishedLlamaCase(row, model);
  const printed = Object.entries(printedByTransformers).filter(([name]) => name in row.printed);
  return {
    engine,
    requests: [transformersRequest(row, model)],
    compare: (reply) =>
      printed.map(([name, { of, scale }]) => figure(name, row.printed[name] * scale, row.moment === 'end' ? heldAtTheEnd(reply) : of(reply))),
  };
}

// ---- training -----------------------------------------------------------------------------------------------------

/** The method is the first word of the task: "full fp32 AdamW", "lora fsdp", "pretrain fsdp2". */
const methods = { full: 'full', pretrain: 'full', lora: 'lora', qlora: 'qlora', dpo: 'lora', galore: 'galore' };

const methodOf = (task) => methods[task.toLowerCase().split(/[\s:,]+/)[0]];

function parallelOf({ gpus = 1, fsdp, tp = 1, pp = 1, cp = 1 }) {
  const data = gpus / (tp * pp * cp);
  return { data, tensor: tp, pipeline: pp, context: cp, zero: fsdp ? 3 : 0 };
}

/** What rows call the layers that get adapters. */
const layers = { q: 'q_proj', k: 'k_proj', v: 'v_proj', o: 'o_proj', gate: 'gate_proj', up: 'up_proj', down: 'down_proj' };

function targetsOf(targets) {
  const names = typeof targets === 'string' ? targets.split(',') : targets;
  return names?.map((name) => layers[name.trim()] ?? name.trim());
}

function trainingRequest(row, model, method) {
  const s = row.settings;
  const device = deviceNamed(s.gpu);
  return {
    schema: 1,
    task: 'training',
    explain: 'none',
    model,
    ...(device && { device: { preset: device } }),
    ...(s.gpus > 1 && { devices: s.gpus, parallel: parallelOf(s) }),
    ...(s.quant && { weights: { encoding: encodings[s.quant] ?? s.quant } }),
    training: {
      method,
      precision: precisions[s.dtype] ?? s.dtype,
      optimizer: optimizers[s.optimizer] ?? s.optimizer,
      micro_batch: s.micro_batch,
      sequence: s.seq,
      accumulation: s.accumulation,
      checkpointing: checkpointsBy(s, method),
      attention: s.flash || /flash/.test(s.attention) ? 'flash' : s.attention,
      ...(method !== 'full' && { lora: { rank: s.lora_r ?? undefined, targets: targetsOf(s.targets), dropout: s.lora_dropout } }),
    },
  };
}

function trainingCase(row, beside) {
  const engine = row.kind;
  if (engine === 'tool estimate' || row.verified.startsWith('recalled')) return { engine, reason: 'not truth: a rule of thumb, or recalled' };
  const part = measuredInTraining[row.kind];
  if (!part) return { engine, reason: `what "${row.kind}" counts is no total of a run` };
  const method = methodOf(row.task);
  if (!method) return { engine, reason: 'the row measures no step of a training run' };
  const unsaid = unsayable.find((name) => row.settings[name]);
  if (unsaid) return { engine, reason: `a request cannot say ${unsaid}` };
  const model = givenModel(row, beside);
  if (!model) return { engine, reason: 'no config in the row, and no preset is called so' };
  if (typeof row.settings.seq !== 'number' || !row.settings.micro_batch) return { engine, reason: 'the row does not state sequence and micro-batch' };
  return {
    engine,
    requests: [trainingRequest(row, model, method)],
    compare: (reply) => [figure('peak', row.bytes, part(reply))],
  };
}

// ---- the table ----------------------------------------------------------------------------------------------------

/** @type {{kind: string, holds: (row: object) => boolean, case: (row: object, beside: (name: string) => any) => object}[]} */
export const kinds = [
  { kind: 'models', holds: (row) => 'params_total' in row && 'config' in row, case: modelCase },
  { kind: 'types', holds: (row) => 'tensor_types' in row, case: (row, _, models) => typesCase(row, models()) },
  // what no command line can be asked: the readers and the graph have tests of their own
  { kind: 'tables', holds: (row) => 'tensors' in row, case: () => ({ engine: 'llama.cpp', reason: 'held by tests/engine/gguf_facts.cpp' }) },
  { kind: 'graphs', holds: (row) => 'context' in row, case: () => ({ engine: 'llama.cpp', reason: 'held by tests/engine/llama_graph.cpp' }) },
  { kind: 'buffers', holds: (row) => 'buffers' in row && 'settings' in row, case: (row, _, models) => llamaCase(row, models()) },
  { kind: 'inference', holds: (row) => 'engine' in row && 'settings' in row, case: inferenceCase },
  { kind: 'training', holds: (row) => 'bytes' in row && 'task' in row && 'settings' in row, case: trainingCase },
  { kind: 'autograd', holds: (row) => 'kind' in row && 'source' in row, case: autogradCase },
];

/** How a case's figure is called in the output. */
export const nameOf = (row) => row.id ?? row.name ?? row.kind;
