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
  'parallel.zero': ['zero_stage'],
};

/**
 * @param {{set: (field: string, value: unknown, from: string) => void}} request
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
}
