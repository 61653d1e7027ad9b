// What training tools did at the time of a published run where the run does not say: their own modelling code, loss and defaults. Told apart
// by the source that a row names.

/**
 * @typedef {object} Tool
 * @property {RegExp} source what its rows name as their source
 * @property {(row: object) => object} [defaults] settings that a row may leave out, in a row's own words
 * @property {string} [from] where the defaults were read
 * @property {Record<string, string>} [models] presets of the same shape, for names that no preset has
 * @property {(config: object) => object} [config] lies over the model's config
 * @property {object} [weights] lies over the request's `weights`, where the base is packed
 * @property {(settings: object, row: object) => object} [training] `training` of the request, under what the row says
 * @property {(row: object, config: object) => object} [parallel] lies over the request's `parallel`
 * @property {(row: object, config: object) => object} [alone] lies over the request, where one device runs as many would
 * @property {(settings: object, row: object) => object} [lora] `training.lora`, over what the row says
 */

const chunksOf = (tokens, size) => Math.max(1, Math.ceil(tokens / size));

/** Tokens of a usual sample of Alpaca: what comes before the longest one. */
const usualSample = 200;

/** Whether a model's own code (modeling_qwen.py, modeling_baichuan.py) hands 16-bit logits to the loss, as transformers' never does. */
const leavesLogits = (model) => /^(Qwen-|Baichuan2)/.test(model);

/** The year and month that a row is of: its date, or what stands in the name of the file that it was read in. */
function monthOf({ date, source, where }) {
  const [, year, month] = /(20\d\d)-?(\d\d)/.exec(date ?? `${source} ${where}`) ?? [];
  return `${year}-${month}`;
}

/** @type {Tool[]} */
export const tools = [
  {
    // torchtitan, and torchao's runs of it: embedding and head are units of their own, the head's stays gathered; fused AdamW; RMSNorm in
    // one kernel; logits upcast as a whole. (torchtitan models/llama3/infra/parallelize.py, components/loss.py, components/optimizer.py)
    source: /torchtitan|pytorch\/ao/,
    // The loss is compiled since the spring of 2025.
    training: ({ mode, compile }, row) => ({
      attention: 'flash',
      norm: 'fused',
      optimizer_step: 'fused',
      loss_compiled: (compile === true || /compile/.test(mode)) && monthOf(row) >= '2025-04',
    }),
    parallel: () => ({ ends_apart: true }),
  },
  {
    // XTuner v1: fp32 shards that are reduced in bf16, vocabulary product and loss together in chunks, whose gradients of the matrix nobody
    // upcasts (xtuner/v1/config/fsdp.py, loss/ce_loss.py); embedding, norm and head are units of their own (model/dense/dense.py)
    source: /xtuner.*get_st/i,
    training: () => ({ loss: 'fused', loss_version: '0.5', attention: 'flash' }),
    parallel: () => ({ framework: 'fsdp2', reduce_in_fp32: false, ends_apart: true }),
  },
  {
    // llama-recipes of July 2023: transformers 4.31, whose logits are upcast, cut and returned, with keys and values of all layers, for nobody
    // switched the cache off; the loop held what the model returned until it had what it returned next, and later did not. (utils/train_utils.py)
    source: /llama-cookbook/,
    training: ({ logits, seq }) => ({
      use_cache: true,
      logits_cut: true,
      ...(/held/.test(logits) && { logits_kept: true, previous_tokens: seq, loss_in_model: true }),
    }),
  },
  {
    // Megatron-LM, by itself and under ms-swift: queries, keys and values in one product, Transformer Engine's norms and bias with GELU in one
    // kernel each, a fused Adam. (megatron/core/models/gpt/gpt_layer_specs.py, fusions/fused_bias_gelu.py, optimizer/__init__.py)
    source: /NVIDIA\/Megatron-LM tests|ms-swift examples.*(megatron|mcore)/,
    training: ({ optimizer }, { task }) => ({
      fused_qkv: true,
      norm: 'fused',
      ...(optimizer === 'AdamW' && { optimizer_step: 'fused' }),
      ...(/^full/.test(task) && { precision: 'bf16-mixed' }),
    }),
    // "all linear" means the experts' grouped products, too (ms-swift, megatron/tuners/lora.py: TEGroupedLinear)
    lora: ({ ep, targets }) => ({ encoding: 'bf16', ...(ep && targets === 'all linear' && { targets: ['all-linear', 'experts'] }) }),
  },
  {
    // TRL: adapters of a packed base are cast to bf16, and the Trainer's autocast returns logits in fp32 (trainer/grpo_trainer.py, __init__)
    source: /CoursIA.*vram_probe/,
    lora: () => ({ encoding: 'bf16' }),
  },
  {
    // ms-swift: Trainer in bf16 under DeepSpeed, whose master weights are fp32; its buckets by the model's width (swift/config/zero3.json)
    source: /ms-swift examples/,
    training: (_, { task }) => (/zero/.test(task) ? { precision: 'bf16-mixed' } : {}),
    parallel: (_, { hidden_size: width }) => ({
      reduce_bucket: width ** 2,
      prefetch_bucket: Math.round(0.9 * width ** 2),
      persistent_parameters: 10 * width,
    }),
  },
  {
    // fsdp_qlora train.py: FSDP of the decoder layers and of the adapters in them, everything in bf16; transformers of that time: the last
    // token's logits are cut off by a copy, and the loop holds the outputs
    source: /fsdp_qlora/,
    from: 'fsdp_qlora train.py: defaults',
    defaults: () => ({ dtype: 'bf16', optimizer: 'AdamW', checkpointing: true, targets: 'all linear' }),
    training: () => ({ attention: 'sdpa', logits_kept: true, logits_cut: true }),
    lora: () => ({ encoding: 'bf16' }),
  },
  {
    // litgpt: queries, keys and values in one product, grouped ones copied out to all heads, GELU in one kernel, a vocabulary head of its own;
    // logits in chunks of 128 tokens, which Fabric returns in fp32 and the loop still holds; bitsandbytes 0.41 and 0.42, head packed too.
    // (litgpt lora.py, model.py, finetune/lora.py, utils.py chunked_cross_entropy; Lightning Fabric convert_output, BitsandbytesPrecision)
    source: /litgpt/i,
    config: ({ hidden_act: act }) => ({ ...(/^gelu/.test(act ?? 'gelu') && { hidden_act: 'gelu_pytorch_tanh' }), tie_word_embeddings: false }),
    weights: { packed_head: true },
    training: ({ seq, seq_note: note, quant }) => ({
      previous_tokens: /longest/.test(note) ? Math.min(seq, usualSample) : seq,
      fused_qkv: true,
      repeat_kv: true,
      loss: 'chunked',
      loss_chunks: chunksOf(seq, 128),
      logits_kept: true,
      ...(quant && { frozen_keeps_input: true, dequantised_copies: 2 }), // packed from fp16, used in bf16
    }),
    // sharded recipes checkpoint every layer, reduce gradients with the last micro-batch of an accumulation, and wrap a layer's frozen weights
    // and adapters together (finetune/full.py, lora.py; Fabric FSDPStrategy: use_orig_params)
    defaults: ({ settings }) => (settings.fsdp ? { checkpointing: true, accumulation: 4 } : {}),
    from: 'litgpt finetune/lora.py and full.py: FSDPStrategy, global_batch_size',
    parallel: ({ task }) => ({ no_sync: true, ...(/^lora/.test(task) && { frozen_joined: true }) }),
    lora: ({ dtype }) => ({ encoding: /autocast/.test(dtype) ? 'fp32' : 'bf16' }),
  },
  {
    // torchtune: logits in eight chunks, each upcast by itself; adapters in the model's own type; fused AdamW beside adapters, without a
    // row's word an 8-bit paged one that steps in the backward pass; grouped keys and values copied out to all heads.
    // (recipes/configs/llama3*/*_single_device.yaml, CEWithChunkedOutputLoss; torchtune/modules/attention.py)
    source: /torchtune/,
    from: 'torchtune recipes/configs/llama3_1/8B_*_single_device.yaml, llama3_2/3B_lora_single_device.yaml; longest samples of Alpaca are a little over 1,000 tokens (litgpt, resource-tables.md)',
    defaults: ({ task, model }) => ({
      seq: 1024,
      checkpointing: true,
      ...(/^full/.test(task)
        ? { optimizer: 'PagedAdamW8bit', optimizer_in_bwd: true }
        : { lora_r: /3\.2/.test(model) ? 64 : 8, targets: 'q,v,o,gate,up,down' }),
    }),
    // before August 2024 the loss was one over fp32 logits less the last token's, which the loop held
    training: ({ compile, optimizer_in_bwd: inBackward, loss }, row) => ({
      repeat_kv: true,
      ...(loss === 'full' && monthOf(row) < '2024-08' && { logits_kept: true, logits_cut: true }),
      ...(loss !== 'full' && { loss: 'chunked' }),
      ...(monthOf(row) >= '2024-08' && { loss_compiled: compile === true }),
      // one loss over all logits is given what the model upcast (torchtune/modules/transformer.py, unembed)
      ...(compile === true && loss === 'full' && { logits_returned_in_fp32: true }),
      ...(!inBackward && { optimizer_step: 'fused' }),
    }),
    lora: () => ({ encoding: 'bf16' }),
    // no policy names a type to reduce in; models of 70 billion have their ends sharded apart, full ones (training/_distributed.py,
    // shard_model; recipes/configs/llama3_1/70B_full.yaml, custom_sharded_layers)
    parallel: ({ task, model }) => (/fsdp2/.test(task) ? { reduce_in_fp32: false, ends_apart: /^full/.test(task) && /70B/.test(model) } : {}),
  },
  {
    // ms-swift: transformers before 4.46, and modelling code of models' own: the last token is cut off by a copy; logits are upcast, or the
    // loss is taken of 16-bit ones under the Trainer's autocast (with loss_scale, of what accelerate returned in fp32)
    source: /ms-swift docs\/source(?!_en\/Megatron)/,
    autocast: true,
    training: ({ loss_scale: scaled }, { model }) => ({ logits_cut: true, loss_autocast: !scaled && leavesLogits(model) }),
  },
  {
    // Qwen finetune.py: Trainer with bf16, so that the loss is taken of 16-bit logits under autocast; adapters in fp32; of the base model
    // embedding and head are trained too; AdamW as PyTorch 2.0 had it, which the page names. Q-LoRA beside GPTQ without its kernels, under DeepSpeed ZeRO-2 in fp16, two buckets of 2e8;
    // everything: under ZeRO-3 in bf16, with buckets by the model's width. (finetune.py, finetune/*.sh, finetune/ds_config_zero*.json;
    // modeling_qwen.py; AutoGPTQ qlinear_cuda_old.py; transformers integrations/deepspeed.py)
    source: /QwenLM\/Qwen(?![\d.])/,
    autocast: true,
    training: ({ quant }, { task }) => ({
      ...(quant ? { dequantised_kept: true, gradient_bucket: 4e8 } : {}),
      ...(quant || /^full/.test(task) ? { logits_in_fp32: false } : { loss_autocast: true, logits_cut: true, optimizer_step: 'foreach-2.0' }),
      ...(/^full/.test(task) && { precision: 'bf16-mixed' }),
    }),
    alone: ({ task }, { hidden_size: width }) =>
      /^full/.test(task) && { parallel: { framework: 'deepspeed', zero: 3, ...(width && { reduce_bucket: width ** 2 }) } },
    lora: (_, { task }) => ({ encoding: 'fp32', dropout: 0.05, ...(/emb/.test(task) && { modules_to_save: ['wte', 'lm_head'] }) }),
  },
  {
    // transformers before 4.36 on PyTorch before 2.0: attention is written out, gradients are set to zero, kernels are loaded at once, the
    // library's own AdamW walks the parameters one by one
    source: /docs\/source\/en\/perf_train|model_memory_anatomy/,
    training: ({ optimizer }) => ({
      attention: 'eager',
      gradients_zeroed: true,
      framework: 'CUDA < 11.7 (eager loading)',
      ...(/^AdamW|^Adafactor/.test(optimizer) && { optimizer_step: 'loop' }),
    }),
  },
  {
    // PEFT method_comparison/MetaMathQA/run.py: sequences of up to 768 tokens, filled up to the longest of a batch; the model's 16-bit logits
    // are held through the backward pass
    source: /method_comparison/,
    training: () => ({ logits_kept: true, logits_returned_in_fp32: false }),
  },
  {
    // PEFT README: the examples with T0_3B, mt0-xxl and bloomz-7b1 in fp32, eight samples of 64 tokens
    source: /huggingface\/peft README/,
    from: 'PEFT examples/causal_language_modeling and conditional_generation, peft_lora_*_accelerate_ds_zero3_offload.py',
    models: { 'bloomz-7b1': 'bloom-7b1', 'mt0-xxl': 'mt5-xxl', T0_3B: 'flan-t5-xl' },
    defaults: ({ task }) => ({ seq: 64, micro_batch: 8, dtype: 'fp32', ...(/^lora/.test(task) && { lora_r: 8, lora_dropout: 0.1 }) }),
    training: () => ({ attention: 'eager', optimizer_step: 'loop' }),
  },
  {
    // LLaMA-Factory: Trainer under autocast beside a 16-bit or bitsandbytes base of that time; Unsloth's loss in one kernel
    source: /LLaMA-Factory/i,
    autocast: true,
    from: 'LLaMA-Factory wiki, Performance-comparison: LoRA of rank 8 in all linear layers',
    defaults: () => ({ micro_batch: 1, dtype: 'bf16', checkpointing: true, lora_r: 8, targets: 'all-linear' }),
    training: (settings, row) =>
      /unsloth/i.test(JSON.stringify([row.task, row.where, settings]))
        ? { attention: 'flash', loss_compiled: true, norm: 'fused', checkpoints_on_host: true }
        : { attention: 'flash', frozen_keeps_input: Boolean(settings.quant) },
  },
  {
    // axolotl's examples: the config beside each README; transformers of August 2025 trained gpt-oss's experts one after the other
    // (4.55, GptOssExperts.forward)
    source: /axolotl/,
    from: 'axolotl examples/gpt-oss and examples/llama-3',
    defaults: ({ model, task }) => axolotl(model, task),
    training: (_, { model }) => ({ attention: 'flash', ...(/gpt-oss/.test(model) && { loss: 'fused', checkpoints_on_host: true, experts: 'loop' }) }),
    lora: (_, { model }) => (/llama-3/i.test(model) ? { modules_to_save: ['embed_tokens', 'lm_head'] } : {}),
  },
];

/** gpt-oss-20b-sft-lora-singlegpu.yaml, lora-8b.yml, fft-8b.yaml */
function axolotl(model, task) {
  const lora = /^lora/.test(task);
  const common = { dtype: 'bf16', checkpointing: true, flash: true };
  if (/gpt-oss/.test(model))
    return { ...common, seq: 4096, micro_batch: 1, accumulation: 8, lora_r: 8, targets: 'all-linear', optimizer: 'AdamW8bit torchao' };
  if (lora)
    return {
      ...common,
      seq: 4096,
      micro_batch: 2,
      accumulation: 4,
      lora_r: 32,
      lora_dropout: 0.05,
      targets: 'all-linear',
      quant: 'int8',
      optimizer: 'AdamW8bit',
    };
  return { ...common, seq: 8192, micro_batch: 1, accumulation: 8, optimizer: 'PagedAdamW8bit' };
}

/** @param {object} row @returns {Tool} */
export const toolOf = (row) => tools.find(({ source }) => source.test(`${row.source} ${row.where ?? ''}`)) ?? { source: /./ };
