// A printed speed of a training as a request. Rows name models, types and layouts in their authors' words.

import { deviceNamed, modelNamed, presetOf } from '../rows/names.mjs';

/** Shapes of llm-foundry's MPT models (scripts/train/benchmarking and scripts/train/yamls/pretrain: d_model, n_heads, n_layers). */
const mpt = {
  '125m': [768, 12, 12],
  '350m': [1024, 16, 24],
  '760m': [1536, 12, 24],
  '1b': [2048, 16, 24],
  '3b': [2560, 20, 32],
  '7b': [4096, 32, 32],
  '13b': [5120, 40, 40],
  '30b': [7168, 56, 48],
  '70b': [8192, 64, 80],
};

function mptConfig(size, sequence) {
  const [d_model, n_heads, n_layers] = mpt[size];
  const config = {
    model_type: 'mpt',
    architectures: ['MPTForCausalLM'],
    d_model,
    n_heads,
    n_layers,
    expansion_ratio: 4,
    vocab_size: 50368,
  };
  return {
    config: {
      ...config,
      max_seq_len: sequence,
      no_bias: true,
      attn_config: { alibi: false },
    },
  };
}

/** Who divides the model, by who ran it. */
const frameworks = [
  ['megatron', /^(Megatron|NeMo)/],
  ['fsdp', /^llm-foundry/],
  ['fsdp2', /^torchtitan/],
];

/** How linear layers are multiplied, by a row's word for its types. */
const types = [
  ['nvfp4', /nvfp4/i],
  ['mxfp8', /mxfp8|fp8-mx\b/i],
  ['fp8', /fp8|float8/i],
  ['bf16', /bf16|bfloat16/i],
];

const kindOf = (list, words) => list.find(([, pattern]) => pattern.test(words ?? ''))?.[0];

function modelOf({ hf_id: id, model, seq }) {
  const size = /^MPT-(\w+)$/.exec(model)?.[1];
  if (size) return mpt[size] && mptConfig(size, seq);
  const plain = model
    .replace(/ \(.*\)$/, '')
    .replace(/^LLAMA(\d)[-_ ]/i, 'Llama-$1-')
    .replace(/^Llama(\d\.\d)-/i, 'Llama-$1-')
    .replace(/^DeepSeekV3$|^DeepSeek3-671B$/, 'DeepSeek-V3')
    .replace(/_/g, '-');
  for (const name of [id, plain, `Llama-${plain}`].filter(Boolean)) {
    const preset = modelNamed(name);
    if (preset) return { preset };
  }
  return undefined;
}

/** Degrees as a request says them; what is left of the devices are copies. */
function parallelOf({ parallel, devices }, framework) {
  const { tp = 1, pp = 1, cp = 1, ep = 1, vp = 1, fsdp } = parallel ?? {};
  const tensor = framework === 'megatron' || typeof fsdp === 'number' ? tp : 1;
  const data = devices / (tensor * pp * cp);
  const zero = {
    megatron: 1,
    fsdp: fsdp === 'SHARD_GRAD_OP' ? 2 : 3,
    fsdp2: 3,
  }[framework];
  return {
    data,
    said: {
      framework,
      data,
      tensor,
      pipeline: pp,
      ...(cp > 1 && { context: cp }),
      ...(ep > 1 && { expert: ep }),
      ...(pp > 1 && vp > 1 && { virtual_stages: vp }),
      ...(tensor > 1 && { sequence_parallel: true }),
      ...(data * cp > 1 && { zero }),
    },
  };
}

const checkpointingOf = ({ checkpointing }) => {
  if (checkpointing === true || checkpointing === 'full') return 'full';
  return /selective|SAC/.test(checkpointing ?? '') ? 'selective' : 'none';
};

/** @returns {{request: object, truth: number, framework: string, types: string, source: string} | {reason: string}} */
export function trainingCase(row) {
  if (!row.unit.startsWith('tokens/s/device')) return { reason: 'not tokens a second of a device' };
  const framework = kindOf(frameworks, row.runtime);
  if (!framework) return { reason: 'a framework that is not known here' };
  const model = modelOf(row);
  if (!model) return { reason: 'a model without a preset' };
  const device = deviceNamed(row.device_in_truth ?? row.device);
  if (!device) return { reason: 'a device without a preset' };
  if (!row.seq || !row.devices || !row.micro_batch) return { reason: 'sequence, devices or micro-batch are not said' };
  const arithmetic = kindOf(types, row.quant) ?? 'bf16';
  if (arithmetic === 'nvfp4') return { reason: 'a type that is not known here' };
  const { data, said } = parallelOf(row, framework);
  // torchtitan's batch of a rank is cut into micro-batches of one sequence where it runs a pipeline.
  const split = framework === 'fsdp2' && said.pipeline > 1 ? row.micro_batch : 1;
  const accumulation = row.grad_accum ?? (row.global_batch ? row.global_batch / (row.micro_batch * data) : 1) * split;
  if (!Number.isInteger(data) || !Number.isInteger(accumulation)) return { reason: 'degrees that do not make up the devices' };
  return {
    request: {
      task: 'training',
      time: true,
      explain: 'none',
      model,
      device: { preset: device },
      devices: row.devices,
      parallel: said,
      training: {
        method: /lora/i.test(row.method) ? 'lora' : 'full',
        precision: arithmetic === 'bf16' ? 'bf16-mixed' : 'fp8-mixed',
        ...(arithmetic !== 'bf16' && {
          fp8_recipe: arithmetic === 'mxfp8' ? 'mxfp8' : 'current',
        }),
        micro_batch: row.micro_batch / split,
        sequence: row.seq,
        accumulation,
        checkpointing: checkpointingOf(row),
        ...(framework === 'fsdp2' && { optimizer_step: 'fused' }), // torchtitan's default
      },
    },
    truth: row.value,
    framework,
    device,
    types: arithmetic,
    source: row.source,
    stated: row.checkpointing !== undefined && row.checkpointing !== null,
  };
}
