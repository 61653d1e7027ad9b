// From a row of truth to a request and to what is compared: the one table of the score. Rows are told apart by what they
// hold, words are translated by the lists below, and no row is treated by its name or id.
//
// A kind's `cases(row, beside)` gives one case: {engine, requests, compare}, or {engine, reason} where there is nothing to ask.
// `compare(...replies)` gives [{metric, truth, answer, low, high, tolerance}]; an answer of undefined counts as unanswered. `of` says which
// of the answer's totals a figure means, `part` that it is the part of that total that is not arithmetic, `unstated` that its source does not
// name the counter.

import { autogradCase } from './autograd.mjs';
import { llamaCase, typesCase } from './llama_cpp.mjs';
import { mlxCase } from './mlx.mjs';
import { deviceNamed, modelNamed } from './names.mjs';
import { isPrinted, printedCase } from './printed.mjs';
import { isLlama, publishedLlamaCase } from './published_llama.mjs';
import { isRequested, requestedCase } from './requested.mjs';
import { isServer, serverCase } from './servers.mjs';
import { trainingCase } from './training.mjs';
import { betweenCounters } from './unstated.mjs';

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

/**
 * What tables print, in which unit, and what of the reply that is: the allocator's peak where they say so; where no counter is named, the
 * range of all. Those that print "GB" divided by 2^30.
 */
const printedByTransformers = [
  { name: 'max_memory_allocated_mib', metric: 'max_memory_allocated', of: 'allocated', unit: 2 ** 20, at: 'total', part: ({ total }) => total },
  {
    name: 'max_memory_reserved_gb',
    metric: 'max_memory_reserved',
    of: 'reserved',
    unit: 1e9,
    at: 'total/reserved',
    part: ({ total }) => total.reserved,
  },
  {
    name: 'peak_gpu_memory_gb',
    metric: 'memory, metric not stated',
    of: 'process',
    unstated: true,
    unit: GiB,
    at: 'total/process',
    part: ({ total }, truth) => betweenCounters(total, truth),
  },
];

/** One figure against the part of the reply that means the same. */
function figure(metric, truth, part, tolerance = 0) {
  return { metric, truth, answer: part?.bytes, low: part?.low, high: part?.high, tolerance };
}

const parameters = (metric, truth, answer, at, tolerance = 0) => ({
  ...{ metric, truth, answer, low: answer, high: answer, tolerance },
  ...{ at: [`model/parameters/${at}`], unit: 'parameters' },
});

// ---- models -------------------------------------------------------------------------------------------------------

/** A count that nothing verifies, neither the repository nor a sibling, is held to a thousandth. */
const countTolerance = (row) => (row.family_cross_check === null ? 0.001 : 0);

function modelCase(row) {
  return {
    engine: row.family,
    requests: [{ schema: 1, task: 'inference', explain: 'none', model: { config: row.config }, inference: { context: 1 } }],
    compare: ({ model: { parameters: ours } }) => [
      parameters('parameters', row.params_total, ours.total, 'total', countTolerance(row)),
      ...(row.params_active ? [parameters('active parameters', row.params_active, ours.active, 'active', 0.001)] : []),
      ...(row.params_mtp ? [parameters('multi-token prediction', row.params_mtp, ours.parts?.mtp, 'parts/mtp')] : []),
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
    explain: 'rows',
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
      flash_attention: /^(flash|sdpa)/.test(attention),
      kv_encoding: kv?.startsWith('int8') ? 'int8' : undefined,
    },
  };
}

function inferenceCase(row, beside) {
  const { engine } = row;
  if (!['transformers', 'AutoAWQ', 'MLX'].includes(engine) && !isServer(engine) && !isLlama(engine))
    return { engine, reason: `${engine} is no runtime of ours` };
  if (row.settings.fused_modules) return { engine, reason: "AutoAWQ's fused modules have layers and a cache of their own: no runtime of ours" };
  const model = givenModel(row, beside);
  if (!model) return { engine, reason: `no config in the row, and no preset is called so` };
  if (isServer(engine)) return serverCase(row, model);
  if (isLlama(engine)) return publishedLlamaCase(row, model);
  if (engine === 'MLX') return mlxCase(row, model);
  const printed = printedByTransformers.filter(({ name }) => name in row.printed);
  return {
    engine,
    requests: [transformersRequest(row, model)],
    compare: (reply) =>
      printed.map(({ name, metric, of, unstated, unit, at, part }) => ({
        ...figure(metric, row.printed[name] * unit, row.moment === 'end' ? heldAtTheEnd(reply) : part(reply, row.printed[name] * unit)),
        ...(row.moment !== 'end' && engine === 'transformers' && { of, unstated, at: [at] }),
      })),
  };
}

// ---- the table ----------------------------------------------------------------------------------------------------

/** @type {{kind: string, holds: (row: object) => boolean, case: (row: object, beside: (name: string) => any) => object}[]} */
export const kinds = [
  { kind: 'printed', holds: isPrinted, case: printedCase },
  { kind: 'requested', holds: isRequested, case: requestedCase },
  { kind: 'models', holds: (row) => 'params_total' in row && 'config' in row, case: modelCase },
  { kind: 'types', holds: (row) => 'tensor_types' in row, case: (row, _, models) => typesCase(row, models()) },
  // what no command line can be asked: the readers and the graph have tests of their own
  { kind: 'tables', holds: (row) => 'tensors' in row, case: () => ({ engine: 'llama.cpp', reason: 'held by tests/engine/formats/gguf_facts.cpp' }) },
  {
    kind: 'graphs',
    holds: (row) => 'context' in row,
    case: () => ({ engine: 'llama.cpp', reason: 'held by tests/engine/inference/llama_graph.cpp' }),
  },
  {
    kind: 'objectives',
    holds: (row) => 'objective' in row,
    case: () => ({ engine: 'PyTorch', reason: 'held by tests/engine/training/objectives.cpp' }),
  },
  { kind: 'buffers', holds: (row) => 'buffers' in row && 'settings' in row, case: (row, _, models) => llamaCase(row, models()) },
  { kind: 'inference', holds: (row) => 'engine' in row && 'settings' in row, case: inferenceCase },
  {
    kind: 'training',
    holds: (row) => 'bytes' in row && 'task' in row && 'settings' in row,
    case: (row, beside) => trainingCase(row, givenModel(row, beside)),
  },
  { kind: 'autograd', holds: (row) => 'kind' in row && 'source' in row, case: autogradCase },
];

/** How a case's figure is called in the output. */
export const nameOf = (row) => row.id ?? row.name ?? row.kind ?? row.config ?? row.architecture ?? row.objective;
