// The short forms of `plimsoll estimate`: one line per option, saying which field of the request it sets and how it is read.
// Parsing, --help and "did you mean" all come from this table.

import { units } from '../output/units.mjs';

/** @typedef {{name: string, field?: string, read?: string, value?: string, help: string, task?: string}} Option `task`: what it is said of */

/** Where else files may lie: asked for by name, and no other request ever leaves. @type {Option[]} */
export const hubOptions = [
  {
    name: 'hub',
    value: 'ORG/NAME',
    help: "fetch the files' headers from huggingface.co (HF_ENDPOINT names another server); ORG/NAME:Q4_K_M is one of its GGUFs",
  },
  { name: 'token-env', value: 'NAME', help: 'the environment variable that holds a token, for gated models' },
];

/** @type {{title: string, options: Option[]}[]} */
export const requestOptions = [
  {
    title: 'Model',
    options: [
      { name: 'model', value: 'ID|FILE', help: 'a preset (plimsoll list models), a config.json, *.safetensors, *.gguf, its address, or a folder' },
      ...hubOptions,
      { name: 'parameters', field: 'model.parameters', read: 'parameters', value: '70b', help: 'typed by hand, with the fields below' },
      { name: 'hidden-size', field: 'model.hidden_size', read: 'number', value: 'N', help: 'width of the residual stream' },
      { name: 'layers', field: 'model.num_hidden_layers', read: 'number', value: 'N', help: 'layers' },
      { name: 'heads', field: 'model.num_attention_heads', read: 'number', value: 'N', help: 'attention heads' },
      { name: 'kv-heads', field: 'model.num_key_value_heads', read: 'number', value: 'N', help: 'key and value heads' },
      { name: 'head-dim', field: 'model.head_dim', read: 'number', value: 'N', help: 'width of one head' },
      { name: 'intermediate-size', field: 'model.intermediate_size', read: 'number', value: 'N', help: 'width of the feed-forward layer' },
      { name: 'vocab-size', field: 'model.vocab_size', read: 'number', value: 'N', help: 'rows of the embedding' },
      { name: 'weights', field: 'weights.encoding', value: 'ID', help: 'encoding of the weights (plimsoll list encodings)' },
    ],
  },
  {
    title: 'Device',
    options: [
      { name: 'device', field: 'device.preset', value: 'ID', help: 'a preset (plimsoll list devices)' },
      { name: 'memory', field: 'device.memory_bytes', read: 'bytes', value: '80GiB', help: 'memory of a device typed by hand' },
      { name: 'used-by-others', field: 'device.used_by_others_bytes', read: 'bytes', value: '1GiB', help: 'memory that other programs hold' },
      { name: 'devices', field: 'devices', read: 'number', value: 'N', help: 'how many of them' },
      { name: 'data-parallel', field: 'parallel.data', read: 'number', value: 'N', help: 'data-parallel replicas' },
      { name: 'tensor-parallel', field: 'parallel.tensor', read: 'number', value: 'N', help: 'tensor-parallel ranks' },
      { name: 'pipeline-parallel', field: 'parallel.pipeline', read: 'number', value: 'N', help: 'pipeline stages' },
      { name: 'context-parallel', field: 'parallel.context', read: 'number', value: 'N', help: 'context-parallel ranks' },
      { name: 'expert-parallel', field: 'parallel.expert', read: 'number', value: 'N', help: 'expert-parallel ranks' },
      { name: 'zero', field: 'parallel.zero', read: 'number', value: '0-3', help: 'ZeRO stage' },
    ],
  },
  {
    title: 'Inference',
    options: [
      { name: 'runtime', field: 'inference.runtime', value: 'ID', help: 'what serves the model (plimsoll list runtimes)' },
      { name: 'backend', field: 'inference.backend', value: 'ID', help: 'cuda, rocm, vulkan, metal, cpu' },
      { name: 'context', field: 'inference.context', read: 'tokens', value: '32k', help: 'tokens of one sequence, prompt and answer together' },
      { name: 'prompt', field: 'inference.prompt', read: 'tokens', value: '4k', help: 'tokens of the prompt, computed in one go' },
      { name: 'sequences', field: 'inference.sequences', read: 'number', value: 'N', help: 'sequences held at once' },
      { name: 'replicas', field: 'inference.replicas', read: 'number', value: 'N', help: 'whole instances, each with its own weights' },
      { name: 'batch-tokens', field: 'inference.batch_tokens', read: 'tokens', value: '2k', help: 'tokens computed at once' },
      { name: 'kv-encoding', field: 'inference.kv_encoding', value: 'ID', help: 'encoding of keys and values' },
      { name: 'flash-attention', field: 'inference.flash_attention', read: 'switch', help: 'fused attention (--no-flash-attention: without)' },
      { name: 'logits', field: 'inference.logits', value: 'all|last', help: 'tokens whose logits are kept' },
      {
        name: 'memory-fraction',
        field: 'inference.memory_fraction',
        read: 'number',
        value: '0.9',
        help: 'the part of the device that the runtime claims',
      },
      { name: 'gpu-layers', field: 'inference.offload.gpu_layers', read: 'number', value: 'N', help: 'layers on the device' },
      {
        name: 'experts-on-cpu',
        field: 'inference.offload.experts_on_cpu',
        read: 'number',
        value: 'N',
        help: 'layers whose experts stay on the host',
      },
      { name: 'draft', field: 'inference.draft.kind', value: 'ID', help: 'speculative decoding: model, eagle, eagle3, mtp' },
      { name: 'draft-model', field: 'inference.draft.model.preset', value: 'ID', help: 'the draft model' },
      { name: 'draft-tokens', field: 'inference.draft.num_speculative_tokens', read: 'number', value: 'N', help: 'tokens proposed in one step' },
      { name: 'max-loras', field: 'inference.lora.max_loras', read: 'number', value: 'N', help: 'LoRA adapters held at once' },
      { name: 'max-lora-rank', field: 'inference.lora.max_lora_rank', read: 'number', value: 'N', help: 'rank that each has room for' },
      { name: 'shared-prefix', field: 'inference.shared_prefix', read: 'tokens', value: '2k', help: 'tokens with which all sequences begin' },
      { name: 'beams', field: 'inference.beams', read: 'number', value: 'N', help: 'beams of each sequence' },
      { name: 'cache', field: 'inference.cache', value: 'ID', help: 'dynamic, static' },
    ],
  },
  {
    title: 'Training',
    options: [
      { name: 'method', field: 'training.method', value: 'ID', help: 'full, freeze, lora, qlora …' },
      { name: 'objective', field: 'training.objective', value: 'ID', help: 'sft, dpo, orpo, kto, reward, distill, grpo, ppo' },
      { name: 'teacher', field: 'training.models.teacher.model.preset', value: 'ID', help: 'distill: whom it learns from' },
      { name: 'trainable-percent', field: 'training.trainable_percent', read: 'number', value: '0-100', help: 'with freeze and classic' },
      {
        name: 'trainable-layers',
        field: 'training.freeze.trainable_layers',
        read: 'number',
        value: 'N',
        help: 'freeze: the last N; negative: the first',
      },
      { name: 'trainable-modules', field: 'training.freeze.trainable_modules', read: 'list', value: 'self_attn,mlp', help: 'of these layers' },
      { name: 'extra-modules', field: 'training.freeze.extra_modules', read: 'list', value: 'lm_head', help: 'beside the layers' },
      { name: 'lora-rank', field: 'training.lora.rank', read: 'number', value: 'N', help: 'rank of the adapters' },
      { name: 'lora-targets', field: 'training.lora.targets', read: 'list', value: 'q_proj,v_proj', help: 'modules that get an adapter' },
      {
        name: 'precision',
        field: 'training.precision',
        value: 'ID',
        help: 'fp32, tf32, bf16, fp16, bf16-mixed, fp16-mixed, bf16-autocast, fp16-autocast, fp8-mixed, fp8-dynamic',
      },
      { name: 'state-encoding', field: 'training.state_encoding', value: 'ID', help: "of optimizer states; default: the parameters'" },
      { name: 'gradient-encoding', field: 'training.gradient_encoding', value: 'ID', help: "default: the precision's" },
      { name: 'optimizer', field: 'training.optimizer', value: 'ID', help: 'plimsoll list optimizers' },
      { name: 'micro-batch', field: 'training.micro_batch', read: 'number', value: 'N', help: 'sequences of one forward pass' },
      { name: 'sequence', field: 'training.sequence', read: 'tokens', value: '4k', help: 'tokens of one sequence' },
      { name: 'mean-length', field: 'training.lengths.mean', read: 'tokens', value: '1k', help: 'lengths vary: tokens of a sample on average' },
      { name: 'length-deviation', field: 'training.lengths.deviation', read: 'number', value: 'N', help: 'their standard deviation' },
      { name: 'longer', field: 'training.lengths.longer', value: 'ID', help: 'samples longer than the sequence: cut, left-out' },
      { name: 'accumulation', field: 'training.accumulation', read: 'number', value: 'N', help: 'micro-batches of one step' },
      { name: 'checkpointing', field: 'training.checkpointing', value: 'ID', help: 'none, selective, selective-op, full' },
      { name: 'lora-kernels', field: 'training.lora.kernels', value: 'ID', help: 'peft, fused (as Unsloth has them)' },
      { name: 'lora-init', field: 'training.lora.init', value: 'ID', help: 'default, pissa, olora' },
      { name: 'mask', field: 'training.mask', value: 'ID', help: 'none, boolean, additive: of packed or padded samples' },
      { name: 'attention', field: 'training.attention', value: 'ID', help: 'eager, sdpa, flash' },
      { name: 'dropout', field: 'training.dropout', read: 'number', value: '0.1', help: 'probability; 0 where there is none' },
      { name: 'norm', field: 'training.norm', value: 'ID', help: 'reference, fused' },
      { name: 'repeat-kv', field: 'training.repeat_kv', read: 'switch', help: 'grouped keys and values copied out to all heads' },
      { name: 'loss', field: 'training.loss', value: 'ID', help: 'full, chunked, fused, cut' },
      {
        name: 'recompute-modules',
        field: 'training.recompute_modules',
        read: 'list',
        value: 'mlp,moe',
        help: 'what selective checkpointing runs anew',
      },
    ],
  },
  {
    title: 'Training on answers of its own (objective grpo or ppo)',
    options: [
      { name: 'completion', field: 'training.rollout.completion', read: 'tokens', value: '1k', help: 'tokens of an answer; the rest is the prompt' },
      { name: 'num-generations', field: 'training.rollout.num_generations', read: 'number', value: 'N', help: 'answers to each prompt' },
      { name: 'rollout', field: 'training.rollout.runtime', value: 'ID', help: 'what generates: transformers, vllm' },
      { name: 'rollout-fraction', field: 'training.rollout.memory_fraction', read: 'number', value: '0-1', help: "vLLM's share of the device" },
      { name: 'rollout-tensor', field: 'training.rollout.tensor', read: 'number', value: 'N', help: 'devices of one vLLM engine' },
      { name: 'sleep', field: 'training.rollout.sleep', value: 'ID', help: 'vLLM while it trains: none, cache, all' },
      { name: 'beta', field: 'training.beta', read: 'number', value: 'X', help: 'above 0: held against a reference' },
      { name: 'reward-model', field: 'training.models.reward.model.preset', value: 'ID', help: 'what judges the answers' },
      { name: 'critic-model', field: 'training.models.critic.model.preset', value: 'ID', help: "ppo: default one of the policy's architecture" },
    ],
  },
  {
    title: 'Training on several devices',
    options: [
      { name: 'framework', field: 'parallel.framework', value: 'ID', help: 'who divides: ddp, deepspeed, fsdp, fsdp2, megatron' },
      { name: 'shard-group', field: 'parallel.shard_group', read: 'number', value: 'N', help: 'copies that share what is divided (hybrid sharding)' },
      {
        name: 'sequence-parallel',
        field: 'parallel.sequence_parallel',
        read: 'switch',
        help: 'with tensor parallelism: tokens shared between products',
      },
      { name: 'context-kind', field: 'parallel.context_kind', value: 'ID', help: 'how a sequence is shared: ring, ulysses' },
      { name: 'schedule', field: 'parallel.schedule', value: 'ID', help: 'of a pipeline: gpipe, 1f1b, interleaved' },
      { name: 'virtual-stages', field: 'parallel.virtual_stages', read: 'number', value: 'N', help: 'parts of the model that each stage has' },
      { name: 'first-stage-layers', field: 'parallel.first_stage_layers', read: 'number', value: 'N', help: 'layers of the first stage' },
      { name: 'last-stage-layers', field: 'parallel.last_stage_layers', read: 'number', value: 'N', help: 'layers of the last stage' },
      {
        name: 'expert-imbalance',
        field: 'parallel.expert_imbalance',
        read: 'number',
        value: 'X',
        help: 'tokens of the fullest expert device over the mean',
      },
      { name: 'loading', field: 'parallel.loading', value: 'ID', help: 'of divided weights: divided, whole' },
      { name: 'collectives', field: 'parallel.backend', value: 'ID', help: 'library of collectives: nccl, rccl, gloo' },
      { name: 'offload-optimizer', field: 'parallel.offload.optimizer', value: 'ID', help: 'where its states lie: device, cpu, nvme' },
      { name: 'offload-parameters', field: 'parallel.offload.parameters', value: 'ID', help: 'where divided weights lie: device, cpu, nvme' },
    ].map((option) => ({ ...option, task: 'training' })),
  },
  {
    title: 'Request',
    options: [
      { name: 'task', field: 'task', value: 'ID', help: 'inference (default), training, classic' },
      { name: 'print-request', read: 'switch', help: 'print the request that the options make, and stop' },
    ],
  },
];

/** How an answer is shown; the same for every command. */
export const outputOptions = [
  { name: 'json', read: 'switch', help: 'one reply a line' },
  { name: 'explain', read: 'switch', help: 'formulas with their values, and where each value comes from' },
  { name: 'unit', value: 'UNIT', help: `${units.join(', ')} (default GiB)` },
  { name: 'help', read: 'switch', help: 'this text' },
];
