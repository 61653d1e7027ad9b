// What the list of models shows of a preset. The build makes the site's list of it, a single file its own of its presets, the page the
// entry of the one model chosen.

import type { ModelEntry } from './assets.ts';
import type { ModelPreset } from './wire.d.ts';

/** Names under which families write what a hand-typed model calls by one name. */
const shapeNames: Record<string, string[]> = {
  hidden_size: ['hidden_size', 'n_embd', 'd_model'],
  num_hidden_layers: ['num_hidden_layers', 'n_layer', 'n_layers'],
  num_attention_heads: ['num_attention_heads', 'n_head', 'n_heads'],
  num_key_value_heads: ['num_key_value_heads'],
  head_dim: ['head_dim'],
  intermediate_size: ['intermediate_size', 'n_inner'],
  vocab_size: ['vocab_size'],
};

function shapeOf(config: Record<string, unknown>): Record<string, number> {
  const text = (config['text_config'] as Record<string, unknown> | undefined) ?? config;
  const found = Object.entries(shapeNames).map(([name, spellings]) => [
    name,
    spellings.map((one) => text[one]).find((value) => typeof value === 'number'),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, number>;
}

export function entryOf(model: ModelPreset): ModelEntry {
  const { id, name, family, organization, released, context, parameters, active_parameters: active } = model;
  return {
    id,
    name,
    family,
    organization,
    parameters: parameters.value,
    nominal: model.nominal_parameters,
    shape: shapeOf(model.config),
    ...(model.hugging_face_id !== undefined && { hub: model.hugging_face_id }),
    ...(released !== undefined && { released }),
    ...(context !== undefined && { context }),
    ...(active !== undefined && { active: active.value }),
  };
}
