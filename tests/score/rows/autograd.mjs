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
  // a small model's step: GPT's layers, the embedding as head, and no table of positions, as Falcon's oldest has it
  lm: ({ h, a, L, s, V }) => ({
    model_type: 'falcon',
    hidden_size: h,
    num_attention_heads: a,
    num_hidden_layers: L,
    max_position_embeddings: s,
    vocab_size: V,
    alibi: true,
    bias: true,
    multi_query: false,
    parallel_attn: false,
    new_decoder_architecture: false,
  }),
};

const precisions = { fp32: 'fp32', bf16: 'bf16', amp: 'bf16-autocast', amp16: 'bf16-autocast' };

const norms = { hf: 'reference', fused: 'fused' };

/** Keywords of PyTorch's optimizers that keep one more tensor; Nesterov's momentum, the rate and such change the step alone. */
const keeping = ['momentum', 'amsgrad', 'centered'];

const optimizerNamed = ({ opt, kw }) => [opt.toLowerCase(), ...keeping.filter((word) => kw.includes(`'${word}'`))].join('-');

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
  return kept.reduce((sum, { by_phase }) => sum + (by_phase?.loss ?? 0), 0);
}

/** What rows call linear layers, and the types of adapters. */
const modules = { q: 'q_proj', k: 'k_proj', v: 'v_proj', o: 'o_proj', gate: 'gate_proj', up: 'up_proj', down: 'down_proj' };
const types = { float32: 'fp32', bfloat16: 'bf16' };

/** Which method a row's adapters are of. */
const methodOf = (row) => (row.oft_block_size ? 'oft' : row.dora ? 'dora' : 'lora');

const adapterOf = (row) => ({
  rank: row.r,
  targets: row.lora.map((name) => modules[name]),
  dropout: row.lora_dropout,
  encoding: types[row.lora_dtype],
  kernels: row.kernels,
});

const adaptersOf = (row) => ({
  method: methodOf(row),
  lora: adapterOf(row),
  ...(row.oft_block_size && { oft: { block_size: row.oft_block_size } }),
});

function trainingRequest(row, config, checkpointing) {
  return {
    schema: 1,
    task: 'training',
    explain: 'rows',
    model: { config },
    ...(row.prec === 'amp16' && { weights: { encoding: 'bf16' } }), // a frozen base of 16 bits under autocast
    ...(row.packed && { weights: { encoding: 'nf4-dq' } }),
    training: {
      ...(row.lora ? adaptersOf(row) : { method: 'full' }),
      optimizer: 'adamw',
      micro_batch: row.b,
      sequence: row.s,
      precision: precisions[row.prec] ?? row.prec,
      checkpointing,
      recompute_modules: row.recompute_modules,
      attention: row.attn,
      dropout: row.dropout,
      norm: norms[row.norm] ?? row.norm,
      repeat_kv: row.repeat_kv,
      mask: row.mask,
      experts: row.experts,
    },
  };
}

/** The ledgers hold layers alone, so embedding, head and loss are taken out: a model of twice the layers less one of the layers. */
function layersCase(row, engine, [once, twice], checkpointing) {
  return {
    engine: row.lora ? `${engine} ${methodOf(row)}` : engine,
    requests: [once, twice].map((config) => trainingRequest(row, config, checkpointing)),
    compare: (reply, larger) => {
      const answer = saved(larger) - saved(reply);
      const at = ['rows/activations/rows/saved.*/by_phase/loss'];
      return [{ metric: 'saved by the layers', truth: onCuda(row), answer, low: answer, high: answer, tolerance: 0, at }];
    },
  };
}

/** The layers of a vision tower, over the patches of a sequence's images. */
function towerCase(row, engine) {
  const made = layersCase({ ...row, b: 1, s: 64 }, engine, [row.config, row.config_twice], 'none');
  const requests = made.requests.map((request) => ({ ...request, training: { ...request.training, images: row.images } }));
  return { ...made, requests };
}

const blockCase = (row, shape, checkpointing) =>
  layersCase(
    row,
    row.kind,
    [row.L, 2 * row.L].map((L) => configs[shape]({ ...row, L })),
    checkpointing,
  );

/** A whole model of which named parts are trained, from the embedding to the logits. */
function frozenCase(row) {
  const request = trainingRequest(row, row.config, 'none');
  request.training = { ...request.training, method: 'freeze', freeze: row.freeze };
  return {
    engine: `${row.family} frozen`,
    requests: [request],
    compare: (reply) => [
      exactly('saved', row.total, saved(reply) - (at(reply, 'loss', 'activations', ['saved.rotary_tables']) ?? 0)),
      exactly('trained', row.trained, reply.model.parameters.trainable),
    ],
  };
}

function optimizerCase(row) {
  const precision = row.dtype === 'float32' ? 'fp32' : 'bf16';
  const config = configs.llama({ h: 256, a: 4, L: 2, s: 128 });
  return {
    engine: 'opt',
    requests: [
      {
        schema: 1,
        task: 'training',
        explain: 'rows',
        model: { config },
        training: { optimizer: optimizerNamed(row), precision, micro_batch: 1, sequence: 128 },
      },
    ],
    compare: (reply) => {
      const bytes = reply.rows.find((r) => r.id === 'optimizer')?.by_phase?.forward ?? 0; // without what a step adds
      const answer = bytes / reply.model.parameters.trainable;
      return [{ metric: 'bytes a parameter', unit: 'ratio', truth: row.state_bytes_per_param, answer, low: answer, high: answer, tolerance: 0 }];
    },
  };
}

const exactly = (metric, truth, answer) => ({ metric, truth, answer, low: answer, high: answer, tolerance: 0 });

/** Bytes of a row, or of a row's children that are called so, in one phase; undefined where there is no such row. */
function at(reply, phase, row, children) {
  const whole = reply.rows.find(({ id }) => id === row);
  if (!children) return whole?.by_phase[phase] ?? 0;
  const parts = (whole?.rows ?? []).filter(({ id }) => children.includes(id));
  return parts.length ? parts.reduce((sum, { by_phase }) => sum + (by_phase[phase] ?? 0), 0) : undefined;
}

/** The head alone: the vocabulary matrix behind one layer, of which nothing is compared. */
const headRequest = (row, training) => ({
  schema: 1,
  task: 'training',
  explain: 'rows',
  model: { config: { ...configs.llama({ ...row, a: 4, f: row.h, L: 1 }), vocab_size: row.V } },
  training: { optimizer: 'sgd', ...training },
});

/** What the product with the vocabulary matrix and the loss keep. */
function headCase(row) {
  return {
    engine: 'head',
    requests: [headRequest(row, { micro_batch: row.b, sequence: row.s, precision: precisions[row.prec], logits_cut: row.shift })],
    compare: (reply) => {
      const loss = at(reply, 'loss', 'logits', ['log_softmax', 'targets', 'scalars']);
      const answer = loss === undefined ? undefined : at(reply, 'loss', 'activations', ['saved.head']) + loss;
      return [exactly('saved by the head and the loss', row.total, answer)];
    },
  };
}

/**
 * What the logits, their gradients and the vocabulary matrix's are at most, while the model's outputs are held. The ledger is of the head
 * alone: a model is asked of which nothing else is trained that is as large, neither the embedding nor a layer.
 */
function headPeakCase(row) {
  const precision = row.dtype === 'float32' ? 'fp32' : 'bf16';
  const alone = { method: 'lora', lora: { rank: 1, targets: ['q_proj'], modules_to_save: ['lm_head'] } };
  return {
    engine: 'head_peak',
    requests: [headRequest({ ...row, s: row.n }, { ...alone, sequence: row.n, precision, logits_kept: true, logits_in_fp32: row.upcast })],
    compare: (reply) => {
      // the targets are given, and not counted there
      const logits = (phase) => at(reply, phase, 'logits') - (at(reply, phase, 'logits', ['targets']) ?? 0);
      const backward = logits('backward') + at(reply, 'backward', 'gradients');
      return [
        exactly('logits in the forward pass', row.fwd_peak, Math.max(logits('forward'), logits('loss'))),
        exactly('logits in the backward pass', row.bwd_peak, backward + (at(reply, 'backward', 'activations', ['in_flight']) ?? 0)),
      ];
    },
  };
}

/** A whole step of a small model: what is alive at most beside its parameters and the batch. */
function stepCase(row) {
  const training = { optimizer: 'sgd', precision: 'fp32', attention: 'eager', micro_batch: row.b, sequence: row.s };
  const checkpointing = row.checkpoint ? 'full' : 'none';
  return {
    engine: 'lm',
    requests: [{ schema: 1, task: 'training', explain: 'rows', model: { config: configs.lm(row) }, training: { ...training, checkpointing } }],
    compare: (reply) => {
      const alive = (phase) =>
        ['activations', 'logits', 'gradients'].reduce((sum, id) => sum + at(reply, phase, id), 0) -
        (at(reply, phase, 'activations', ['inputs']) ?? 0);
      return [
        exactly('alive at most in the forward pass', row.fwd_peak, Math.max(alive('forward'), alive('loss'))),
        exactly('alive at most in the backward pass', row.bwd_peak, alive('backward')),
      ];
    },
  };
}

const kinds = {
  gpt: (row) => blockCase(row, 'gpt', 'none'),
  llama: (row) => blockCase(row, 'llama', 'none'),
  ckpt_gpt: (row) => blockCase(row, 'gpt', 'full'),
  ckpt_llama: (row) => blockCase(row, 'llama', 'full'),
  frozen: frozenCase,
  tower_layer: (row) => towerCase(row, row.family),
  layer: (row) => layersCase(row, row.family, [row.config, row.config_twice], row.checkpointing ?? 'none'),
  opt: optimizerCase,
  head: headCase,
  head_peak: headPeakCase,
  lm: stepCase,
};

export function autogradCase(row) {
  const known = kinds[row.kind];
  return known ? known(row) : { engine: row.kind, reason: 'the live tensors of one layer are compared in tests/engine/model/ledgers.cpp' };
}
