// @ts-check
// What a log says of which layers and experts lie in the host's memory, where it does not count them.

import { onHost } from './comparing.mjs';

/** @typedef {{made: Record<string, any>, set: (field: string, value: unknown, from: string) => void}} Request */

/** Repetition of what repeats, and many repetitions: expressions that may take long, of which no log is worth it. */
const mayTakeLong = (/** @type {string} */ text) => text.length > 200 || /\)[*+{?]/.test(text) || (text.match(/[*+{]/g) ?? []).length > 4;

/** @param {string} text @returns {RegExp | undefined} */
function expression(text) {
  if (mayTakeLong(text)) return undefined;
  try {
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

/** The layers whose experts a list of `expression=buffer` leaves on the CPU; of a tensor the first that names it decides. @param {readonly string[]} overrides @param {number} layers */
function layersOnHost(overrides, layers) {
  const rules = overrides.map((one) => ({ names: expression(one.slice(0, one.lastIndexOf('='))), buffer: one.slice(one.lastIndexOf('=') + 1) }));
  if (rules.some(({ names }) => names === undefined)) return 0;
  let tensors = 0;
  for (let layer = 0; layer < layers; layer += 1)
    for (const part of ['gate', 'up', 'down']) {
      const rule = rules.find(({ names }) => names?.test(`blk.${layer}.ffn_${part}_exps.weight`));
      if (rule && /^cpu/i.test(rule.buffer)) tensors += 1;
    }
  return Math.round(tensors / 3);
}

/** llama.cpp: experts that patterns or a number of layers leave in the host's memory. @param {Request} request @param {Record<string, any>} settings */
export function byOverrides(request, { override_tensor: first, override_tensors: list, n_cpu_moe: layers, n_layer: all, n_expert: experts }) {
  if (typeof layers === 'number') request.set('inference.offload.experts_on_cpu', layers, 'n_cpu_moe');
  if (typeof first !== 'string' || typeof all !== 'number' || experts === 0) return;
  const overrides = [list ?? first].flat().flatMap((/** @type {unknown} */ one) => String(one).split(','));
  const count = layersOnHost(overrides, Math.min(all, 1000));
  if (count > 0) request.set('inference.offload.experts_on_cpu', count, 'override_tensor');
}

/** What a config.json says where a layer may keep another cache than its neighbour. */
const unlike = ['layer_types', 'sliding_window_pattern', 'full_attention_interval', 'attn_layer_period', 'hybrid_override_pattern'];

/**
 * Layers on the device, where host and device each print their cache: each layer has the same. The output is a layer more, which
 * the request counts among them.
 * @param {Request} request @param {readonly import('./comparing.mjs').Figure[]} figures @param {import('./requesting.mjs').Catalog} catalog
 */
export function byCache(request, figures, { models }) {
  const { config } = models.find(({ id }) => id === request.made['model']?.preset) ?? {};
  const text = /** @type {Record<string, any>} */ (config?.['text_config'] ?? config ?? {});
  const layers = text['num_hidden_layers'];
  const windowed = text['sliding_window'] && text['use_sliding_window'] !== false;
  if (typeof layers !== 'number' || windowed || unlike.some((name) => text[name] !== undefined)) return;
  const caches = figures.filter(({ counter, estimate, restated }) => counter === 'kv_cache' && !estimate && !restated);
  const sum = (/** @type {boolean} */ host) => caches.filter(({ device }) => onHost(device) === host).reduce((all, { bytes = 0 }) => all + bytes, 0);
  const [device, host] = [sum(false), sum(true)];
  if (device > 0 && host > 0) request.set('inference.offload.gpu_layers', Math.round((layers * device) / (device + host)) + 1, 'kv_cache');
}
