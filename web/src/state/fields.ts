// Every field of the form in one table. `id` is the field's place in a request, and what an error's `where` names;
// `key` is its name in a link. A field without a value is left out, and the engine says what it assumed.

export type Value = string | number | boolean;

export type Kind =
  | 'count' // whole number typed by hand
  | 'tokens' // count with a slider, 32k understood
  | 'billions' // shown in units of 1e9
  | 'memory' // bytes, shown in the chosen unit
  | 'fraction' // number between 0 and 1
  | 'percent' // 0 to 100, with a slider
  | 'choice' // one of a fixed list
  | 'encoding' // one of presets/encodings
  | 'base' // one of presets/encodings, for a draft model or for what adapters are trained beside
  | 'runtime' // one of presets/runtimes
  | 'optimizer' // one of presets/optimizers
  | 'switch'
  | 'preset' // searchable list
  | 'presets' // several of them, with commas
  | 'json';

export interface Field {
  id: string;
  key: string;
  kind: Kind;
  initial?: Value;
  options?: readonly string[];
  /** May stay empty: the engine's own default then holds. */
  optional?: true;
  /** It takes a list, written here with commas and sent as an array; `or-one`: one alone is sent as it is written. */
  list?: 'always' | 'or-one';
  /** Its place in a request, where that is not its id. */
  path?: string;
}

const typed = (name: string, optional?: true): Field => ({ id: `model.${name}`, key: name, kind: 'count', ...(optional && { optional }) });

const optional = <I extends string, K extends string>(id: I, key: K, kind: Kind) => ({ id, key, kind, optional: true }) as const;

/** How a training is spread over devices: beside what is asked of a runtime, and not mixed up with it. */
const layout = <I extends string>(id: I, key: string, kind: Kind, options?: readonly string[]) =>
  ({ id, key, path: id.slice('training.'.length), kind, optional: true, ...(options && { options }) }) as const;

/** A model beside the one that is trained: which it is. */
const heldModel = <R extends string>(role: R) => optional(`training.models.${role}.model.preset`, role, 'preset');

/** How it is stored. */
const heldWeights = <R extends string>(role: R) => optional(`training.models.${role}.weights.encoding`, `${role}-weights`, 'base');

const residences = ['device', 'cpu', 'nvme'];

export const fields = [
  { id: 'model.preset', key: 'model', kind: 'preset', initial: 'llama-3-8b' },
  { id: 'model.config', key: 'config', kind: 'json' },
  { id: 'model.tensors', key: 'tensors', kind: 'json' },
  { id: 'model.parameters', key: 'parameters', kind: 'billions' },
  typed('hidden_size'),
  typed('num_hidden_layers'),
  typed('num_attention_heads'),
  typed('num_key_value_heads', true),
  typed('head_dim', true),
  typed('intermediate_size'),
  typed('vocab_size'),

  { id: 'device.preset', key: 'device', kind: 'preset', initial: 'rtx-4090', optional: true },
  { id: 'device.memory_bytes', key: 'memory', kind: 'memory' },
  { id: 'device.list', key: 'device-list', kind: 'presets', path: 'device' },

  { id: 'inference.runtime', key: 'runtime', kind: 'runtime', optional: true },
  { id: 'inference.context', key: 'context', kind: 'tokens', optional: true },
  { id: 'inference.sequences', key: 'sequences', kind: 'count', initial: 1 },
  { id: 'weights.encoding', key: 'weights', kind: 'preset', optional: true },
  { id: 'weights.sparsity.kind', key: 'sparsity', kind: 'choice', options: ['unstructured', '2:4', 'structured'], optional: true },
  { id: 'weights.sparsity.of', key: 'pruned', kind: 'choice', initial: 'intermediate', options: ['heads', 'intermediate', 'layers'] },
  { id: 'weights.sparsity.fraction', key: 'sparse', kind: 'fraction', initial: 0.5 },
  { id: 'inference.kv_encoding', key: 'kv', kind: 'encoding', optional: true },
  { id: 'inference.kv_encoding.v', key: 'kv-values', kind: 'encoding', optional: true },

  // What a runtime has of these, its preset says.
  optional('devices', 'devices', 'count'),
  optional('parallel.tensor', 'tensor-parallel', 'count'),
  optional('parallel.pipeline', 'pipeline-parallel', 'count'),
  optional('parallel.data', 'data-parallel', 'count'),
  optional('inference.memory_fraction', 'memory-fraction', 'fraction'),
  optional('inference.sequences_at_once', 'sequences-at-once', 'count'),
  optional('inference.batch_tokens', 'batch-tokens', 'count'),
  optional('inference.prompt', 'prompt', 'count'),
  optional('inference.offload.gpu_layers', 'gpu-layers', 'count'),
  optional('inference.offload.experts_on_cpu', 'experts-on-cpu', 'count'),
  optional('inference.offload.kv_on_host', 'kv-on-host', 'switch'),
  optional('inference.flash_attention', 'flash', 'switch'),
  optional('inference.kv_unified', 'kv-unified', 'switch'),
  optional('inference.swa_full', 'swa-full', 'switch'),
  { id: 'inference.logits', key: 'logits', kind: 'choice', options: ['last', 'all'], optional: true },
  optional('inference.replicas', 'replicas', 'count'),
  optional('parallel.expert', 'expert-parallel', 'count'),
  optional('parallel.context', 'context-parallel', 'count'),
  { id: 'inference.draft.kind', key: 'draft', kind: 'choice', options: ['model', 'eagle', 'eagle3', 'mtp'], optional: true },
  optional('inference.draft.model.preset', 'draft-model', 'preset'),
  optional('inference.draft.weights.encoding', 'draft-weights', 'base'),
  optional('inference.draft.num_speculative_tokens', 'draft-tokens', 'count'),
  optional('inference.lora.max_loras', 'adapters', 'count'),
  optional('inference.lora.max_lora_rank', 'adapter-rank', 'count'),
  optional('inference.images.count', 'images', 'count'),
  optional('inference.images.width', 'image-width', 'count'),
  optional('inference.images.height', 'image-height', 'count'),
  optional('inference.shared_prefix', 'shared-prefix', 'count'),
  optional('inference.beams', 'beams', 'count'),
  { id: 'inference.cache', key: 'cache', kind: 'choice', options: ['dynamic', 'static'], optional: true },
  optional('inference.offload.weights_bytes', 'weights-on-host', 'memory'),
  optional('inference.offload.kv_host_bytes', 'host-cache', 'memory'),

  { id: 'training.method', key: 'method', kind: 'choice', initial: 'full', options: ['full', 'freeze', 'lora', 'dora', 'qlora', 'galore'] },
  {
    id: 'training.objective',
    key: 'objective',
    kind: 'choice',
    initial: 'sft',
    options: ['sft', 'dpo', 'orpo', 'kto', 'reward', 'distill', 'grpo', 'ppo'],
  },
  optional('training.reference_precomputed', 'reference-precomputed', 'switch'),
  {
    id: 'training.divergence',
    key: 'divergence',
    kind: 'choice',
    options: ['jensen_shannon', 'forward', 'reverse', 'hidden_states'],
    optional: true,
  },
  heldModel('teacher'),
  heldWeights('teacher'),
  optional('training.rollout.completion', 'completion', 'count'),
  optional('training.rollout.num_generations', 'generations', 'count'),
  optional('training.beta', 'beta', 'fraction'),
  { id: 'training.rollout.runtime', key: 'rollout', kind: 'choice', options: ['transformers', 'vllm'], optional: true },
  { id: 'training.rollout.sleep', key: 'sleep', kind: 'choice', options: ['none', 'cache', 'all'], optional: true },
  optional('training.rollout.memory_fraction', 'rollout-fraction', 'fraction'),
  optional('training.rollout.tensor', 'rollout-tensor', 'count'),
  optional('training.rollout.sequences', 'answers', 'count'),
  optional('training.rollout.gathers', 'gathers', 'switch'),
  optional('training.rollout.old_log_probabilities', 'old-log-probabilities', 'switch'),
  heldModel('reward'),
  heldWeights('reward'),
  heldModel('critic'),
  { id: 'training.trainable_percent', key: 'trainable', kind: 'percent', initial: 100 },
  optional('training.freeze.trainable_layers', 'trained-layers', 'count'),
  {
    id: 'training.freeze.trainable_modules',
    key: 'trained-modules',
    kind: 'choice',
    options: ['self_attn', 'mlp', 'input_layernorm,post_attention_layernorm'],
    optional: true,
    list: 'always',
  },
  {
    id: 'training.freeze.extra_modules',
    key: 'trained-extra',
    kind: 'choice',
    options: ['embed_tokens', 'norm', 'lm_head', 'embed_tokens,lm_head', 'norm,lm_head'],
    optional: true,
    list: 'always',
  },
  { id: 'training.lora.rank', key: 'rank', kind: 'count', initial: 16 },
  {
    id: 'training.lora.targets',
    key: 'targets',
    kind: 'choice',
    options: ['all-linear', 'q_proj,k_proj,v_proj,o_proj', 'gate_proj,up_proj,down_proj'],
    optional: true,
    list: 'or-one',
  },
  { id: 'training.lora.dropout', key: 'lora-dropout', kind: 'fraction', optional: true },
  {
    id: 'training.lora.modules_to_save',
    key: 'modules',
    kind: 'choice',
    options: ['embed_tokens', 'lm_head', 'embed_tokens,lm_head'],
    optional: true,
    list: 'or-one',
  },
  { id: 'training.lora.encoding', key: 'adapter-type', kind: 'choice', options: ['fp32', 'bf16', 'fp16'], optional: true },
  { id: 'training.lora.kernels', key: 'adapter-kernels', kind: 'choice', options: ['peft', 'fused'], optional: true },
  { id: 'training.lora.init', key: 'adapter-init', kind: 'choice', options: ['default', 'pissa', 'olora'], optional: true },
  { id: 'training.weights', key: 'base', kind: 'base', path: 'weights.encoding', optional: true },
  { id: 'training.galore.rank', key: 'galore-rank', kind: 'count', optional: true },
  {
    id: 'training.precision',
    key: 'precision',
    kind: 'choice',
    optional: true,
    options: ['fp32', 'tf32', 'bf16', 'fp16', 'bf16-mixed', 'fp16-mixed', 'bf16-autocast', 'fp16-autocast', 'fp8-mixed', 'fp8-dynamic'],
  },
  optional('training.optimizer', 'optimizer', 'optimizer'),
  { id: 'training.optimizer_step', key: 'optimizer-step', kind: 'choice', options: ['foreach', 'fused', 'loop', 'foreach-2.0'], optional: true },
  { id: 'training.state_encoding', key: 'state-type', kind: 'choice', options: ['fp32', 'bf16', 'fp16'], optional: true },
  { id: 'training.gradient_encoding', key: 'gradient-type', kind: 'choice', options: ['fp32', 'bf16', 'fp16'], optional: true },
  optional('training.gradients_released', 'gradients-released', 'switch'),
  optional('training.expandable_segments', 'expandable-segments', 'switch'),
  optional('training.lengths.mean', 'mean-length', 'count'),
  optional('training.lengths.deviation', 'length-deviation', 'count'),
  { id: 'training.lengths.longer', key: 'longer', kind: 'choice', options: ['cut', 'left-out'], optional: true },
  { id: 'training.micro_batch', key: 'batch', kind: 'count', initial: 1 },
  { id: 'training.sequence', key: 'sequence', kind: 'tokens', initial: 2048 },
  { id: 'training.accumulation', key: 'accumulation', kind: 'count', initial: 1 },
  { id: 'training.checkpointing', key: 'checkpointing', kind: 'choice', initial: 'none', options: ['none', 'selective', 'selective-op', 'full'] },
  {
    id: 'training.recompute_modules',
    key: 'recompute',
    kind: 'choice',
    options: [
      'core_attn',
      'layernorm',
      'mlp',
      'moe',
      'moe_act',
      'shared_experts',
      'mla_up_proj',
      'mla_up_proj,layernorm,moe_act',
      'core_attn,layernorm,mlp',
    ],
    optional: true,
    list: 'always',
  },
  optional('training.checkpoint_every', 'checkpoint-every', 'count'),
  optional('training.checkpoints_on_host', 'checkpoints-on-host', 'switch'),
  { id: 'training.attention', key: 'attention', kind: 'choice', initial: 'sdpa', options: ['eager', 'sdpa', 'flash'] },
  { id: 'training.mask', key: 'mask', kind: 'choice', options: ['none', 'boolean', 'additive'], optional: true },
  { id: 'training.loss', key: 'loss', kind: 'choice', options: ['full', 'chunked', 'fused', 'cut'], optional: true },
  optional('training.loss_chunks', 'loss-chunks', 'count'),
  optional('training.loss_compiled', 'loss-compiled', 'switch'),
  { id: 'training.norm', key: 'norm', kind: 'choice', options: ['reference', 'fused'], optional: true },
  { id: 'training.experts', key: 'experts', kind: 'choice', options: ['grouped', 'loop'], optional: true },
  { id: 'training.dropout', key: 'dropout', kind: 'fraction', optional: true },

  layout('training.devices', 'train-devices', 'count'),
  layout('training.parallel.framework', 'framework', 'choice', ['ddp', 'deepspeed', 'fsdp', 'fsdp2', 'megatron']),
  layout('training.parallel.zero', 'zero', 'count', ['0', '1', '2', '3']),
  layout('training.parallel.data', 'train-data', 'count'),
  layout('training.parallel.tensor', 'train-tensor', 'count'),
  layout('training.parallel.sequence_parallel', 'sequence-parallel', 'switch'),
  layout('training.parallel.pipeline', 'train-pipeline', 'count'),
  layout('training.parallel.schedule', 'schedule', 'choice', ['gpipe', '1f1b', 'interleaved']),
  layout('training.parallel.first_stage_layers', 'first-stage', 'count'),
  layout('training.parallel.last_stage_layers', 'last-stage', 'count'),
  layout('training.parallel.virtual_stages', 'virtual-stages', 'count'),
  layout('training.parallel.context', 'train-context', 'count'),
  layout('training.parallel.context_kind', 'context-kind', 'choice', ['ring', 'ulysses']),
  layout('training.parallel.expert', 'train-expert', 'count'),
  layout('training.parallel.expert_imbalance', 'expert-imbalance', 'count'),
  layout('training.parallel.shard_group', 'shard-group', 'count'),
  layout('training.parallel.no_sync', 'no-sync', 'switch'),
  layout('training.parallel.gradient_as_bucket_view', 'bucket-view', 'switch'),
  layout('training.parallel.reshard_after_forward', 'reshard', 'switch'),
  layout('training.parallel.ends_apart', 'ends-apart', 'switch'),
  layout('training.parallel.frozen_joined', 'frozen-joined', 'switch'),
  layout('training.parallel.reduce_in_fp32', 'reduce-fp32', 'switch'),
  layout('training.parallel.overlap_communication', 'overlap', 'switch'),
  layout('training.parallel.reduce_bucket', 'reduce-bucket', 'count'),
  layout('training.parallel.prefetch_bucket', 'prefetch-bucket', 'count'),
  layout('training.parallel.live_parameters', 'live-parameters', 'count'),
  layout('training.parallel.reuse_distance', 'reuse-distance', 'count'),
  layout('training.parallel.persistent_parameters', 'persistent-parameters', 'count'),
  layout('training.parallel.sub_group', 'sub-group', 'count'),
  layout('training.parallel.loading', 'loading', 'choice', ['divided', 'whole']),
  layout('training.parallel.backend', 'collectives', 'choice', ['nccl', 'rccl', 'gloo']),
  layout('training.parallel.offload.optimizer', 'offload-optimizer', 'choice', residences),
  layout('training.parallel.offload.parameters', 'offload-parameters', 'choice', residences),
] as const satisfies readonly Field[];

export type FieldId = (typeof fields)[number]['id'];

export const field = (id: FieldId): Field => fields.find((one) => one.id === id) as Field;

/** A field's place in a request. */
export const pathOf = ({ id, path = id }: Field): string => path;

/** The field that an error's `where` speaks of: the longest place it begins with, and of two at one place the task's own. */
export function fieldAt(path = '', task = 'inference'): FieldId | undefined {
  // degrees that do not go together are said where their product is
  const where = path === 'parallel' ? 'devices' : path;
  const taken = (fields as readonly Field[]).filter(({ id, path }) => !path || !id.startsWith('training.') || task === 'training');
  const hits = taken.filter((one) => ['', '.', '['].some((end) => (end ? where.startsWith(pathOf(one) + end) : where === pathOf(one))));
  return hits.sort((a, b) => pathOf(b).length - pathOf(a).length || Number(!a.path) - Number(!b.path))[0]?.id as FieldId | undefined;
}
