// Small models as files: a config.json, safetensors whose tensors are named but need not be there, an index, an adapter.

const bits = { F32: 32, BF16: 16, F16: 16, F8_E4M3: 8 };

/** A llama of two layers. `kv` heads, so that a test may make config and weights disagree. */
export const config = (more = {}) => ({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 64,
  intermediate_size: 128,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  vocab_size: 256,
  tie_word_embeddings: false,
  torch_dtype: 'bfloat16',
  ...more,
});

/** Names and shapes of its tensors. */
export function tensors({
  hidden_size: h,
  intermediate_size: f,
  num_hidden_layers: n,
  num_attention_heads: a,
  num_key_value_heads: k,
  vocab_size: v,
}) {
  const kv = (h / a) * k;
  const layer = (i) => {
    const at = `model.layers.${i}`;
    return {
      [`${at}.input_layernorm.weight`]: [h],
      [`${at}.self_attn.q_proj.weight`]: [h, h],
      [`${at}.self_attn.k_proj.weight`]: [kv, h],
      [`${at}.self_attn.v_proj.weight`]: [kv, h],
      [`${at}.self_attn.o_proj.weight`]: [h, h],
      [`${at}.post_attention_layernorm.weight`]: [h],
      [`${at}.mlp.gate_proj.weight`]: [f, h],
      [`${at}.mlp.up_proj.weight`]: [f, h],
      [`${at}.mlp.down_proj.weight`]: [h, f],
    };
  };
  const layers = Array.from({ length: n }, (_, i) => layer(i));
  return Object.assign({ 'model.embed_tokens.weight': [v, h] }, ...layers, { 'model.norm.weight': [h], 'lm_head.weight': [v, h] });
}

/**
 * The head of a safetensors file (https://github.com/huggingface/safetensors#format), and the size of the whole.
 * @param {Record<string, number[]>} shapes
 * @param {{type?: string, padding?: number}} [options] `padding`: spaces after the JSON, as writers align with
 */
export function safetensors(shapes, { type = 'BF16', padding = 0 } = {}) {
  let at = 0;
  const header = { __metadata__: { format: 'pt' } };
  for (const [name, shape] of Object.entries(shapes)) {
    const bytes = (shape.reduce((product, n) => product * n, 1) * bits[type]) / 8;
    header[name] = { dtype: type, shape, data_offsets: [at, at + bytes] };
    at += bytes;
  }
  const json = Buffer.from(JSON.stringify(header) + ' '.repeat(padding));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const head = Buffer.concat([length, json]);
  return { head, size: head.length + at };
}

/** As `safetensors`, the weights too: zeros. */
export function wholeFile(shapes, options) {
  const { head, size } = safetensors(shapes, options);
  return Buffer.concat([head, Buffer.alloc(size - head.length)]);
}

/** A checkpoint in shards with its index: `{name: {head, size}}`. */
export function sharded(shapes, count = 2, options = {}) {
  const names = Object.keys(shapes);
  const shards = Array.from({ length: count }, () => ({}));
  names.forEach((name, i) => (shards[Math.floor((i * count) / names.length)][name] = shapes[name]));
  const digits = (n) => String(n).padStart(5, '0');
  const fileOf = (i) => `model-${digits(i + 1)}-of-${digits(count)}.safetensors`;
  const weight_map = Object.fromEntries(shards.flatMap((shard, i) => Object.keys(shard).map((name) => [name, fileOf(i)])));
  const total_size = Object.values(shapes).reduce((sum, shape) => sum + shape.reduce((p, n) => p * n, 1) * (bits[options.type ?? 'BF16'] / 8), 0);
  const index = Buffer.from(JSON.stringify({ metadata: { total_size }, weight_map }, null, 2));
  return {
    'model.safetensors.index.json': { head: index, size: index.length },
    ...Object.fromEntries(shards.map((shard, i) => [fileOf(i), safetensors(shard, options)])),
  };
}

export const adapterConfig = (more = {}) => ({
  peft_type: 'LORA',
  base_model_name_or_path: 'someone/small-llama',
  r: 12,
  lora_alpha: 24,
  lora_dropout: 0.05,
  target_modules: ['q_proj', 'v_proj'],
  task_type: 'CAUSAL_LM',
  ...more,
});
