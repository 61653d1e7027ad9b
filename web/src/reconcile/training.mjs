// @ts-check
// Settings that a trainer's log states, as fields of a training. Its method is in none of them, and stays open.

/** Tools that train, with the preset whose defaults they have; none of what another tool starts, or of whose defaults nothing is known. */
const presets = /** @type {const} */ ({
  axolotl: 'axolotl',
  'deepspeed-see-memory': 'deepspeed',
  maxtext: undefined,
  megatron: 'megatron-lm',
  'ms-swift': undefined,
  torchtitan: 'torchtitan',
  unsloth: undefined,
});

/** Tools that train: their logs are of no inference. */
export const trainers = Object.keys(presets);

/** Fields that are a setting's value as it stands: the first setting that is there counts. */
const plain = {
  'training.micro_batch': ['micro_batch_size', 'per_device_train_batch_size'],
  'training.accumulation': ['gradient_accumulation_steps'],
  'training.sequence': ['seq_length'],
  devices: ['world_size'],
  'parallel.tensor': ['tensor_model_parallel_size'],
  'parallel.pipeline': ['pipeline_model_parallel_size'],
  'parallel.context': ['context_parallel_size'],
  'parallel.expert': ['expert_model_parallel_size'],
  'parallel.expert_tensor': ['expert_tensor_parallel_size'],
  'parallel.virtual_stages': ['virtual_pipeline_model_parallel_size'],
  'parallel.zero': ['zero_stage'],
  'training.lora.rank': ['lora_r'],
};

/** Megatron-LM's Adam decays weights beside the gradient, as AdamW does. */
const optimizers = { adam: 'adamw', sgd: 'sgd', muon: 'muon', lion: 'lion' };

const between = { p2p: 'ring', a2a: 'ulysses' };

/** @typedef {{set: (field: string, value: unknown, from: string) => void}} Request */

/** Micro-batches of a step: what the whole batch has beyond one of each copy. @param {Request} request @param {Record<string, any>} settings */
function accumulation(request, settings) {
  const degree = (/** @type {string} */ name) => settings[`${name}_parallel_size`] ?? 1;
  const shared = degree('tensor_model') * degree('pipeline_model') * degree('context');
  const copies = settings['data_parallel_size'] ?? settings['world_size'] / shared;
  const steps = settings['global_batch_size'] / (settings['micro_batch_size'] * copies);
  if (Number.isInteger(steps) && steps > 0) request.set('training.accumulation', steps, 'global_batch_size');
}

/** What Megatron-LM's table of arguments says besides. @param {Request} request @param {Record<string, any>} settings */
function ofMegatron(request, settings) {
  accumulation(request, settings);
  // Without tensor parallelism Megatron-LM takes it back.
  if (settings.tensor_model_parallel_size > 1 && typeof settings.sequence_parallel === 'boolean')
    request.set('parallel.sequence_parallel', settings.sequence_parallel, 'sequence_parallel');
  if (typeof settings.use_distributed_optimizer === 'boolean' && !(settings.zero_stage > 0)) {
    request.set('parallel.framework', 'megatron', 'use_distributed_optimizer');
    request.set('parallel.zero', settings.use_distributed_optimizer ? 1 : 0, 'use_distributed_optimizer');
  }
  if (settings.recompute_granularity === 'full') {
    request.set('training.recompute_method', settings.recompute_method, 'recompute_method');
    if (settings.recompute_method) request.set('training.recompute_num_layers', settings.recompute_num_layers, 'recompute_num_layers');
  }
  request.set('training.optimizer', optimizers[/** @type {keyof typeof optimizers} */ (settings.optimizer)], 'optimizer');
  if (settings.context_parallel_size > 1)
    request.set('parallel.context_kind', between[/** @type {keyof typeof between} */ (settings.cp_comm_type)], 'cp_comm_type');
  if (settings.accumulate_allreduce_grads_in_fp32 === true) request.set('training.gradient_encoding', 'fp32', 'accumulate_allreduce_grads_in_fp32');
  if (settings.hidden_dropout === settings.attention_dropout) request.set('training.dropout', settings.hidden_dropout, 'hidden_dropout');
}

/**
 * @param {Request} request
 * @param {{tool: string | null, settings: Record<string, any>}} read
 */
export function ofTraining(request, { tool, settings }) {
  // Megatron-DeepSpeed prints Megatron's arguments, and shards as DeepSpeed does
  const trainer = settings.zero_stage > 0 ? 'deepspeed' : presets[/** @type {keyof typeof presets} */ (tool ?? '')];
  request.set('training.trainer', trainer, settings.zero_stage > 0 ? 'zero_stage' : 'tool');
  for (const [field, names] of Object.entries(plain))
    for (const from of names) if (typeof settings[from] === 'number' && settings[from] > 0) request.set(field, settings[from], from);
  for (const type of ['bf16', 'fp16']) if (settings[type] === true) request.set('training.precision', `${type}-mixed`, type);
  if (settings.checkpoint_activations === true) request.set('training.checkpointing', 'full', 'checkpoint_activations');
  const recomputed = settings.recompute_granularity;
  if (recomputed === 'full' || recomputed === 'selective') request.set('training.checkpointing', recomputed, 'recompute_granularity');
  if (tool === 'megatron') ofMegatron(request, settings);
}
