// What the fuzzer of GGUF headers starts from: `node tests/fuzz/seeds.mjs` writes corpus/gguf. Binary files say nothing to
// a reader; this says what they are.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { gguf, metadata, split, tensors } from '../files/gguf.mjs';

export const folder = join(dirname(fileURLToPath(import.meta.url)), 'corpus', 'gguf');

const small = (options) => gguf(metadata(), tensors(1), options).head;

/** `bytes` with those at `at` replaced. */
function damaged(bytes, at, ...by) {
  const copy = Buffer.from(bytes);
  copy.set(by, at < 0 ? copy.length + at : at);
  return copy;
}

// One block is enough for a family whose layers are alike; a number per layer needs some.
const perLayer = (architecture, more) =>
  gguf({
    'general.architecture': architecture,
    [`${architecture}.block_count`]: 4,
    [`${architecture}.embedding_length`]: 256,
    [`${architecture}.feed_forward_length`]: [0, 512, 0, 512],
    [`${architecture}.attention.head_count`]: [0, 4, 0, 4],
    [`${architecture}.attention.head_count_kv`]: [0, 2, 0, 2],
    [`${architecture}.vocab_size`]: 1000,
    ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`${architecture}.${key}`, value])),
  }).head;

const stateSpace = { 'ssm.inner_size': 512, 'ssm.state_size': 16, 'ssm.conv_kernel': 4, 'ssm.time_step_rank': 8, 'ssm.group_count': 2 };
const latent = {
  'attention.key_length_mla': 48,
  'attention.value_length_mla': 32,
  'attention.kv_lora_rank': 64,
  'attention.q_lora_rank': 96,
  'rope.dimension_count': 16,
  expert_count: 8,
  expert_used_count: 2,
  expert_feed_forward_length: 128,
  leading_dense_block_count: 1,
  nextn_predict_layers: 1,
};

/** Families with a rule of their own, which any numbers may meet. */
const others = [
  'falcon',
  'falcon-h1',
  'mamba',
  'mamba2',
  'mpt',
  'baichuan',
  'granitehybrid',
  'minimax-01',
  'lfm2',
  'bert',
  't5',
  'gpt2',
  'bailingmoe2',
  'exaone4',
  'gemma3n',
  'gemma4',
];

/** Files by name: whole ones, and such as are wrong in one place. @returns {Record<string, Buffer>} */
export function seeds() {
  const whole = small();
  const [first, second] = Object.values(split()).map(({ head }) => head);
  return {
    v1: small({ version: 1 }),
    v2: small({ version: 2 }),
    v3: whole,
    'v1-big-endian': small({ version: 1, bigEndian: true }),
    'v3-big-endian': small({ bigEndian: true }),
    'split-first': first,
    'split-second': second,
    mmproj: gguf(
      { 'general.architecture': 'clip', 'general.type': 'mmproj', 'clip.has_vision_encoder': true, 'clip.vision.block_count': 1 },
      { 'v.blk.0.attn_q.weight': [[64, 64], 'F16'], 'mm.0.weight': [[64, 256], 'F16'] },
    ).head,
    lora: gguf(
      { 'general.architecture': 'llama', 'general.type': 'adapter', 'adapter.type': 'lora', 'adapter.lora.alpha': 16.5 },
      { 'blk.0.attn_q.weight.lora_a': [[256, 8], 'F32'], 'blk.0.attn_q.weight.lora_b': [[8, 256], 'F32'] },
    ).head,
    deepseek2: perLayer('deepseek2', { 'attention.head_count': 4, 'attention.head_count_kv': 1, feed_forward_length: 512, ...latent }),
    nemotron_h: perLayer('nemotron_h', stateSpace),
    jamba: perLayer('jamba', { ...stateSpace, expert_count: 4, expert_used_count: 2 }),
    deci: perLayer('deci', {}),
    qwen35moe: perLayer('qwen35moe', { ...stateSpace, full_attention_interval: 2, expert_count: 4, expert_used_count: 2 }),
    gemma3: perLayer('gemma3', { 'attention.sliding_window': 512, 'attention.sliding_window_pattern': [true, true, true, false] }),
    unknown: perLayer('unheard_of', {}),
    ...Object.fromEntries(others.map((name) => [name, perLayer(name, { ...stateSpace, 'attention.head_count': 4, expert_count: 2 })])),
    'cut-short': whole.subarray(0, whole.length - 40),
    'version-9': damaged(whole, 4, 9),
    'many-tensors': damaged(whole, 8, 255, 255, 255, 255, 255, 255, 255, 127),
    'many-keys': damaged(whole, 16, 255, 255, 255, 255),
    'long-key': damaged(whole, 24, 255, 255, 255, 255, 255, 255, 255, 255),
    'unknown-type': damaged(whole, -12, 77),
    'not-aligned': damaged(whole, -8, 1),
    'beyond-the-file': damaged(whole, -3, 255, 255),
    'no-key': damaged(gguf({ 'general.alignment': 32 }).head, -4, 0),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(seeds())) writeFileSync(join(folder, `${name}.gguf`), bytes);
}
