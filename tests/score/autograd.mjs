// Ledgers of what autograd saved, counted op by op on real modules: they state a shape, so the config is written from it.

/** Both kinds of block as the config.json that has that shape. The vocabulary plays no part: only the layers are compared. */
const configs = {
  gpt: ({ h, a, L, s, dropout }) => ({
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    n_embd: h,
    n_head: a,
    n_layer: L,
    n_positions: s,
    n_inner: 4 * h,
    vocab_size: 1000,
    activation_function: 'gelu',
    resid_pdrop: dropout ?? 0,
    attn_pdrop: dropout ?? 0,
    embd_pdrop: 0,
  }),
  llama: ({ h, a, g, f, L, s }) => ({
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    hidden_size: h,
    num_attention_heads: a,
    num_key_value_heads: g ?? a,
    intermediate_size: f ?? 4 * h,
    num_hidden_layers: L,
    max_position_embeddings: s,
    vocab_size: 1000,
    tie_word_embeddings: false,
  }),
};

const precisions = { fp32: 'fp32', bf16: 'bf16', amp: 'bf16-autocast' };

const norms = { hf: 'reference', fused: 'fused' };

/** The optimizer ids of PyTorch's classes with those keywords that change what they keep; without any, it is the class's name. */
const optimizers = {
  'SGD momentum': 'sgd-momentum',
  'SGD momentum nesterov': 'sgd-nesterov',
  'Adam amsgrad': 'adam-amsgrad',
  'RMSprop momentum': 'rmsprop-momentum',
  'RMSprop momentum centered': 'rmsprop-centered-momentum',
};

/**
 * What CUDA would have saved: the count was made on a CPU, where LayerNorm keeps its two statistics in bf16, and where a scale that
 * is a Python number is saved as an 8-byte scalar that never reaches the GPU.
 */
function onCuda(row) {
  const scalars = Object.entries(row.by_op)
    .filter(([op]) => op.endsWith(':float64'))
    .reduce((sum, [, bytes]) => sum + bytes, 0);
  const statistics = row.kind === 'gpt' && row.prec === 'bf16' ? row.L * 2 * 2 * row.b * row.s * 2 : 0;
  return row.total - scalars + statistics;
}

/** What the forward pass keeps for the backward pass: the rows called so, the batch's own tensors and caches not among them. */
function saved(reply) {
  const activations = reply.rows.find(({ id }) => id === 'activations');
  const kept = (activations?.rows ?? []).filter(({ id }) => id.startsWith('saved.'));
  return kept.reduce((sum, { by_phase }) => sum + (by_phase?.forward ?? 0), 0);
}

/** What rows call linear layers, and the types of adapters. */
const layers = { q: 'q_proj', k: 'k_proj', v: 'v_proj', o: 'o_proj', gate: 'gate_proj', up: 'up_proj', down: 'down_proj' };
const types = { float32: 'fp32', bfloat16: 'bf16' };

const adapterOf = (row) => ({
  rank: row.r,
  targets: row.lora.map((name) => layers[name]),
  dropout: row.lora_dropout,
  encoding: types[row.lora_dtype],
});

function trainingRequest(row, shape, count, checkpointing) {
  return {
    schema: 1,
    task: 'training',
    explain: 'rows',
    model: { config: configs[shape]({ ...row, L: count }) },
    training: {
      ...(row.lora ? { method: 'lora', lora: adapterOf(row) } : { method: 'full' }),
      optimizer: 'adamw',
      micro_batch: row.b,
      sequence: row.s,
      precision: precisions[row.prec] ?? row.prec,
      checkpointing,
      attention: row.attn,
      dropout: row.dropout,
      norm: norms[row.norm] ?? row.norm,
      repeat_kv: row.repeat_kv,
    },
  };
}

/** The ledgers hold layers alone, so embedding, head and loss are taken out: a model of twice the layers less one of the layers. */
function blockCase(row, shape, checkpointing) {
  const engine = row.kind;
  return {
    engine: row.lora ? `${engine} lora` : engine,
    requests: [row.L, 2 * row.L].map((count) => trainingRequest(row, shape, count, checkpointing)),
    compare: (once, twice) => {
      const answer = saved(twice) - saved(once);
      return [{ metric: 'saved by the layers', truth: onCuda(row), answer, low: answer, high: answer, tolerance: 0 }];
    },
  };
}

function optimizerCase(row) {
  const keywords = ['momentum', 'nesterov', 'centered', 'amsgrad'].filter((keyword) => row.kw.includes(keyword));
  const id = keywords.length ? optimizers[[row.opt, ...keywords].join(' ')] : row.opt.toLowerCase();
  if (!id) return { engine: 'opt', reason: 'no preset for this optimizer with these keywords' };
  const precision = row.dtype === 'float32' ? 'fp32' : 'bf16';
  const config = configs.llama({ h: 256, a: 4, L: 2, s: 128 });
  return {
    engine: 'opt',
    requests: [
      { schema: 1, task: 'training', explain: 'rows', model: { config }, training: { optimizer: id, precision, micro_batch: 1, sequence: 128 } },
    ],
    compare: (reply) => {
      const bytes = reply.rows.find((r) => r.id === 'optimizer')?.by_phase?.forward ?? 0; // without what a step adds
      const answer = bytes / reply.model.parameters.trainable;
      return [{ metric: 'bytes a parameter', truth: row.state_bytes_per_param, answer, low: answer, high: answer, tolerance: 0 }];
    },
  };
}

const kinds = {
  gpt: (row) => blockCase(row, 'gpt', 'none'),
  llama: (row) => blockCase(row, 'llama', 'none'),
  ckpt_gpt: (row) => blockCase(row, 'gpt', 'full'),
  ckpt_llama: (row) => blockCase(row, 'llama', 'full'),
  opt: optimizerCase,
};

export function autogradCase(row) {
  const known = kinds[row.kind];
  return known ? known(row) : { engine: row.kind, reason: 'a bare head or a model without positions is no model that can be asked for' };
}
