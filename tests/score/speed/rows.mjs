// A printed speed as a request, and where the reply says the same. Rows name models and devices in their authors' words.

import { deviceNamed, modelNamed, presetOf } from '../rows/names.mjs';

/** Names under which runtimes that are known here print; what else a row names is none of these. */
const runtimes = [
  ['llama.cpp', /^(llama\.cpp|llama-server|ollama)/i],
  ['vllm', /^vllm/i],
  ['sglang', /^sglang/i],
  ['tensorrt-llm', /^tensorrt-llm/i],
  ['transformers', /^transformers$/i],
  ['mlx', /^mlx-lm/i],
];

export const runtimeOf = ({ runtime }) => (/cpu\)|neuron|ik_llama/i.test(runtime) ? undefined : runtimes.find(([, name]) => name.test(runtime))?.[0]);

/** What a row's words for its weights mean to each runtime. */
const encodings = {
  'llama.cpp': [
    [
      /^(?:gguf )?(?:ud-)?(i?q\d[a-z0-9_]*|bf16|f16|mxfp4)/i,
      (type) => `gguf-${type.toLowerCase().replace(/_xl$/, '_m').replace('mxfp4', 'mxfp4_moe')}`,
    ],
    [/^fp16|^float16/i, () => 'gguf-f16'],
  ],
  mlx: [
    [/^(\d)[- ]?bit(?:.*g(\d+))?/i, (bits, group) => `mlx-${bits}bit-${group ?? 64}g`],
    [/^bf16/i, () => 'bf16'],
  ],
  other: [
    [/^bf16|^bfloat16/i, () => 'bf16'],
    [/^(fp16|float16|f16)/i, () => 'fp16'],
    [/^(fp32|float32)/i, () => 'fp32'],
    [/^fp8-dynamic/i, () => 'fp8-channel'],
    [/^fp8$/i, () => 'fp8-tensor'],
    [/^gptq.*(int8|8)/i, () => 'gptq-8bit-128g'],
    [/^gptq.*(int4|4)/i, () => 'gptq-4bit-128g'],
    [/^awq/i, () => 'awq-4bit-128g'],
    [/^nvfp4/i, () => 'nvfp4'],
    [/^mxfp4/i, () => 'mxfp4'],
  ],
};

/** The encoding that a row's `quant` means; undefined where it is none that the runtime runs. */
export function encodingOf(row, runtime) {
  const words = (row.quant ?? '').trim();
  for (const [pattern, id] of encodings[runtime] ?? encodings.other) {
    const found = pattern.exec(words);
    if (!found) continue;
    const name = id(...found.slice(1));
    return presetOf('encodings', name) ? name : undefined;
  }
  return undefined;
}

/** A model by the name that its files have on the hub, less what packed them, or by the row's own. */
export function modelOf({ hf_id: id, model }) {
  for (const name of [id, model]) {
    if (!name) continue;
    const plain = name.replace(/[-_.](gguf|awq|gptq|fp8|nvfp4|mlx|[0-9]bit|int4|int8|dynamic|qat|q\d.*|f16)(?=$|[-_.])/gi, '').replace(/ .*$/, '');
    const found = modelNamed(name) ?? modelNamed(plain) ?? modelNamed(plain.replace(/^[^/]*\//, ''));
    if (found) return found;
  }
  return undefined;
}

const degrees = ({ parallel, devices }) => {
  const { tp = 1, pp = 1 } = parallel ?? {};
  return { tensor: tp, pipeline: pp, devices: devices ?? tp * pp };
};

/** TensorRT-LLM's tables of FP8 were made with a cache in it, too: half of them need more memory than there is without. */
const cacheOf = (runtime, encoding) => (runtime === 'tensorrt-llm' && encoding.startsWith('fp8') ? { kv_encoding: 'fp8' } : {});

/** Tokens of the prompt and of all: what a row says, else the short question that people ask. */
function lengths({ kind, prompt, output, context }) {
  if (kind === 'prefill') return { prompt: Math.max(1, prompt ?? 512), context: Math.max(1, context ?? prompt ?? 512) };
  const before = Math.max(1, prompt || (context && output ? context - output : 1));
  return { prompt: before, context: Math.max(before + 1, before + (output ?? 128)) };
}

/** What was printed, as seconds of the pass that the reply tells. */
function secondsOf(row, { batch, devices, tokens }) {
  if (row.unit === 'ms') return row.value / 1000;
  const all = row.unit === 'tokens/s/device' ? row.value * devices : row.value;
  return row.kind === 'prefill' ? tokens / all : batch / all;
}

/** @returns {{request: object, phase: string, truth: number, group: string} | {reason: string}} */
export function speedCase(row) {
  const runtime = runtimeOf(row);
  if (!runtime) return { reason: 'a runtime that is not known here' };
  if (row.spec_decode || row.suspect) return { reason: 'speculative decoding, or doubted by its collector' };
  const model = modelOf(row);
  if (!model) return { reason: 'a model without a preset' };
  const device = deviceNamed(row.device_in_truth ?? row.device);
  if (!device) return { reason: 'a device without a preset' };
  const encoding = encodingOf(row, runtime);
  if (!encoding) return { reason: 'weights that are not said, or that are stored in no way known here' };
  const batch = row.batch ?? 1;
  const { devices, tensor } = degrees(row);
  const { prompt, context } = lengths(row);
  const time = row.kind === 'prefill' ? 'prefill' : 'token';
  const about = { runtime, device, batch, several: devices > 1, source: row.source, crowd: row.crowd === true };
  const request = {
    task: 'inference',
    time: true,
    explain: 'none',
    model: { preset: model },
    weights: { encoding },
    device: { preset: device },
    inference: { runtime, context, prompt, sequences: batch, ...cacheOf(runtime, encoding) },
    ...(devices > 1 && tensor > 1 && { devices, parallel: { tensor } }),
    ...(devices > 1 && tensor === 1 && { devices }),
  };
  // A rate that counts the prompt's time, too, is no step's: a prefill and so many steps.
  const whole = row.kind === 'decode' && /prefill incl|total time/i.test(row.metric ?? '');
  const answer = context - prompt;
  const counted = /^\(prompt\+generated/.test(row.metric ?? '') ? context : answer;
  if (whole)
    return {
      request,
      phase: 'whole',
      steps: answer,
      truth: (batch * counted) / (row.unit === 'tokens/s/device' ? row.value * devices : row.value),
      ...about,
    };
  return { request, phase: time, truth: secondsOf(row, { batch, devices, tokens: batch * prompt }), ...about };
}
