// @ts-check
// Settings of a log become a request: each field with the setting that it came from. What a log does not say is left open.

import { encodingNamed, ggufEncoding, modelNamed, modelShaped } from './naming.mjs';
import { byCache, byOverrides } from './offloading.mjs';
import { ofTraining, trainers } from './training.mjs';

/**
 * @typedef {{models: readonly import('./naming.mjs').Named[], encodings: readonly string[]}} Catalog
 * @typedef {Record<string, any>} Settings
 * @typedef {{tool: string | null, version: string | null, settings: Settings, figures: readonly any[]}} Read
 * @typedef {{field: string, value: unknown, from: string}} Stated
 */

const runtimes = {
  vllm: 'vllm',
  sglang: 'sglang',
  'tensorrt-llm': 'tensorrt-llm',
  'llama.cpp': 'llama.cpp',
  ollama: 'ollama',
  'ollama-ps': 'ollama',
  'lm-studio': 'lm-studio',
  mlx: 'mlx',
};

/** Fields that are a setting's value as it stands: the first setting that is there counts. */
const plain = {
  'inference.context': ['max_model_len', 'n_ctx', 'context', 'max_seq_len', 'arg_ctx'],
  'inference.batch_tokens': ['max_num_batched_tokens', 'n_ubatch', 'arg_ubatch', 'chunked_prefill_size', 'max_num_tokens'],
  'inference.sequences_at_once': ['max_num_seqs', 'max_running_requests', 'max_num_requests'],
  'inference.memory_fraction': ['gpu_memory_utilization', 'mem_fraction_static', 'free_gpu_memory_fraction'],
  'inference.offload.gpu_layers': ['layers_offloaded', 'n_gpu_layers'],
  'parallel.tensor': ['tensor_parallel_size', 'tp_size'],
  'parallel.pipeline': ['pipeline_parallel_size', 'pp_size'],
};

const switches = { on: true, enabled: true, off: false, disabled: false, 1: true, 0: false };

/** @param {any} target @param {string} path @param {unknown} value */
function put(target, path, value) {
  const names = path.split('.');
  const last = /** @type {string} */ (names.pop());
  let at = target;
  for (const name of names) at = at[name] ??= {};
  at[last] = value;
}

class Request {
  /** @type {Record<string, any>} */
  made = { schema: 1, task: 'inference' };
  /** @type {Stated[]} */
  stated = [];

  /** @param {string} field @param {unknown} value @param {string} from */
  set(field, value, from) {
    if (value === undefined || this.stated.some((one) => one.field === field)) return;
    put(this.made, field, value);
    this.stated.push({ field, value, from });
  }
}

/** @param {Request} request @param {Settings} settings @param {Catalog} catalog */
function model(request, settings, { models }) {
  for (const from of ['model', 'model_name', 'model_file']) request.set('model.preset', modelNamed(settings[from], models), from);
  request.set('model.preset', modelShaped(settings, models), 'n_layer');
}

/** @param {Request} request @param {Read} read @param {Catalog} catalog */
function weights(request, { tool, settings }, { encodings }) {
  for (const from of ['ftype', 'file_type']) request.set('weights.encoding', ggufEncoding(settings[from], encodings), from);
  // mlx-community names a conversion by its bits; mlx-lm's own groups are of 64.
  const bits = /(\d)-?bit/i.exec(String(settings.model))?.[1];
  if (tool === 'mlx' && bits)
    request.set(
      'weights.encoding',
      [`mlx-${bits}bit-64g`].find((id) => encodings.includes(id)),
      'model',
    );
  // A quantization that is not known is no reason to take the type of the rest for that of the weights; SGLang's line of the
  // type says nothing of a checkpoint that is packed already.
  const from = settings.quantization === undefined && tool !== 'sglang' ? 'dtype' : 'quantization';
  request.set('weights.encoding', encodingNamed(settings[from], encodings), from);
}

/** The kernel of MXFP4 experts as vLLM calls it: `Marlin`, since 0.19 `MARLIN`. @param {Request} request @param {Settings} settings */
function kernel(request, { mxfp4_kernel: name }) {
  const known = ['marlin', 'triton'].find((one) => one === String(name).toLowerCase());
  if (request.made.weights?.encoding === 'mxfp4') request.set('weights.kernel', known, 'mxfp4_kernel');
}

/** @param {Request} request @param {Settings} settings @param {Catalog} catalog */
function cache(request, settings, { encodings }) {
  const key = ['kv_type_k', 'arg_cache_type_k'].find((name) => settings[name] !== undefined);
  const value = ['kv_type_v', 'arg_cache_type_v'].find((name) => settings[name] !== undefined);
  // A cache of latents has one type.
  const [k, v] = [key, value ?? key].map((name) => name && ggufEncoding(settings[name], encodings));
  if (k && v) request.set('inference.kv_encoding', { k, v }, /** @type {string} */ (key));
  for (const from of ['kv_cache_dtype', 'kv_dtype']) request.set('inference.kv_encoding', encodingNamed(settings[from], encodings), from);
}

const backends = { CUDA: 'cuda', ROCm: 'rocm', HIP: 'rocm', Vulkan: 'vulkan', Metal: 'metal', MTL: 'metal' };

/** Releases, and what llama.cpp's buffers say of where they are. @param {Request} request @param {Read} read */
function build(request, { tool, version, settings, figures }) {
  const number = /^(\d+)/.exec(version ?? '')?.[1];
  // The fork counts its builds anew.
  if (tool === 'llama.cpp' && Number(number) > 0 && settings.mla_attn === undefined) request.set('inference.release', `b${number}`, 'version');
  // A build before a release has what that release has.
  const release = /^(\d+\.\d+\.\d+)(?=$|rc|\.dev|\+)/.exec(version ?? '')?.[1];
  if (tool === 'vllm' && release) request.set('inference.release', release, 'version');
  if (tool !== 'llama.cpp') return;
  const buffers = figures.filter(({ counter, device: name }) => /_buffer$/.test(counter) && typeof name === 'string');
  const names = buffers.map(({ device: name }) => /^[A-Za-z]+/.exec(name)?.[0]);
  const backend = Object.entries(backends).find(([name]) => names.includes(name));
  if (backend) request.set('inference.backend', backend[1], 'device');
  if (names.length > 0 && names.every((name) => name === 'CPU')) {
    request.set('inference.backend', 'cpu', 'device');
    request.set('inference.offload.gpu_layers', 0, 'device');
  }
  // The fork ik_llama.cpp, which alone prints this, plans its graph for the logits of a whole batch.
  if (settings.mla_attn !== undefined) request.set('inference.logits', 'all', 'mla_attn');
  const weighed = buffers.filter(({ counter }) => counter === 'model_buffer');
  if (weighed.length > 0 && weighed.every(({ device: name }) => /^CPU/.test(name))) request.set('inference.offload.gpu_layers', 0, 'model_buffer');
}

/** llama.cpp's n_ctx is shared out among its sequences, unless all share one cache. @param {Request} request @param {Settings} settings */
function sequences(request, { n_seq_max, n_parallel, n_ctx, kv_unified: unified }) {
  const count = n_seq_max ?? n_parallel;
  if (!(count > 1)) return;
  request.set('inference.sequences', count, n_seq_max === undefined ? 'n_parallel' : 'n_seq_max');
  if (unified === true) request.set('inference.kv_unified', true, 'kv_unified');
  else if (typeof n_ctx === 'number') request.set('inference.context', Math.floor(n_ctx / count), 'n_ctx');
}

/** @param {Request} request @param {Read} read */
function device(request, { figures, settings }) {
  const total = figures.find(({ counter, bytes, device: name }) => counter === 'device_total' && bytes > 2 ** 30 && !/cpu|all/i.test(String(name)));
  if (total) request.set('device.memory_bytes', total.bytes, 'device_total');
  const count = (request.made.parallel?.tensor ?? 1) * (request.made.parallel?.pipeline ?? 1);
  // A worker of a TPU sums over its own chips: those that it divides the model among, where it is alone.
  const sum = figures.find(({ counter }) => counter === 'total_of_chips');
  const chips = settings.num_chips ?? count;
  if (sum && chips === count) request.set('device.memory_bytes', Math.round(sum.bytes / chips), 'total_of_chips');
  if (count > 1) request.set('devices', count, 'tensor_parallel_size');
  else if (
    Array.isArray(settings.devices) &&
    settings.devices.length > 1 &&
    runtimes[/** @type {keyof typeof runtimes} */ (request.made.inference?.runtime)]
  )
    request.set('devices', settings.devices.length, 'devices');
}

/** Of a trainer's log: what was trained, and how, stays open but for what it prints. @param {Request} request @param {Read} read */
function trained(request, read) {
  request.made.task = 'training';
  ofTraining(request, read);
  device(request, read);
  const open = [...(request.made.model ? [] : ['model']), 'training.method'];
  return { request: request.made, stated: request.stated, open };
}

/**
 * The request that a log states, the setting behind each field, and what it leaves open.
 * @param {Read} read @param {Catalog} catalog
 * @returns {{request: Record<string, any>, stated: Stated[], open: string[]}}
 */
export function requested(read, catalog) {
  const { tool, settings } = read;
  const request = new Request();
  request.set('inference.runtime', runtimes[/** @type {keyof typeof runtimes} */ (tool ?? '')], 'tool');
  model(request, settings, catalog);
  if (trainers.includes(tool ?? '')) return trained(request, read);
  weights(request, read, catalog);
  kernel(request, settings);
  build(request, read);
  sequences(request, settings);
  if (tool === 'mlx' && settings.prompt > 0 && settings.generated > 0)
    request.set('inference.context', settings.prompt + settings.generated, 'prompt');
  for (const [field, names] of Object.entries(plain))
    for (const from of names) if (typeof settings[from] === 'number' && settings[from] > 0) request.set(field, settings[from], from);
  cache(request, settings, catalog);
  const flash = settings.flash_attn ?? settings.arg_flash_attn;
  request.set('inference.flash_attention', typeof flash === 'boolean' ? flash : switches[/** @type {keyof typeof switches} */ (flash)], 'flash_attn');
  byOverrides(request, settings);
  if (tool === 'ollama') byCache(request, read.figures, catalog);
  device(request, read);
  const open = ['model', 'weights', 'inference'].filter((name) => request.made[name] === undefined);
  if (request.made.inference && request.made.inference.context === undefined) open.push('inference.context');
  return { request: request.made, stated: request.stated, open };
}
