// Made from presets/schema/ by scripts/wire.mjs: change the schema, not this file.

/**
 * Name of a preset: lower case, digits, dots, dashes and underscores; equal to its file name without .json.
 */
export type PresetId = string;
/**
 * Who says so: one key, or several, of the file's `sources`.
 */
export type From = string | string[];
/**
 * Encodings that one project or standard defines, and that are loaded by the same code.
 */
export type EncodingFamily =
  | 'float'
  | 'integer'
  | 'fp8'
  | 'microscaling'
  | 'smoothquant'
  | 'bitsandbytes'
  | 'gptq'
  | 'awq'
  | 'compressed-tensors'
  | 'torchao'
  | 'hqq'
  | 'exl2'
  | 'exl3'
  | 'mlx'
  | 'gguf';
/**
 * Which model: one of four ways to say it.
 */
export type RequestModel = NamedModel | ConfiguredModel | ListedModel | TypedModel;
/**
 * Name, shape and type of each tensor; beside a preset or a config, the types that its tensors really have.
 */
export type ListedTensors = ListedTensor[];
/**
 * Encoding of the KV cache, or one for keys and one for values. Default: the runtime's.
 */
export type KvEncoding = PresetId | KeyValueEncodings;
/**
 * Tensors that are alive at the step's fullest moment.
 */
export type OptimizerTemporaries = OptimizerTemporary[];
/**
 * The engine's answer to one request: an answer or an error.
 */
export type Reply = Answer | Failure;
/**
 * A stretch of time: load, prefill, decode; or load, forward, loss, backward, step, with _2 for the later micro-batches of an accumulation. Where a model learns of its own answers, rollout and score before these, while they are generated and judged; and the same with critic_ while a critic is trained.
 */
export type Phase =
  | 'load'
  | 'prefill'
  | 'decode'
  | 'forward'
  | 'loss'
  | 'backward'
  | 'step'
  | 'forward_2'
  | 'loss_2'
  | 'backward_2'
  | 'rollout'
  | 'score'
  | 'critic_forward'
  | 'critic_loss'
  | 'critic_backward'
  | 'critic_forward_2'
  | 'critic_loss_2'
  | 'critic_backward_2'
  | 'critic_step';
/**
 * A piece of a formula, in reading order.
 */
export type Token = SymbolToken | RowToken | NumberToken | OperatorToken | UnitToken;
/**
 * The totals of a sweep, or an error.
 */
export type SweepReply = SweepAnswer | Failure;

/**
 * Every form that crosses the wire or lies in presets/, by the name of its schema.
 */
export interface Wire {
  bands: BandsPreset;
  device: DevicePreset;
  encoding: EncodingPreset;
  example: Example;
  model: ModelPreset;
  optimizer: OptimizerPreset;
  reply: Reply;
  request: Request;
  runtime: RuntimePreset;
  sweep: Sweep;
  sweep_reply: SweepReply;
  trainer: TrainerPreset;
  vector: Vector;
}
/**
 * How far answers of one kind may be off, from what measured cases were off: written by ./dev score --calibrate, but for entries that rest on no residual.
 */
export interface BandsPreset {
  /**
   * Which answers: a runtime, a runtime and its backend, training and its method, or a whole task.
   */
  id: string;
  /**
   * By id of row, or by basis: from and to which share of the estimate a row reaches.
   */
  rows: {
    [k: string]: BandShares;
  };
  /**
   * By metric: by what the rows' own bands, in quadrature with the share of the whole, are multiplied below and above the estimate.
   */
  totals: {
    [k: string]: BandShares;
  };
}
export interface BandShares {
  /**
   * Of a row: the share of the estimate that it is at least. Of a total: the factor below.
   */
  low: number;
  /**
   * Of a row: the share of the estimate that it is at most. Of a total: the factor above.
   */
  high: number;
  /**
   * Of a total: the share of all its bytes that it is off, in quadrature with its rows, beside what they are.
   */
  whole?: number;
  /**
   * Measured cases that it rests on.
   */
  residuals: number;
  /**
   * Models among them.
   */
  models?: number;
  /**
   * The part of the cases inside, each foretold from other models' alone.
   */
  coverage?: number;
  /**
   * What it rests on where that is no residual.
   */
  why?: string;
}
/**
 * A GPU or other accelerator: how much memory it has, how fast it is, and who says so.
 */
export interface DevicePreset {
  id: PresetId;
  /**
   * As people call it, without the vendor.
   */
  name: string;
  /**
   * Who makes it.
   */
  vendor: 'nvidia' | 'amd' | 'apple' | 'intel' | 'google' | 'aws' | 'huawei' | 'tenstorrent';
  /**
   * Year of launch.
   */
  year?: number;
  /**
   * Desktop card or laptop part, where the same number names both.
   */
  form_factor?: 'desktop' | 'laptop';
  memory: Size;
  reported_memory?: Size;
  /**
   * The processor and the GPU share this memory. Default: false.
   */
  unified_memory?: boolean;
  usable_fraction?: Fraction;
  /**
   * How many devices software sees; each has an equal share of the memory. Default: 1.
   */
  software_devices?: number;
  bandwidth?: Rate;
  compute?: Compute;
  /**
   * NVIDIA's version number of the architecture (9.0 is Hopper), from the source `huggingface-js` or `nvidia-cuda-gpus`.
   */
  compute_capability?: number;
  /**
   * Links to other devices, as the vendor words it; informative.
   */
  interconnect?: string;
  /**
   * What to know before trusting the figures.
   *
   * @minItems 1
   */
  notes?: string[];
  /**
   * Fields whose value is widely quoted and was not seen in a source.
   *
   * @minItems 1
   */
  unverified?: ('memory' | 'bandwidth' | 'compute.bf16' | 'compute.fp8' | 'compute.int8')[];
  sources: Sources;
}
/**
 * An amount of memory with its provenance.
 */
export interface Size {
  /**
   * The amount, in `unit`.
   */
  value: number;
  /**
   * Lowest amount seen, in `unit`.
   */
  low?: number;
  /**
   * Highest amount seen, in `unit`.
   */
  high?: number;
  /**
   * KiB, MiB and GiB are powers of 1024; GB is 1e9 bytes.
   */
  unit: 'byte' | 'KiB' | 'MiB' | 'GiB' | 'GB';
  from: From;
  /**
   * What to know before using it.
   */
  note?: string;
}
/**
 * A share between 0 and 1, with provenance.
 */
export interface Fraction {
  /**
   * The share, 0 to 1.
   */
  value: number;
  from: From;
  /**
   * What to know before using it.
   */
  note?: string;
}
/**
 * Bytes or operations per second, with provenance.
 */
export interface Rate {
  /**
   * The rate, in `unit`.
   */
  value: number;
  /**
   * Decimal prefixes: 1 GB/s is 1e9 bytes a second, 1 TFLOP/s 1e12 floating-point and 1 TOP/s 1e12 integer operations a second.
   */
  unit: 'GB/s' | 'TFLOP/s' | 'TOP/s';
  from: From;
  /**
   * What to know before using it.
   */
  note?: string;
}
/**
 * Peak dense throughput (without structured sparsity) by number format.
 */
export interface Compute {
  fp16?: Rate;
  bf16?: Rate;
  fp8?: Rate;
  fp4?: Rate;
  int8?: Rate;
}
/**
 * Where the values of this file come from, by the key that `from` names.
 */
export interface Sources {
  [k: string]: Source;
}
/**
 * One place where a value can be read again.
 */
export interface Source {
  /**
   * What it is: repository and path, page title, paper.
   */
  title: string;
  /**
   * Where it is.
   */
  url?: string;
  /**
   * When it was published or read: year, month or day.
   */
  date?: string;
  /**
   * The sentence or figure itself, as printed there.
   */
  quote?: string;
  /**
   * How it was read, or what to beware of.
   */
  note?: string;
}
/**
 * How a number is stored: bits each, and what a group of them shares.
 */
export interface EncodingPreset {
  id: PresetId;
  /**
   * As people write it.
   */
  name: string;
  /**
   * The name in 简体中文, where it has words. Default: `name`.
   */
  name_zh?: string;
  /**
   * Other names for the same encoding, such as PyTorch's.
   *
   * @minItems 1
   */
  aliases?: string[];
  /**
   * Bits of one element, without what its group shares.
   */
  bits: number;
  /**
   * float and integer stand alone; a block shares scales.
   */
  kind: 'float' | 'integer' | 'block';
  family: EncodingFamily;
  /**
   * Fields of one block, or of one value, with all their bits. Default: values, and what `group` and `scale_group` say.
   *
   * @minItems 1
   */
  layout?: EncodingField[];
  /**
   * Models that it is meant for: those with routed experts. Default: all.
   */
  only?: 'experts';
  /**
   * What may be stored this way; blocks are found inside files that other presets describe.
   *
   * @minItems 1
   */
  uses: ('weights' | 'kv' | 'blocks')[];
  group?: EncodingGroup;
  scale_group?: EncodingScaleGroup;
  bits_per?: EncodingBitsPer;
  /**
   * Elements that cannot be stored but together: a row holds whole blocks. Their scales are within `bits`. Default: 1.
   */
  block?: number;
  base?: PresetId;
  /**
   * Policy that names which weights stay wide. Default: none.
   */
  wide?: 'none' | 'beside_linear' | 'beside_linear_and_towers' | 'beside_linear_and_head' | 'beside_matrices' | 'beside_experts' | 'gguf';
  /**
   * A runtime stores it with two of four values left out (2:4): PyTorch's semi-structured tensors, vLLM's gptq_marlin_24 and compressed-tensors. Default: false.
   */
  semi_structured?: boolean;
  beside?: PresetId;
  head?: PresetId;
  description: Text;
  sources: Sources;
}
/**
 * Equal fields, of which each serves an equal share of the block.
 */
export interface EncodingField {
  /**
   * What they hold: block_* stand once for the whole block; an index finds values in a table, a grid_index several at once.
   */
  holds:
    | 'value'
    | 'low_bits'
    | 'high_bits'
    | 'ternary'
    | 'table_index'
    | 'grid_index'
    | 'signs'
    | 'shift'
    | 'scale'
    | 'minimum'
    | 'block_scale'
    | 'block_minimum'
    | 'sign'
    | 'exponent'
    | 'fraction'
    | 'unused';
  /**
   * How many in a block. Default: 1.
   */
  count?: number;
  /**
   * Bits of each.
   */
  bits: number;
}
/**
 * What a group of elements shares. Default: nothing.
 */
export interface EncodingGroup {
  /**
   * Elements of one group.
   */
  elements: number;
  /**
   * Bits of the group's scale.
   */
  scale_bits: number;
  /**
   * Bits of the group's zero point. Default: 0.
   */
  zero_bits?: number;
  /**
   * Outputs that share the scale too: 128 where blocks are 128×128. Default: 1.
   */
  columns?: number;
}
/**
 * Where scales are stored in groups themselves: how many share a further one. Default: nothing.
 */
export interface EncodingScaleGroup {
  /**
   * Elements of one group.
   */
  elements: number;
  /**
   * Bits of the group's scale.
   */
  scale_bits: number;
  /**
   * Bits of the group's zero point. Default: 0.
   */
  zero_bits?: number;
  /**
   * Outputs that share the scale too: 128 where blocks are 128×128. Default: 1.
   */
  columns?: number;
}
/**
 * Bits beside the values of a matrix. Default: none.
 */
export interface EncodingBitsPer {
  /**
   * For each output: a scale per channel.
   */
  output?: number;
  /**
   * For each input: an index of its group.
   */
  input?: number;
  /**
   * Once for each matrix: scales and tables.
   */
  matrix?: number;
}
/**
 * The same text in both languages of the page.
 */
export interface Text {
  /**
   * English.
   */
  en: string;
  /**
   * 简体中文.
   */
  zh: string;
}
/**
 * A claim that an article makes about memory: its figures, ours, and why they differ. Every figure is tested.
 */
export interface Example {
  id: PresetId;
  /**
   * Its place in the list.
   */
  order: number;
  title: Text;
  article: ExampleArticle;
  /**
   * The question that the page opens; null where the claim is plain arithmetic and no request answers it.
   */
  request: Request | null;
  /**
   * The article's figures beside ours.
   *
   * @minItems 1
   */
  compare: ExampleFigure[];
  why: Text;
  sources: Sources;
}
/**
 * Who says what.
 */
export interface ExampleArticle {
  from: From;
  claim: Text;
  /**
   * Its formula, in its own letters.
   */
  formula?: string;
}
/**
 * One question to the engine. What is left out takes the runtime's or the method's own default, and the reply's `assumptions` says so.
 */
export interface Request {
  /**
   * Version of this form. Default: 1.
   */
  schema?: 1;
  /**
   * A field that is not known is passed over, and a note says so: for a request that a newer release wrote. Default: false, it is refused.
   */
  allow_unknown?: boolean;
  /**
   * classic: the hosted calculator's own arithmetic, kept for comparison. Default: training where only a training block is given, else inference.
   */
  task?: 'inference' | 'training' | 'classic';
  /**
   * none: totals; rows: bytes of every row; all: formulas and sources too. Default: rows.
   */
  explain?: 'none' | 'rows' | 'all';
  model: RequestModel;
  weights?: RequestWeights;
  /**
   * Which device; without one there is no verdict.
   */
  device?: RequestDevice | RequestDevice[];
  /**
   * How many of them. Default: as many as the degrees of parallel multiply to.
   */
  devices?: number;
  parallel?: Parallel;
  inference?: Inference;
  training?: Training;
}
/**
 * A built-in model.
 */
export interface NamedModel {
  preset: PresetId;
  tensors?: ListedTensors;
}
/**
 * One tensor of a file.
 */
export interface ListedTensor {
  [k: string]: unknown;
}
/**
 * A model by its config.json.
 */
export interface ConfiguredModel {
  config: HuggingFaceConfig;
  /**
   * What to call it in the reply.
   */
  name?: string;
  tensors?: ListedTensors;
}
/**
 * A Hugging Face config.json as it is; `model_size` in it is parameters in billions, as the hosted calculator writes it.
 */
export interface HuggingFaceConfig {
  [k: string]: unknown;
}
/**
 * A model by its tensors, as `inspect` gives them.
 */
export interface ListedModel {
  tensors: ListedTensors;
}
/**
 * Numbers typed by hand; the reply's `missing` names what the answer leaves out for want of them.
 */
export interface TypedModel {
  /**
   * Parameters, in units.
   */
  parameters?: number;
  /**
   * Parameters in billions, as the hosted calculator writes it.
   */
  model_size?: number;
  /**
   * Width of the residual stream.
   */
  hidden_size?: number;
  /**
   * Layers.
   */
  num_hidden_layers?: number;
  /**
   * Query heads of a layer.
   */
  num_attention_heads?: number;
  /**
   * Key and value heads of a layer. Default: as many as query heads.
   */
  num_key_value_heads?: number;
  /**
   * Width of one head. Default: hidden size over query heads.
   */
  head_dim?: number;
  /**
   * Width inside the feed-forward block.
   */
  intermediate_size?: number;
  /**
   * Rows of the embedding.
   */
  vocab_size?: number;
  /**
   * The head is the embedding again. Default: false.
   */
  tie_word_embeddings?: boolean;
}
/**
 * How the weights are stored. Default: as published; in training, in the precision's type. Beside adapters: what packs them, or, with precision bf16-autocast or fp16-autocast, a type of 16 bits, as transformers' Trainer has it.
 */
export interface RequestWeights {
  encoding?: PresetId;
  /**
   * Beside adapters: the vocabulary head is packed like the layers, where loaders usually leave it in 16 bits. Default: false.
   */
  packed_head?: boolean;
  sparsity?: Sparsity;
}
/**
 * Weights that are zero, or taken out of the model. Default: none.
 */
export interface Sparsity {
  /**
   * unstructured: zeros anywhere, stored like other values; 2:4: two of four values of the linear layers are left out, with 2 bits for each that is kept; structured: a smaller model, as `of` says.
   */
  kind: 'unstructured' | '2:4' | 'structured';
  /**
   * Share that is zero or taken out, 0 to 1. Of 2:4 it is 0.5.
   */
  fraction?: number;
  /**
   * What structured pruning takes out, rounded in favour of what is left. heads: groups of query heads with the key-value head they share, each head keeping its width; intermediate: of the width inside feed-forwards and experts; layers: the last ones.
   */
  of?: 'heads' | 'intermediate' | 'layers';
}
/**
 * A built-in device, or one typed by hand; typed fields override the preset's.
 */
export interface RequestDevice {
  preset?: PresetId;
  /**
   * Memory, in bytes.
   */
  memory_bytes?: number;
  /**
   * Memory bandwidth, in bytes a second.
   */
  bandwidth?: number;
  /**
   * What other processes hold, in bytes. Default: 0.
   */
  used_by_others_bytes?: number;
}
/**
 * How the model is split. What is left out follows from devices and the other degrees (tensor for servers, data for training), and is 1 where nothing does; zero 0.
 */
export interface Parallel {
  /**
   * Copies of the model, each on its own part of the batch.
   */
  data?: number;
  /**
   * Devices that share each matrix.
   */
  tensor?: number;
  /**
   * Stages that share the layers.
   */
  pipeline?: number;
  /**
   * Devices that share each sequence.
   */
  context?: number;
  /**
   * Devices that share the experts.
   */
  expert?: number;
  /**
   * Training: routed tokens of the device whose experts are chosen most, over the mean of all; at most the number of groups. Default: 1, balanced.
   */
  expert_imbalance?: number;
  /**
   * Stage of ZeRO: what the data-parallel copies shard. Default: the framework's. On one device it means something where framework is deepspeed: its own buffers, of which each share is the whole.
   */
  zero?: 0 | 1 | 2 | 3;
  /**
   * Training: who divides what the copies have in common. Default: ddp; deepspeed where a stage is given.
   */
  framework?: 'ddp' | 'deepspeed' | 'fsdp' | 'fsdp2' | 'megatron';
  /**
   * Training, hybrid sharding: copies that share what is divided. Default: all of them.
   */
  shard_group?: number;
  /**
   * Training, how devices that share a sequence attend to all of it. ring: keys and values go round; ulysses: heads are exchanged for tokens. Default: ring.
   */
  context_kind?: 'ring' | 'ulysses';
  /**
   * Training with tensor parallelism: devices share the tokens between the products. Default: false.
   */
  sequence_parallel?: boolean;
  /**
   * Training with a pipeline: layers of its first stage. Default: as many as the others.
   */
  first_stage_layers?: number;
  /**
   * Training with a pipeline: layers of its last stage. Default: as many as the others.
   */
  last_stage_layers?: number;
  /**
   * Training: parts of the model that each pipeline stage has, interleaved. Default: 1.
   */
  virtual_stages?: number;
  /**
   * Training with a pipeline: the order of its micro-batches. Default: 1f1b.
   */
  schedule?: 'gpipe' | '1f1b' | 'interleaved';
  /**
   * Training: micro-batches of an accumulation but the last are not reduced; whole gradients are kept. Default: false.
   */
  no_sync?: boolean;
  /**
   * DistributedDataParallel: gradients lie in the buckets that are reduced. Default: false.
   */
  gradient_as_bucket_view?: boolean;
  /**
   * FSDP: gathered weights are let go of until the backward pass. Default: with zero 3.
   */
  reshard_after_forward?: boolean;
  /**
   * FSDP: embedding and head are units of their own, as torchtitan has them. Default: false.
   */
  ends_apart?: boolean;
  /**
   * FSDP with adapters: the frozen weights of a layer lie in one flat parameter with its adapters, and get gradients as these do. Default: false.
   */
  frozen_joined?: boolean;
  /**
   * FSDP: gradients are summed in fp32. Default: with fsdp2.
   */
  reduce_in_fp32?: boolean;
  /**
   * DeepSpeed: gradients are reduced while others come; before stage 3 in two buckets. Default: with stage 3.
   */
  overlap_communication?: boolean;
  /**
   * DeepSpeed: elements of a bucket. Default: 5e8.
   */
  reduce_bucket?: number;
  /**
   * DeepSpeed, stage 3: elements that are fetched ahead. Default: 5e7.
   */
  prefetch_bucket?: number;
  /**
   * DeepSpeed, stage 3: elements that may be gathered at once. Default: 1e9.
   */
  live_parameters?: number;
  /**
   * DeepSpeed, stage 3: what is needed again before so many other elements stays gathered. Default: 1e9.
   */
  reuse_distance?: number;
  /**
   * DeepSpeed, stage 3: parameters with fewer elements stay whole. Default: 1e5.
   */
  persistent_parameters?: number;
  /**
   * DeepSpeed, stage 3: elements that are stepped at once. Default: 1e9.
   */
  sub_group?: number;
  /**
   * Training: the library that devices communicate by, whose buffers lie outside of the framework's allocator. gloo's tensors go through the host. Default: rccl on AMD's devices, nccl on others.
   */
  backend?: 'nccl' | 'rccl' | 'gloo';
  /**
   * Training with divided weights: what a device has of them before they are divided. divided: its share, as it comes; whole: all, loaded by each process. Default: divided.
   */
  loading?: 'divided' | 'whole';
  offload?: TrainingOffload;
}
/**
 * Training: where state lies while devices do not use it. Default: on the device.
 */
export interface TrainingOffload {
  /**
   * States and master weights.
   */
  optimizer?: 'device' | 'cpu' | 'nvme';
  /**
   * Weights, where they are divided.
   */
  parameters?: 'device' | 'cpu' | 'nvme';
}
/**
 * How the model is run.
 */
export interface Inference {
  runtime?: PresetId;
  /**
   * Where it computes. Default: the device's.
   */
  backend?: 'cuda' | 'rocm' | 'vulkan' | 'metal' | 'cpu';
  /**
   * Tokens that one sequence can hold, prompt and answer together.
   */
  context?: number;
  /**
   * Release of the runtime, such as 4.38 (of llama.cpp a build, such as b5398), where memory differs between them: transformers before 4.45 makes logits of the whole prompt and keeps rotary tables in every layer; since 4.50 it cuts weights out of one block. Default: today's.
   */
  release?: string;
  /**
   * Version of the framework whose device context is meant: one of `device_context[].framework` in the runtime's preset. Default: today's.
   */
  framework?: string;
  /**
   * Tokens of a sequence that one prefill computes. Default: all of the context.
   */
  prompt?: number;
  /**
   * Sequences held at once. Default: 1.
   */
  sequences?: number;
  /**
   * Whole instances, each with its own weights. Default: 1.
   */
  replicas?: number;
  /**
   * Tokens computed at once. Default: the runtime's.
   */
  batch_tokens?: number;
  kv_encoding?: KvEncoding;
  /**
   * Attention without storing its scores. Default: the runtime's.
   */
  flash_attention?: boolean;
  /**
   * The tokens of a batch whose logits are kept. Default: the runtime's.
   */
  logits?: 'all' | 'last';
  /**
   * llama.cpp: one KV stream for all sequences. Default: false.
   */
  kv_unified?: boolean;
  /**
   * llama.cpp: no shortened sliding-window cache. Default: false.
   */
  swa_full?: boolean;
  /**
   * Share of the device that the runtime claims, 0 to 1. Default: the runtime's.
   */
  memory_fraction?: number;
  offload?: Offload;
  draft?: Draft;
  lora?: HeldAdapters;
  images?: Images;
  /**
   * Tokens with which all sequences begin: servers with pages hold their whole pages once. Default: 0.
   */
  shared_prefix?: number;
  /**
   * Beams of each sequence. Servers with pages hold those of `prompt` once. Default: 1.
   */
  beams?: number;
  /**
   * transformers: static allocates the cache at full length at once. Default: dynamic.
   */
  cache?: 'dynamic' | 'static';
  /**
   * Sequences that may run in one step: vLLM max_num_seqs. Default: the runtime's.
   */
  sequences_at_once?: number;
}
/**
 * One that is left out is the runtime's.
 */
export interface KeyValueEncodings {
  k?: PresetId;
  v?: PresetId;
}
/**
 * What stays off the device. Default: nothing.
 */
export interface Offload {
  /**
   * Layers on the device, counted from the last; the vocabulary head counts as one more. Default: all.
   */
  gpu_layers?: number;
  /**
   * First layers whose routed experts stay in host memory. Default: 0.
   */
  experts_on_cpu?: number;
  /**
   * The cache stays in host memory, whatever computes. Default: false.
   */
  kv_on_host?: boolean;
  /**
   * llama.cpp: share of the layers for each device, in any unit. Default: by its free memory.
   *
   * @minItems 1
   */
  tensor_split?: number[];
  /**
   * vLLM, SGLang: bytes of the layers' weights that each device leaves in host memory (--cpu-offload-gb). Default: 0.
   */
  weights_bytes?: number;
  /**
   * Servers: bytes of host memory behind the cache, of all devices together. Default: 0.
   */
  kv_host_bytes?: number;
}
/**
 * Speculative decoding: what proposes tokens, held at the same time. Default: nothing.
 */
export interface Draft {
  /**
   * model: another model. eagle, eagle3: a head of one layer, like one of `model`'s or of the target's. mtp: the target's own prediction layers. Default: model.
   */
  kind?: 'model' | 'eagle' | 'eagle3' | 'mtp';
  model?: RequestModel;
  weights?: DraftWeights;
  kv_encoding?: PresetId;
  /**
   * Tokens proposed in one step. Default: 3.
   */
  num_speculative_tokens?: number;
  /**
   * Tokens that an eagle3 head chooses from. Default: the model's.
   */
  vocab_size?: number;
  /**
   * llama.cpp: layers of a draft model on the devices. Default: all.
   */
  gpu_layers?: number;
}
/**
 * How its weights are stored. Default: as published.
 */
export interface DraftWeights {
  encoding?: PresetId;
}
/**
 * Low-rank adapters held beside the model: of servers the slots made for them at the start, else the adapters themselves. Default: none.
 */
export interface HeldAdapters {
  /**
   * Adapters held at once. Default: the runtime's, else 1.
   */
  max_loras?: number;
  /**
   * Rank that each has room for. Default: 16.
   */
  max_lora_rank?: number;
  /**
   * Linear layers that have one; in a training also experts, for their grouped products. Default: all-linear.
   */
  targets?: string | string[];
  encoding?: PresetId;
}
/**
 * Images in the prompt of each sequence: their tokens count in the context, and encoding them takes work buffers. Default: none.
 */
export interface Images {
  /**
   * Images of a sequence. Default: 1.
   */
  count?: number;
  /**
   * Tokens of one image. Default: by its size, or the tower's own.
   */
  tokens?: number;
  /**
   * Pixels across.
   */
  width?: number;
  /**
   * Pixels down.
   */
  height?: number;
}
/**
 * How the model is trained.
 */
export interface Training {
  /**
   * What is trained; prompt and prefix: learned tokens before every sequence, as inputs, or as keys and values of every layer. Default: full.
   */
  method?: 'full' | 'freeze' | 'lora' | 'dora' | 'qlora' | 'galore' | 'prompt' | 'prefix';
  /**
   * What it is trained for: the next token; dpo, a preference against a frozen reference; orpo, one without a reference; kto, single sequences that are wanted or not, against a reference; reward, one score for a whole sequence; distill, what a teacher says of each token; grpo and ppo, what its own answers are worth, against each other or against a critic. With dpo, orpo and reward an example is a chosen sequence and a rejected one, which go through the model together. Default: sft.
   */
  objective?: 'sft' | 'dpo' | 'orpo' | 'ppo' | 'grpo' | 'kto' | 'reward' | 'distill';
  /**
   * distill: how far the student is from its teacher. forward: the teacher's distribution from the student's; reverse: the other way round; jensen_shannon: both from their mixture; hidden_states: what both models' last layers give, beside the next token's loss. Default: jensen_shannon.
   */
  divergence?: 'jensen_shannon' | 'forward' | 'reverse' | 'hidden_states';
  models?: HeldModels;
  prompt?: Prompt;
  rollout?: Rollout;
  /**
   * grpo, ppo: weight of the divergence from a reference; 0: none is held. Default: grpo 0, ppo 0.05.
   */
  beta?: number;
  /**
   * dpo, kto: what the reference says of the examples was written down before, so that it is not held. Default: false.
   */
  reference_precomputed?: boolean;
  /**
   * Share of the parameters that is trained, 0 to 100, with freeze and classic. Default: 100.
   */
  trainable_percent?: number;
  /**
   * With freeze, in place of a percentage: the parts that are trained, by name.
   */
  freeze?: {
    /**
     * The last so many layers, or the first so many where it is negative. Default: 2.
     */
    trainable_layers?: number;
    /**
     * Modules of these layers, by the names that Llama's layer gives them: self_attn, mlp, input_layernorm, post_attention_layernorm, mixer …; or all. Default: all.
     */
    trainable_modules?: string[];
    /**
     * What is trained beside the layers: embed_tokens, norm, lm_head. Default: nothing.
     */
    extra_modules?: string[];
  };
  lora?: Lora;
  /**
   * How it computes. fp32, bf16, fp16: everything in that; -mixed: 16-bit weights beside fp32 master weights; -autocast: fp32 weights, products cast call by call; tf32: as fp32; fp8-mixed: bf16-mixed with fp8 copies of linear layers; fp8-dynamic: bf16 with products cast to fp8 call by call. Default: bf16-mixed.
   */
  precision?: 'fp32' | 'tf32' | 'bf16' | 'fp16' | 'bf16-mixed' | 'fp16-mixed' | 'bf16-autocast' | 'fp16-autocast' | 'fp8-mixed' | 'fp8-dynamic';
  gradient_encoding?: PresetId;
  state_encoding?: PresetId;
  /**
   * Copies of the gradients that are held at once. Default: 1.
   */
  gradient_copies?: number;
  optimizer?: PresetId;
  /**
   * How a step walks the parameters: one call for all of them, with lists as long as they are in between; one fused kernel; one after another; foreach-2.0: one call for all as PyTorch 2.0 had it, whose Adam has two such lists. Default: fused where there are fp32 master weights, else the framework's default on a GPU.
   */
  optimizer_step?: 'foreach' | 'fused' | 'loop' | 'foreach-2.0';
  galore?: Galore;
  /**
   * Sequences of one forward pass. Default: 1.
   */
  micro_batch?: number;
  /**
   * Tokens of one sequence.
   */
  sequence?: number;
  /**
   * Micro-batches of one optimizer step. Default: 1.
   */
  accumulation?: number;
  /**
   * What the backward pass recomputes. Default: none.
   */
  checkpointing?: 'none' | 'selective' | 'full' | 'selective-op';
  /**
   * With selective checkpointing: the modules of a layer that are computed anew, by Megatron-LM's names (--recompute-modules). Default: core_attn.
   */
  recompute_modules?: ('core_attn' | 'moe_act' | 'layernorm' | 'mla_up_proj' | 'mlp' | 'moe' | 'shared_experts')[];
  /**
   * Kernel of attention. Default: sdpa.
   */
  attention?: 'eager' | 'sdpa' | 'flash';
  /**
   * Version of the framework whose device context is meant: one of `device_context[].framework` in the runtime's preset. Default: today's.
   */
  framework?: string;
  /**
   * A mixture's experts: all in one grouped product, or one after the other. Default: grouped.
   */
  experts?: 'grouped' | 'loop';
  /**
   * Queries, keys and values are one product, as Megatron-LM and litgpt build every model; adapters named q_proj, k_proj or v_proj are then of its parts. Default: false.
   */
  fused_qkv?: boolean;
  /**
   * What attention is given where samples are packed in one sequence or padded: nothing (flash attention takes lengths instead); booleans, as transformers' sdpa; or what is added to the scores, as eager attention and LLaMA-Factory's neat_packing. With a mask, sdpa copies grouped keys and values out to all heads, and each layer keeps booleans as what is added. Default: none.
   */
  mask?: 'none' | 'boolean' | 'additive';
  /**
   * A frozen packed layer keeps its input for the backward pass without needing it, as bitsandbytes before 0.43.2 did in 4 bits. Default: false.
   */
  frozen_keeps_input?: boolean;
  /**
   * Grouped keys and values are copied out to all heads before attention. Default: false.
   */
  repeat_kv?: boolean;
  /**
   * Probability of dropping, 0 to 1. Default: the model's own.
   */
  dropout?: number;
  /**
   * Kernel of the norms: as transformers writes them, or one fused kernel. Default: reference.
   */
  norm?: 'reference' | 'fused';
  /**
   * Cross-entropy over the vocabulary: all logits at once, in pieces, or without storing them: chunk by chunk (Liger's fused linear cross-entropy), or block by block within a kernel (cut cross-entropy). Default: full.
   */
  loss?: 'full' | 'chunked' | 'fused' | 'cut';
  /**
   * Chunks of tokens of a chunked loss. Default: 8.
   */
  loss_chunks?: number;
  /**
   * With a fused loss: Liger-Kernel's version, of which 0.4 upcasts the logits of a chunk, 0.5 (from 0.5.3 on) does not, and 0.6 (from 0.6.2 on) makes a chunk's gradient of the matrix by itself. Default: 0.6.
   */
  loss_version?: '0.4' | '0.5' | '0.6';
  /**
   * The loss upcasts 16-bit logits. Default: true.
   */
  logits_in_fp32?: boolean;
  /**
   * The loss is taken of 16-bit logits under autocast, as in models' own code that does not upcast them: log-softmax stays in 16 bits, and the negative log-likelihood keeps an fp32 copy of it. Default: false.
   */
  loss_autocast?: boolean;
  /**
   * The last token's logits of each sequence are cut off by a copy of the others, as transformers did before 4.46. Default: false.
   */
  logits_cut?: boolean;
  /**
   * The caller still holds the model's outputs during the backward pass. Default: false.
   */
  logits_kept?: boolean;
  /**
   * What the script still refers to until the step has ended: a list of every layer's output (`output_hidden_states`), the model's output, the loss. Default: nothing of it.
   */
  holds?: ('layer_outputs' | 'output' | 'loss')[];
  /**
   * PyTorch's allocator grows its segments in place (PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True). Default: false.
   */
  expandable_segments?: boolean;
  /**
   * The data's samples have many lengths, and each batch is padded to its longest: what the allocator reserves is followed over a run of such batches. Default: every batch is of `sequence` tokens.
   */
  lengths?: {
    /**
     * Tokens of a sample on average, before longer ones than `sequence` are cut or left out. Default: half of `sequence`.
     */
    mean?: number;
    /**
     * Their standard deviation, in tokens; at most twice the mean. Default: half of the mean.
     */
    deviation?: number;
    /**
     * What becomes of samples longer than `sequence`. Default: cut.
     */
    longer?: 'cut' | 'left-out';
  };
  /**
   * Tokens of each sequence of the micro-batch before, whose loss and outputs the loop still holds while the next ones are computed, as a loop does that only rebinds its variables. Default: nothing is held.
   */
  previous_tokens?: number;
  /**
   * With previous_tokens: the model itself takes the loss, as those of transformers do, so that the outputs of the micro-batch before, keys and values among them, are held until the next loss is there. Default: false.
   */
  loss_in_model?: boolean;
  /**
   * With logits_kept, grpo and ppo: what the model returns is an upcast copy, as in transformers before 4.45, or under a trainer's autocast. Default: true; ppo, and grpo under DeepSpeed or Megatron-LM: false.
   */
  logits_returned_in_fp32?: boolean;
  /**
   * A compiler makes each layer's kernels, so that which tensors come and go within is not known: the allocator is followed only where checkpointing keeps a layer's input alone. Default: false.
   */
  layers_compiled?: boolean;
  /**
   * A compiler makes one kernel of upcast and loss, so that neither fp32 logits nor their softmax are stored. Default: false.
   */
  loss_compiled?: boolean;
  /**
   * With full checkpointing, Megatron-LM's --recompute-method: uniform keeps the input of each recompute_num_layers layers and computes them anew at once; block computes the first recompute_num_layers layers of a stage anew, one by one, and keeps what the others make. Default: each layer by itself, or as checkpoint_every says.
   */
  recompute_method?: 'uniform' | 'block';
  /**
   * With recompute_method: layers of one piece, or of a stage. Default: 1.
   */
  recompute_num_layers?: number;
  /**
   * The model returns keys and values of all layers while it trains, as a configuration does by itself where nobody switches it off: they are there until the forward pass has ended, and with logits_kept as long as the outputs. Default: false.
   */
  use_cache?: boolean;
  /**
   * With checkpointing: one layer in so many is checkpointed. Default: 1.
   */
  checkpoint_every?: number;
  /**
   * What checkpointing keeps of a layer is moved to the host until it is needed. Default: false.
   */
  checkpoints_on_host?: boolean;
  /**
   * Elements of the buffers that gradients are gathered in during the backward pass, all of them together: DeepSpeed's reduce_bucket_size, twice with overlap_comm. Default: 0.
   */
  gradient_bucket?: number;
  /**
   * Copies in 16 bits of a packed matrix that are there at once while it is written out: 2 where it was packed from one 16-bit type and is used in the other. Default: 1.
   */
  dequantised_copies?: number;
  /**
   * What a packed matrix is written out to is kept for the backward pass, as where the product is one of plain operations (AutoGPTQ without its kernels). Default: false.
   */
  dequantised_kept?: boolean;
  /**
   * Between steps gradients are set to zero and not given back, as PyTorch did before 2.0. Default: false.
   */
  gradients_zeroed?: boolean;
  /**
   * The optimizer steps each parameter during the backward pass and frees its gradient. Default: false.
   */
  gradients_released?: boolean;
}
/**
 * Models beside the one that is trained, where they are not of its architecture or are stored in another way.
 */
export interface HeldModels {
  reference?: HeldModel;
  reward?: HeldModel;
  critic?: HeldModel;
  teacher?: HeldModel;
}
/**
 * A model that is held beside the one that is trained.
 */
export interface HeldModel {
  model?: RequestModel;
  weights?: HeldWeights;
  parallel?: Parallel;
  /**
   * cpu: while it does not run, it waits in the host's memory. Default: none.
   */
  offload?: 'none' | 'cpu';
}
/**
 * How its weights are stored. Default: as published.
 */
export interface HeldWeights {
  encoding?: PresetId;
}
/**
 * Learned tokens of prompt and prefix tuning.
 */
export interface Prompt {
  /**
   * How many. Default: 20.
   */
  virtual_tokens?: number;
  /**
   * prefix: they are made by two matrices with a tanh between them. Default: false.
   */
  projection?: boolean;
  /**
   * Width between the two matrices. Default: as wide as a layer's keys.
   */
  encoder_hidden_size?: number;
}
/**
 * grpo, ppo: how the answers are generated that the model learns of. A sequence is a prompt and its answer.
 */
export interface Rollout {
  /**
   * transformers: generate() of the model that is trained; vllm: an engine of its own in the same process. Default: transformers.
   */
  runtime?: 'transformers' | 'vllm';
  /**
   * Tokens of an answer; the rest of `sequence` is the prompt. Default: half of the sequence.
   */
  completion?: number;
  /**
   * grpo: answers to one prompt, which are held against each other. All that are generated at once must be a whole number of such groups.
   */
  num_generations?: number;
  /**
   * Answers that a device generates at once. Default: micro_batch × accumulation.
   */
  sequences?: number;
  /**
   * transformers, where weights are divided: all of them are gathered for the generation (TRL's ds3_gather_for_generation); else a layer at a time. Default: true with DeepSpeed, false with FSDP.
   */
  gathers?: boolean;
  /**
   * The policy's own log-probabilities of the answers are computed before it is trained. Default: true with ppo or vllm, where answers are learned of more than once or come from other kernels; else false.
   */
  old_log_probabilities?: boolean;
  /**
   * vllm, while the model is trained: none, the engine stays awake; cache, its cache is dropped and its weights wait in the host's memory (level 1); all, both are dropped (level 2). Default: none.
   */
  sleep?: 'none' | 'cache' | 'all';
  /**
   * vllm: cpu, the trainer's weights and states wait in the host's memory while answers are generated or a critic is trained (verl's param_offload and optimizer_offload). Default: none.
   */
  trainer_offload?: 'none' | 'cpu';
  /**
   * vllm: devices that share the engine's model. Default: 1.
   */
  tensor?: number;
  /**
   * vllm: share of the device that the engine takes for its weights, its step and its cache. Default: 0.3, as TRL.
   */
  memory_fraction?: number;
  /**
   * vllm: tokens computed at once. Default: 4096, as TRL.
   */
  batch_tokens?: number;
  /**
   * vllm: sequences that may run in one step. Default: sequences × tensor, as TRL.
   */
  sequences_at_once?: number;
  /**
   * vllm: id of the cache's encoding. Default: the type the model computes in.
   */
  kv_encoding?: string;
  /**
   * vllm: id of the encoding of the engine's weights. Default: the type the model computes in, or that of its packed base.
   */
  encoding?: string;
}
/**
 * Adapters of lora, dora and qlora.
 */
export interface Lora {
  /**
   * Width of the adapters. Default: 8.
   */
  rank?: number;
  /**
   * Scale of the adapters' output; it takes no memory.
   */
  alpha?: number;
  /**
   * Linear layers that get one, or all-linear for all but the vocabulary head. Default: queries and values.
   */
  targets?: string | string[];
  /**
   * Modules of which a copy is trained in full beside the adapters: embed_tokens, lm_head. Default: none.
   */
  modules_to_save?: string | string[];
  /**
   * Who computes the adapters: PEFT's operations, or fused kernels as Unsloth's, which keep their input as it is, once, and of a gated feed-forward neither the activation nor the product. They take the place of PEFT's where queries, keys and values, the output's product, or all of a feed-forward have adapters and no bias. Default: peft.
   */
  kernels?: 'peft' | 'fused';
  /**
   * Rank-stabilised LoRA: another scale, which takes no memory.
   */
  use_rslora?: boolean;
  /**
   * What adapters begin with, where the matrices lie on the device: pissa takes their singular vectors, olora their QR decomposition, in fp32 while it loads. Default: default, random numbers and zeros.
   */
  init?: 'default' | 'pissa' | 'olora';
  /**
   * What adapters are kept in. Default: fp32, as PEFT keeps them.
   */
  encoding?: 'fp32' | 'bf16' | 'fp16';
  /**
   * Probability of dropping an adapter's input. Default: 0.
   */
  dropout?: number;
}
/**
 * Projection of gradients by galore-adamw, apollo and their kind.
 */
export interface Galore {
  /**
   * Rank of the projection. Default: the optimizer's usual one.
   */
  rank?: number;
  /**
   * Parts of the model, or linear layers, whose gradients are projected. Default: attention, feed_forward and shared_experts.
   */
  targets?: string | string[];
}
/**
 * One figure: the article's, where it gives one, and ours.
 */
export interface ExampleFigure {
  what: Text;
  /**
   * Unit of both; GB is 1e9 bytes, GiB 2^30, MiB 2^20.
   */
  unit: 'parameters' | 'elements' | 'byte' | 'GB' | 'GiB' | 'MiB' | 'byte per parameter' | 'tokens' | 'percent' | 'number';
  article?: Figure;
  ours: Figure;
  /**
   * Whether the article is right here.
   */
  agrees?: boolean;
}
/**
 * A number and how to come by it: by arithmetic, or out of a reply of the engine. It is true to the digits it is written with.
 */
export interface Figure {
  /**
   * The number, in the figure's unit.
   */
  value: number;
  /**
   * An expression of numbers, + - * / ^ and brackets that gives the value; beside a path it is what the path must give too.
   */
  arithmetic?: string;
  /**
   * Where the reply has it, such as `rows/weights/bytes`; an entry of a list is named by its id or phase. Of several paths the sum is meant.
   */
  path?: string | string[];
  /**
   * Fields of the request that take another value for this figure, by path.
   */
  with?: {
    [k: string]: number | string | boolean | string[];
  };
  /**
   * Fields for a second reply whose figure is subtracted.
   */
  less?: {
    [k: string]: number | string | boolean;
  };
  /**
   * What the reply's number is divided by to be in the unit. Default: 1.
   */
  per?: number;
}
/**
 * A model: its config.json and the parameter count that was published for it, which the engine must reproduce.
 */
export interface ModelPreset {
  id: PresetId;
  /**
   * As its makers call it.
   */
  name: string;
  /**
   * Line of models it belongs to, as its makers write it; heads its group in the list.
   */
  family: string;
  /**
   * Who published it.
   */
  organization: string;
  /**
   * Month of publication.
   */
  released?: string;
  /**
   * Repository on huggingface.co.
   */
  hugging_face_id?: string;
  /**
   * Longest context in tokens that it was released for.
   */
  context?: number;
  config: PublishedConfig;
  config_from: From;
  parameters: Count;
  active_parameters?: Count;
  checkpoint_parameters?: Count;
  /**
   * The rounded figure in its name, or the one that the hosted calculator uses.
   */
  nominal_parameters: number;
  classic?: ClassicPreset;
  /**
   * Encoding that the published weights are stored in.
   */
  dtype: 'fp32' | 'fp16' | 'bf16' | 'fp8' | 'fp8-block-128' | 'fp8-fp4-experts' | 'mxfp4';
  /**
   * What to know about this model's shape.
   *
   * @minItems 1
   */
  notes?: string[];
  sources: Sources;
}
/**
 * Its Hugging Face config.json, whole or the fields that decide memory.
 */
export interface PublishedConfig {
  /**
   * Name of the family in transformers.
   */
  model_type: string;
  /**
   * Class in transformers.
   *
   * @minItems 1
   */
  architectures: string[];
  [k: string]: unknown;
}
/**
 * A whole number with provenance.
 */
export interface Count {
  /**
   * The number.
   */
  value: number;
  from: From;
  /**
   * How it was found.
   */
  note?: string;
}
/**
 * The hosted calculator's own figures for this model; only for its eight presets.
 */
export interface ClassicPreset {
  /**
   * Parameters, rounded as there.
   */
  parameters: number;
  /**
   * Width of the residual stream.
   */
  hidden_size: number;
  /**
   * Layers.
   */
  num_hidden_layers: number;
  /**
   * Query heads.
   */
  num_attention_heads: number;
  /**
   * Its default precision for this model.
   */
  precision: 'fp32' | 'fp16' | 'bf16' | 'int8' | 'int4';
}
/**
 * What an optimizer keeps between steps.
 */
export interface OptimizerPreset {
  id: PresetId;
  /**
   * As people write it.
   */
  name: string;
  /**
   * The tensors it keeps; those of one name make up one row.
   */
  states: OptimizerState[];
  /**
   * Usual rank of an optimizer that projects gradients. Default: it does not.
   */
  rank?: number;
  paged?: OptimizerPaged;
  /**
   * Each parameter is stepped in the backward pass, and its gradient freed. Default: false.
   */
  releases_gradients?: boolean;
  step?: OptimizerStep;
  description: Text;
  sources: Sources;
}
/**
 * One tensor of state.
 */
export interface OptimizerState {
  /**
   * Its key in the optimizer's state.
   */
  name: string;
  /**
   * How it scales with a parameter of rows × columns (PyTorch's: a linear layer's is out × in): an element a parameter, row or column; the square of a side, or of the smaller or larger one; the rank times the larger or smaller side; one element a tensor.
   */
  per:
    | 'parameter'
    | 'row'
    | 'column'
    | 'row_squared'
    | 'column_squared'
    | 'smaller_squared'
    | 'larger_squared'
    | 'rank_by_larger'
    | 'rank_by_smaller'
    | 'tensor';
  /**
   * In place of `per` where the parameters are fp32.
   */
  per_in_fp32?: 'smaller_squared';
  /**
   * Kinds of parameters that have it. Where `rank` is given, `matrices` are those that a request targets and `others` those that it does not; elsewhere `matrices` are all between embedding and head. Default: all.
   *
   * @minItems 1
   */
  only?: ('matrices' | 'embedding' | 'head' | 'vectors' | 'others')[];
  /**
   * How many of them. Default: 1.
   */
  tensors?: number;
  /**
   * Bits an element; `parameter`: those of the parameters that it steps (the fp32 master copy where there is one).
   */
  bits: number | 'parameter';
  side?: OptimizerSide;
  block?: OptimizerBlock;
  /**
   * Bytes beside the elements, such as a table of values. Default: 0.
   */
  bytes_per_tensor?: number;
  small?: OptimizerSmall;
  /**
   * Bits an element for embeddings, where they are kept wide. Default: as the others.
   */
  embedding_bits?: number;
  /**
   * The shape that is counted stands for a similar one. Default: false.
   */
  approximate?: boolean;
}
/**
 * Squares of sides: how long sides are treated. Default: as they are.
 */
export interface OptimizerSide {
  /**
   * Parameters are cut into blocks with sides of this length.
   */
  block?: number;
  /**
   * Longer sides have none.
   */
  at_most?: number;
}
/**
 * What a block of elements shares. Default: nothing.
 */
export interface OptimizerBlock {
  /**
   * Elements of one block; a tensor's last block may be shorter.
   */
  elements: number;
  /**
   * Bytes that a block adds, such as its scale.
   */
  bytes: number;
}
/**
 * Tensors too small to be compressed. Default: none.
 */
export interface OptimizerSmall {
  /**
   * A tensor with fewer elements than this keeps `bits`.
   */
  below_elements: number;
  /**
   * Bits an element of a small tensor, without block; `parameter`: those of the parameter.
   */
  bits: number | 'parameter';
  /**
   * Tensors that are no multiple of the block keep `bits` as well. Default: false.
   */
  whole_blocks?: boolean;
}
/**
 * States in unified memory, which pages to the host. Default: none.
 */
export interface OptimizerPaged {
  /**
   * Of tensors with at least so many elements.
   */
  from_elements: number;
}
/**
 * Ways in which a step walks the parameters, each with the tensors that it makes and frees again: one call for all, one kernel, one parameter after another.
 */
export interface OptimizerStep {
  /**
   * The framework's default on a GPU.
   */
  default: 'foreach' | 'fused' | 'loop';
  foreach?: OptimizerTemporaries;
  fused?: OptimizerTemporaries;
  loop?: OptimizerTemporaries;
  'foreach-2.0'?: OptimizerTemporaries;
}
/**
 * Some of them.
 */
export interface OptimizerTemporary {
  /**
   * How it scales with a parameter of rows × columns (PyTorch's: a linear layer's is out × in): an element a parameter, row or column; the square of a side, or of the smaller or larger one; the rank times the larger or smaller side; one element a tensor.
   */
  per:
    | 'parameter'
    | 'row'
    | 'column'
    | 'row_squared'
    | 'column_squared'
    | 'smaller_squared'
    | 'larger_squared'
    | 'rank_by_larger'
    | 'rank_by_smaller'
    | 'tensor';
  /**
   * In place of `per` where the parameters are fp32.
   */
  per_in_fp32?: 'smaller_squared';
  /**
   * Kinds of parameters that have it. Where `rank` is given, `matrices` are those that a request targets and `others` those that it does not; elsewhere `matrices` are all between embedding and head. Default: all.
   *
   * @minItems 1
   */
  only?: ('matrices' | 'embedding' | 'head' | 'vectors' | 'others')[];
  /**
   * How many of them. Default: 1.
   */
  tensors?: number;
  /**
   * Bits an element; `parameter`: those of the parameters that it steps (the fp32 master copy where there is one).
   */
  bits: number | 'parameter';
  side?: TemporarySide;
  /**
   * Of all parameters at once, or of one at a time. Default: one.
   */
  of?: 'all' | 'one';
  /**
   * Of these, tensors that the parameter before has left. Default: 0.
   */
  left?: number;
  /**
   * Only where the parameters are 16-bit. Default: false.
   */
  in_16bit?: boolean;
}
/**
 * Squares of sides: how long sides are treated. Default: as they are.
 */
export interface TemporarySide {
  /**
   * Parameters are cut into blocks with sides of this length.
   */
  block?: number;
  /**
   * Longer sides have none.
   */
  at_most?: number;
}
/**
 * How much memory the request needs, item by item, in bytes.
 */
export interface Answer {
  /**
   * Version of this form.
   */
  schema: 1;
  /**
   * Version of the engine.
   */
  engine: string;
  model?: ReplyModel;
  total: Total;
  /**
   * The items on that device at that phase; they sum to total.process.
   */
  rows?: Row[];
  /**
   * One entry for each class of equal devices.
   */
  devices?: DeviceClass[];
  host?: Host;
  /**
   * The same over time, a phase an entry.
   */
  timeline?: TimelinePhase[];
  allocator?: AllocatorRun;
  capacity?: Capacity;
  fit?: Fit;
  /**
   * Fields that the request left out.
   */
  assumptions?: Assumption[];
  /**
   * Fields without which part of the answer could not be told.
   */
  missing?: string[];
  /**
   * What to know about this answer.
   */
  notes?: Note[];
  /**
   * With explain all: every symbol of the formulas.
   */
  symbols?: {
    [k: string]: FormulaSymbol;
  };
}
/**
 * What the engine made of the model.
 */
export interface ReplyModel {
  /**
   * Its name, where one is known.
   */
  name?: string;
  /**
   * Its class in transformers, where one is known.
   */
  architecture?: string;
  parameters?: ReplyParameters;
  /**
   * Tensors and their bytes by encoding, where the weights' format mixes several.
   */
  tensor_types?: {
    [k: string]: TensorType;
  };
}
/**
 * Every weight and bias once.
 */
export interface ReplyParameters {
  /**
   * All of them, without multi-token prediction.
   */
  total?: number;
  /**
   * Those that one token visits.
   */
  active?: number;
  /**
   * Those that are trained.
   */
  trainable?: number;
  /**
   * By part of the model.
   */
  parts?: {
    [k: string]: number;
  };
}
export interface TensorType {
  /**
   * How many.
   */
  tensors: number;
  /**
   * Their values, without scales.
   */
  bytes: number;
}
/**
 * Allocated at the peak on the fullest device: what the request needs.
 */
export interface Total {
  /**
   * Bytes, most likely.
   */
  bytes: number;
  /**
   * Bytes, at least.
   */
  low?: number;
  /**
   * Bytes, at most.
   */
  high?: number;
  band?: RestsOn;
  reserved?: Band;
  process?: Band;
  /**
   * What a runtime takes whatever is needed, in bytes.
   */
  claimed?: number;
  phase?: Phase;
  /**
   * Where the peak is.
   */
  device?: string;
  because?: Fullest;
}
/**
 * What `low` and `high` rest on. Absent where no measured case is like this one, and where nothing can be off.
 */
export interface RestsOn {
  /**
   * The cases that are most alike, of which there are enough: of a runtime with its backend, a runtime, a method of training, or the whole task.
   */
  from: string;
  /**
   * How many measured cases that are.
   */
  residuals: number;
  /**
   * The part of them that lies inside such a band, each foretold from the other models' cases alone.
   */
  coverage?: number;
}
/**
 * Bytes, and between what they lie.
 */
export interface Band {
  /**
   * Bytes, most likely.
   */
  bytes: number;
  /**
   * Bytes, at least.
   */
  low: number;
  /**
   * Bytes, at most.
   */
  high: number;
  band?: RestsOn;
}
/**
 * Of several devices: why that one is the fullest.
 */
export interface Fullest {
  /**
   * The item of which it has most more than another device.
   */
  row?: string;
  /**
   * So much more.
   */
  more_bytes?: number;
  /**
   * Of unequal devices: allocated over its own usable memory.
   */
  share?: number;
}
/**
 * One item of memory.
 */
export interface Row {
  /**
   * Stable name, never translated.
   */
  id: string;
  /**
   * Bytes, most likely.
   */
  bytes: number;
  /**
   * Bytes, at least.
   */
  low?: number;
  /**
   * Bytes, at most.
   */
  high?: number;
  /**
   * exact: arithmetic on shapes; modelled: a rule of the runtime; measured: read off real hardware; rule: a rule of thumb.
   */
  basis: 'exact' | 'modelled' | 'measured' | 'rule';
  /**
   * On the host: whether it is pinned.
   */
  pinned?: boolean;
  /**
   * Bytes at each phase.
   */
  by_phase?: {
    [k: string]: number;
  };
  /**
   * With explain all: how the bytes came about.
   */
  formula?: Token[];
  formula_phase?: Phase;
  /**
   * With explain all: who says so.
   */
  sources?: string[];
  /**
   * What it is made of.
   */
  rows?: Row[];
}
/**
 * A symbol; key into `symbols`.
 */
export interface SymbolToken {
  /**
   * Its name.
   */
  ref: string;
  /**
   * Its value.
   */
  value: number;
}
/**
 * Another row.
 */
export interface RowToken {
  /**
   * Its id, with its parents'.
   */
  row: string;
  /**
   * Its bytes.
   */
  value: number;
}
/**
 * A literal number.
 */
export interface NumberToken {
  /**
   * The number.
   */
  value: number;
}
/**
 * An operator: + - * and brackets stand between tokens; the others hold their arguments.
 */
export interface OperatorToken {
  /**
   * Which.
   */
  op: '+' | '-' | '*' | '(' | ')' | '/' | 'max' | 'min' | 'ceil' | 'floor' | 'sqrt';
  /**
   * Of / the numerator and the denominator.
   */
  args?: Token[][];
}
/**
 * A unit.
 */
export interface UnitToken {
  /**
   * Which.
   */
  unit: string;
}
/**
 * Devices that hold the same.
 */
export interface DeviceClass {
  /**
   * Name of the class.
   */
  device: string;
  /**
   * Devices in it.
   */
  count: number;
  /**
   * Bytes of one of them at its peak.
   */
  bytes: number;
  /**
   * Of unequal devices: which it is.
   */
  name?: string;
  /**
   * Of unequal devices: what a process may take of it.
   */
  usable_bytes?: number;
  phase?: Phase;
  /**
   * Its items, without their parts.
   */
  rows?: DeviceRow[];
}
/**
 * One item on a device of this class.
 */
export interface DeviceRow {
  /**
   * Stable name, as in `rows`.
   */
  id: string;
  /**
   * Bytes at its peak.
   */
  bytes: number;
}
/**
 * What lies in the host's memory.
 */
export interface Host {
  /**
   * Bytes.
   */
  bytes: number;
  /**
   * Its items.
   */
  rows?: Row[];
}
/**
 * What is held during one phase.
 */
export interface TimelinePhase {
  phase: Phase;
  /**
   * Bytes in all.
   */
  bytes: number;
  /**
   * Bytes of each row.
   */
  rows?: {
    [k: string]: number;
  };
}
/**
 * What PyTorch's caching allocator shows over a training run, from a replay of its allocations: the first step, and every later one, a phase an entry.
 */
export interface AllocatorRun {
  /**
   * Its phases, in order.
   */
  first_step: PhaseMemory[];
  /**
   * The phases of any later step, in order.
   */
  later_steps: PhaseMemory[];
}
/**
 * What the allocator shows at one phase.
 */
export interface PhaseMemory {
  phase: Phase;
  /**
   * Bytes of blocks in use at its end (memory_allocated).
   */
  allocated: number;
  /**
   * Bytes of blocks in use at its fullest (max_memory_allocated).
   */
  peak: number;
  /**
   * Bytes that tensors ask for at their fullest.
   */
  requested: number;
  /**
   * Bytes taken from the driver by its end (memory_reserved).
   */
  reserved: number;
}
/**
 * What the memory that a runtime claims for its cache holds.
 */
export interface Capacity {
  /**
   * Bytes, most likely.
   */
  bytes?: number;
  /**
   * Bytes, at least.
   */
  low?: number;
  /**
   * Bytes, at most.
   */
  high?: number;
  band?: RestsOn;
  /**
   * Rows, and parts of rows, that are taken of the claimed share before the cache gets the rest.
   */
  beside?: string[];
  /**
   * Tokens of context in all.
   */
  kv_tokens?: number;
  /**
   * Sequences of the requested length.
   */
  sequences?: number;
}
/**
 * Whether the device holds it: total.process against what is usable.
 */
export interface Fit {
  /**
   * tight: the device's limit lies inside the band.
   */
  verdict: 'fits' | 'tight' | 'too large';
  /**
   * What a process may take, in bytes.
   */
  usable_bytes: number;
  /**
   * What is left over, in bytes; negative where it is too large.
   */
  free_bytes: number;
}
/**
 * A field that the engine filled in.
 */
export interface Assumption {
  /**
   * Its path in the request.
   */
  field: string;
  /**
   * What it took.
   */
  value: {
    [k: string]: unknown;
  };
  /**
   * Whose default it is.
   */
  why: string;
}
/**
 * A remark; a page translates it by its code.
 */
export interface Note {
  /**
   * Stable name.
   */
  code: string;
  /**
   * Path or row that it is about.
   */
  where?: string;
  /**
   * The remark in English.
   */
  text: string;
  /**
   * The figures in it.
   */
  values?: {
    [k: string]: number | string;
  };
}
/**
 * A leaf with its source, or a term with its formula.
 */
export interface FormulaSymbol {
  /**
   * Its value.
   */
  value: number;
  /**
   * Who says so.
   */
  source?: string;
  /**
   * How it came about.
   */
  formula?: Token[];
}
/**
 * Why there is no answer.
 */
export interface Failure {
  /**
   * Version of this form.
   */
  schema: 1;
  error: ReplyError;
}
/**
 * What is wrong, and where.
 */
export interface ReplyError {
  /**
   * Stable name.
   */
  code: string;
  /**
   * Path in the request or file.
   */
  where?: string;
  /**
   * What is wrong.
   */
  what: string;
  /**
   * What to do about it.
   */
  hint?: string;
}
/**
 * An inference runtime: what it does unless told otherwise, and constants read off real hardware.
 */
export interface RuntimePreset {
  id: PresetId;
  /**
   * As people write it.
   */
  name: string;
  /**
   * Releases that these rules were read from.
   */
  versions: string;
  defaults: RuntimeDefaults;
  /**
   * Families of encodings that it loads and keeps as they are. Default: all.
   *
   * @minItems 1
   */
  weights?: EncodingFamily[];
  /**
   * Families of encodings that its cache can be kept in.
   *
   * @minItems 1
   */
  cache?: EncodingFamily[];
  options?: RuntimeOptions;
  /**
   * How it is started as estimated: texts to copy, each made from lines.
   *
   * @minItems 1
   */
  launch?: LaunchText[];
  /**
   * What the driver holds for a process beside the allocator's memory. The first entry of a backend is its default, the others are earlier frameworks; a backend without an entry has no measured figure.
   *
   * @minItems 1
   */
  device_context: DeviceContext[];
  workspace: Workspace;
  communicators?: Communicators;
  policies: RuntimePolicies;
  /**
   * The only classes with an encoder, or with cross-attention, that it runs. Default: all.
   */
  encoder_decoders?: string[];
  loader?: RuntimeLoader;
  description: Text;
  sources: Sources;
  /**
   * Each tensor of a buffer begins at a multiple of so many bytes.
   */
  buffer_alignment?: BufferAlignment[];
  page?: CachePage;
  memory_fraction?: MemoryFraction;
  step?: StepRules;
  /**
   * Earlier defaults and rules, oldest first.
   *
   * @minItems 1
   */
  releases?: Release[];
  queued_work?: QueuedWork;
  captured_graphs?: CapturedGraphs;
  library?: LibraryMemory;
  communication?: CommunicationMemory;
  cache_step?: CacheStep;
}
/**
 * What a request that leaves the field out gets.
 */
export interface RuntimeDefaults {
  /**
   * Encoding of the KV cache; `weights`: as the weights compute.
   */
  kv_encoding?: string;
  /**
   * The tokens of a batch whose logits are kept.
   */
  logits?: 'all' | 'last';
  /**
   * Whether attention runs without storing its scores.
   */
  flash_attention?: boolean;
  /**
   * Tokens computed at once.
   */
  batch_tokens?: number;
  /**
   * Tokens of context.
   */
  context?: number;
  /**
   * Sequences that may run in one step.
   */
  sequences_at_once?: number;
  on_large_devices?: LargeDeviceDefaults;
}
/**
 * The same on devices with at least `at_least` of memory.
 */
export interface LargeDeviceDefaults {
  /**
   * Memory, in `unit`.
   */
  at_least: number;
  /**
   * 2^30 bytes.
   */
  unit: 'GiB';
  /**
   * Tokens computed at once.
   */
  batch_tokens: number;
  /**
   * Sequences that may run in one step.
   */
  sequences_at_once: number;
}
/**
 * Fields of a request that it has a setting for, beside those of every runtime. A page offers these and no others.
 */
export interface RuntimeOptions {
  /**
   * It takes devices of several kinds, each with a part of its own size.
   */
  unequal_devices?: true;
  /**
   * Those that most people set, in order.
   *
   * Items: Path of a field in a request.
   */
  usual: string[];
  /**
   * The others, which stand folded.
   *
   * Items: Path of a field in a request.
   */
  rare: string[];
}
/**
 * One text to copy.
 */
export interface LaunchText {
  /**
   * Name of the file that it belongs into.
   */
  file?: string;
  /**
   * How values are quoted, and lines joined: a shell's are one command.
   */
  language: 'shell' | 'python' | 'modelfile';
  /**
   * In order.
   *
   * @minItems 1
   */
  lines: LaunchLine[];
}
/**
 * A line of a launch text. {model} is the model's name on the hub, {name} the last part of it, {file} a GGUF file of it; {draft} and {draft_file} are the draft model's.
 */
export interface LaunchLine {
  /**
   * The line, with {value} for the field's.
   */
  text: string;
  /**
   * The line stands where these fields are chosen; their product is its value.
   *
   * @minItems 1
   *
   * Items: Path of a field in a request.
   */
  field?: string[];
  /**
   * The line stands with the value that was assumed, too: the runtime's own default is another.
   */
  always?: true;
  /**
   * What {value} is for each value of the field; for others there is no line.
   */
  values?: {
    [k: string]: string;
  };
}
/**
 * Context, loaded kernels and library handles of one framework on one backend.
 */
export interface DeviceContext {
  /**
   * Where the runtime computes.
   */
  backend: 'cuda' | 'rocm' | 'vulkan' | 'metal' | 'cpu';
  /**
   * Versions that it holds for.
   */
  framework: string;
  /**
   * Typical amount, in `unit`.
   */
  value: number;
  /**
   * Lowest amount seen, in `unit`.
   */
  low: number;
  /**
   * Highest amount seen, in `unit`.
   */
  high: number;
  /**
   * MiB is 2^20 bytes.
   */
  unit: 'MiB';
  /**
   * The matrix library's workspaces are part of it: that version does not take them from the framework's allocator.
   */
  workspaces_within?: true;
  biased_product?: BiasedProduct;
  from: From;
  /**
   * What was measured.
   */
  note?: string;
}
/**
 * What a product with a bias takes from the allocator while it runs.
 */
export interface BiasedProduct {
  /**
   * Amount, in `unit`.
   */
  value: number;
  /**
   * MiB is 2^20 bytes.
   */
  unit: 'MiB';
  from: From;
}
/**
 * What the matrix library keeps for one handle and stream, inside the allocator, by generation of the device.
 */
export interface Workspace {
  [k: string]: Size;
}
/**
 * What one communicator takes of a device, outside of the framework's allocator, by the library of collectives: nccl, rccl, gloo.
 */
export interface Communicators {
  [k: string]: CommunicatorMemory;
}
export interface CommunicatorMemory {
  /**
   * Typical amount, in `unit`.
   */
  value: number;
  /**
   * Lowest amount seen, or that follows from the library's source.
   */
  low: number;
  /**
   * Highest amount seen.
   */
  high: number;
  /**
   * 2^20 or 2^30 bytes.
   */
  unit: 'MiB' | 'GiB';
  from: From;
  /**
   * What was measured, and what it is made of.
   */
  note?: string;
}
/**
 * Names of the engine's rules that data cannot make.
 */
export interface RuntimePolicies {
  /**
   * How it allocates the KV cache.
   */
  kv: 'contiguous' | 'llama.cpp' | 'paged';
  /**
   * Data-parallel copies divide the routed experts among them. Default: false.
   */
  experts_over_data?: boolean;
  /**
   * Whose blocks tensors lie in: rounding that the allocator counts as allocated. Default: none.
   */
  allocator?: 'torch';
}
/**
 * What loading and the kernels of quantised layers take beside the weights, by ids of encodings.
 */
export interface RuntimeLoader {
  /**
   * Their kernels write one matrix at a time out in 16 bits, into a buffer that stays.
   */
  dequantised?: PresetId[];
  /**
   * Their files hold a tied head a second time; it is dropped once the head is tied.
   */
  tied_head_loaded?: PresetId[];
  /**
   * A tied head is held a second time throughout.
   */
  tied_head_kept?: PresetId[];
  from: From;
}
/**
 * Boundaries on one backend, on the device and in the host memory beside it.
 */
export interface BufferAlignment {
  /**
   * Where the runtime computes.
   */
  backend: 'cuda' | 'rocm' | 'vulkan' | 'metal' | 'cpu';
  /**
   * Bytes, on the device.
   */
  device: number;
  /**
   * Bytes, in the host's memory.
   */
  host: number;
  from: From;
}
/**
 * A page of the cache.
 */
export interface CachePage {
  /**
   * Tokens of one page.
   */
  tokens: number;
  from: From;
}
/**
 * The share of the device that it claims.
 */
export interface MemoryFraction {
  /**
   * The default, 0 to 1.
   */
  value: number;
  /**
   * total: of the device. available: of what is free before the weights, for weights and cache. free: of what is left beside all but the cache.
   */
  of: 'total' | 'available' | 'free';
  /**
   * device-memory: chosen as SGLang does, by what it sets aside on a device of that memory; `value` is for unknown devices.
   */
  by?: 'device-memory';
  from: From;
  /**
   * How it is chosen.
   */
  note?: string;
}
/**
 * How a server computes the step that it measures before it starts.
 */
export interface StepRules {
  /**
   * When a tensor's memory is free again: references: when no name refers to it. compiled: after its last reader.
   */
  layers: 'references' | 'compiled';
  /**
   * What is made of the logits: copied: a copy in fp32. sorted: sorted for top-p as well.
   */
  sampler: 'copied' | 'sorted';
  /**
   * Which products of multi-head latent attention's matrices are kept beside them: expanded (default): each head's own. absorbed: multiplied into queries and outputs.
   */
  latents?: 'expanded' | 'absorbed';
  /**
   * Whether an expert's inputs and outputs have memory of their own each. Default: false.
   */
  experts_apart?: boolean;
  /**
   * Whether the driver's context is taken off the claimed share. Default: false.
   */
  context_counted?: boolean;
  from: From;
}
/**
 * What holds before a release.
 */
export interface Release {
  /**
   * The first release that it does not hold for: [0, 6, 6] is 0.6.6.
   *
   * @minItems 1
   * @maxItems 3
   */
  before: number[];
  /**
   * What llama.cpp's graphs did not do before: given-embeddings (a graph takes embeddings in place of ids too), fused-gates (an activation and its product are one node), half-masks (flash attention's mask is given in 16 bits), limited-outputs (a server has logits of the tokens alone that it samples from), reordered (Vulkan's backend moves independent nodes together), part-views (queries, keys and values of one product are views of it), rotations (what goes into a quantised cache is rotated), row-indices (cells are written by a list of their numbers), windows (windowed layers keep their window alone).
   *
   * @minItems 1
   */
  without?: (
    'given-embeddings' | 'fused-gates' | 'half-masks' | 'limited-outputs' | 'part-views' | 'reordered' | 'rotations' | 'row-indices' | 'windows'
  )[];
  /**
   * By how many the cells of a cache without flash attention grew. Default: 256.
   */
  cells?: number;
  from?: From;
  defaults?: ReleaseDefaults;
  step?: StepRules;
}
/**
 * What a request that leaves the field out gets.
 */
export interface ReleaseDefaults {
  /**
   * Tokens computed at once.
   */
  batch_tokens: number;
  /**
   * Sequences that may run in one step.
   */
  sequences_at_once: number;
  /**
   * Tokens computed at once on large devices. Default: as elsewhere.
   */
  large_batch_tokens?: number;
  /**
   * Sequences that may run in one step on large devices. Default: as elsewhere.
   */
  large_sequences_at_once?: number;
  /**
   * Contexts up to this length are computed at once, and no batch is smaller than the context.
   */
  whole_context_to?: number;
  /**
   * Share of the device.
   */
  memory_fraction?: number;
}
/**
 * Work that is queued before anything is waited for; what it has read is held until then.
 */
export interface QueuedWork {
  /**
   * Command buffers.
   */
  buffers: number;
  /**
   * Elements that the operations of one read before it is closed.
   */
  elements_each: number;
  from: From;
}
/**
 * Graphs captured at the start.
 */
export interface CapturedGraphs {
  /**
   * Typical amount, in `unit`.
   */
  value: number;
  /**
   * Lowest amount seen.
   */
  low: number;
  /**
   * Highest amount seen.
   */
  high: number;
  /**
   * 2^20 or 2^30 bytes.
   */
  unit: 'MiB' | 'GiB';
  from: From;
  /**
   * What was measured.
   */
  note?: string;
}
/**
 * Libraries' memory outside the allocator, on one device.
 */
export interface LibraryMemory {
  /**
   * Typical amount, in `unit`.
   */
  value: number;
  /**
   * Lowest amount seen.
   */
  low: number;
  /**
   * Highest amount seen.
   */
  high: number;
  /**
   * 2^20 or 2^30 bytes.
   */
  unit: 'MiB' | 'GiB';
  from: From;
  /**
   * What was measured.
   */
  note?: string;
}
/**
 * The same on several devices: buffers of collectives.
 */
export interface CommunicationMemory {
  /**
   * Typical amount, in `unit`.
   */
  value: number;
  /**
   * Lowest amount seen.
   */
  low: number;
  /**
   * Highest amount seen.
   */
  high: number;
  /**
   * 2^20 or 2^30 bytes.
   */
  unit: 'MiB' | 'GiB';
  from: From;
  /**
   * What was measured.
   */
  note?: string;
}
/**
 * Tokens by which a contiguous cache grows.
 */
export interface CacheStep {
  /**
   * Tokens of one step.
   */
  tokens: number;
  from: From;
}
/**
 * One request over many values of its fields.
 */
export interface Sweep {
  request: Request;
  /**
   * Fields and their values; the last field varies fastest.
   *
   * @minItems 1
   */
  over: SweepField[];
}
/**
 * A field and what it takes in turn.
 */
export interface SweepField {
  /**
   * Its path in the request.
   */
  field: string;
  /**
   * Its values, in order.
   *
   * @minItems 1
   */
  values: (number | string | boolean)[];
}
/**
 * One number for each point, in row-major order of `over`.
 */
export interface SweepAnswer {
  /**
   * Version of this form.
   */
  schema?: 1;
  /**
   * total.bytes of each point.
   */
  bytes: number[];
  /**
   * Bytes of each row at each point, by id.
   */
  rows: {
    [k: string]: number[];
  };
}
/**
 * A tool that trains models, and how it is told what was estimated: texts to copy, filled with the request.
 */
export interface TrainerPreset {
  id: PresetId;
  /**
   * As people write it.
   */
  name: string;
  /**
   * Releases that the names of its settings were read from.
   */
  versions: string;
  /**
   * Methods of training that it has.
   *
   * @minItems 1
   */
  methods: ('full' | 'freeze' | 'lora' | 'dora' | 'qlora' | 'galore')[];
  /**
   * Those of a layout that it runs. Default: any.
   *
   * @minItems 1
   */
  frameworks?: ('ddp' | 'deepspeed' | 'fsdp' | 'fsdp2' | 'megatron')[];
  /**
   * Fields of a request that it is asked for: one that no line says is named as what it has no setting for.
   *
   * @minItems 1
   *
   * Items: Path of a field in a request.
   */
  fields: string[];
  /**
   * Texts to copy, in order.
   *
   * @minItems 1
   */
  texts: TrainerText[];
  /**
   * What to say where it has no setting for a value.
   */
  notes?: TrainerNote[];
  description: Text;
  sources: Sources;
}
/**
 * One file or program.
 */
export interface TrainerText {
  /**
   * Name of the file.
   */
  file?: string;
  /**
   * How values and lists are written.
   */
  language: 'python' | 'yaml' | 'json' | 'toml' | 'shell';
  /**
   * In order.
   *
   * @minItems 1
   */
  lines: TrainerLine[];
}
/**
 * A line of a text. {model} is the model's name on the hub, {value} the field's, {list} the same as a list of the language; {devices}, {groups}, {shards}, {micro_batch}, {local_batch} (with a pipeline, all its micro-batches) and {global_batch} are what the layout and the batch come to.
 */
export interface TrainerLine {
  /**
   * The line.
   */
  text: string;
  /**
   * Path of a field in a request.
   */
  field?: string;
  /**
   * What {value} is for each value of the field; null: the tool does so by itself, and no line says it; for others there is no line.
   */
  values?: {
    [k: string]: string | null;
  };
  /**
   * The line stands where each of these fields has one of these values; '' is none.
   */
  when?: {
    /**
     * @minItems 1
     */
    [k: string]: string[];
  };
}
/**
 * A sentence on some values of a field.
 */
export interface TrainerNote {
  /**
   * Path of a field in a request.
   */
  field: string;
  /**
   * The values that it is about.
   *
   * @minItems 1
   */
  values: string[];
  text: Text;
}
/**
 * A conformance vector: a request, and figures of its reply that somebody else printed, counted or published.
 */
export interface Vector {
  /**
   * Version of the request's form.
   */
  version: 1;
  /**
   * Its name, which stays: made of what its row says, not of where it stands.
   */
  name: string;
  /**
   * What was counted. parameters: of a model; files: bytes of a GGUF; buffers: llama.cpp's own; logs: what runtimes print when they start; inference, training: measured runs; saved: what autograd keeps for the backward pass.
   */
  kind: 'parameters' | 'files' | 'buffers' | 'logs' | 'inference' | 'training' | 'saved';
  /**
   * The model's name; its config.json is in the request.
   */
  model: string;
  device?: VectorDevice;
  request: Request;
  less?: Request;
  /**
   * What is held.
   *
   * @minItems 1
   */
  figures: VectorFigure[];
  source: VectorSource;
}
/**
 * The device that the request names.
 */
export interface VectorDevice {
  /**
   * Its name.
   */
  name: string;
  /**
   * Its memory.
   */
  memory_bytes: number;
}
/**
 * One figure of the reply and what it should be.
 */
export interface VectorFigure {
  /**
   * What it is, in words.
   */
  metric: string;
  /**
   * Places in the reply whose numbers, or `bytes`, add up to it: names of members by `/`, entries of a list by their id or phase, `*` at a name's end for all that begin so. What is at none of its places is left out; where nothing is at any, the figure is missing.
   *
   * @minItems 1
   */
  at: string[];
  /**
   * What it counts.
   */
  unit: 'bytes' | 'parameters';
  /**
   * What the source says.
   */
  truth: number;
  /**
   * The least that the source leaves open: half of the last digit that it prints.
   */
  from: number;
  /**
   * The most that the source leaves open: half of the last digit, and GiB where it says GB and does not say which.
   */
  to: number;
  /**
   * How far beyond these is still held, as a part of the truth; 0 where it comes out or does not.
   */
  tolerance: number;
  ours: VectorAnswer;
}
/**
 * What Plimsoll says.
 */
export interface VectorAnswer {
  /**
   * The estimate.
   */
  value: number;
  /**
   * Its band from.
   */
  low: number;
  /**
   * Its band to.
   */
  high: number;
}
/**
 * Who says so.
 */
export interface VectorSource {
  /**
   * Where it was read, or what was asked.
   */
  title: string;
  /**
   * Its address.
   */
  url?: string;
  /**
   * Of what ran.
   */
  version?: string;
  /**
   * When.
   */
  date?: string;
  /**
   * On what.
   */
  device?: string;
  /**
   * Its words.
   */
  quoted?: string;
}
