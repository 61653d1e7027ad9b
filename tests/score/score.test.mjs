// The score's own arithmetic and mapping, on rows made for it: a score that counts wrongly would praise a wrong engine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';

import { judged, layoutsSection } from './layouts/layouts.mjs';
import { accuracy } from './published/accuracy.mjs';
import { calibration } from './calibration/bands.mjs';
import { kinds } from './rows/mapping.mjs';
import { deviceNamed } from './rows/names.mjs';
import { measuredFiles, score } from './run.mjs';
import { error, reasonLines, summaries } from './statistics.mjs';
import { trainingCase } from './rows/training.mjs';
import { partOf } from './rows/training_parts.mjs';

const result = (truth, answer, more = {}) => ({
  kind: 'k',
  engine: 'e',
  name: 'n',
  metric: 'm',
  truth,
  answer,
  low: answer,
  high: answer,
  tolerance: 0,
  ...more,
});

test('errors are relative to the truth', () => {
  assert.equal(error({ truth: 100, answer: 90 }), 0.1);
  assert.equal(error({ truth: 0, answer: 0 }), 0);
  assert.equal(error({ truth: 0, answer: 1 }), 1);
});

test('a summary counts rows, answers, exact ones and bands', () => {
  const results = [
    result(100, 100),
    result(100, 110, { low: 95, high: 120 }),
    result(100, 101, { tolerance: 0.02, between: [98, 102] }),
    { kind: 'k', engine: 'e', name: 'n', reason: 'refused' },
  ];
  const [line] = summaries(results);
  assert.deepEqual({ rows: line.rows, answered: line.answered, exact: line.exact }, { rows: 4, answered: 3, exact: 2 });
  assert.equal(line.median, 0.01);
  assert.equal(line.p90, 0.1);
  assert.equal(line.worst, 0.1);
  assert.equal(line.inside, 1); // the third by what its source leaves open
  assert.equal(summaries([result(100, 110)])[0].inside, 0);
});

test('reasons are counted', () => {
  const refused = { kind: 'k', engine: 'e', name: 'n', reason: 'refused' };
  assert.deepEqual(reasonLines([refused, refused]), ['not answered:', '      2  k: refused']);
});

const caseOf = (row) => {
  const kind = kinds.find(({ holds }) => holds(row));
  return { kind: kind.kind, ...kind.case(row, () => undefined) };
};

test('a row is told by what it holds', () => {
  const model = caseOf({ name: 'x', family: 'llama', config: {}, params_total: 10, params_active: 5, params_mtp: 0 });
  assert.equal(model.kind, 'models');
  const compared = model.compare({ model: { parameters: { total: 10, active: 5 } } });
  assert.deepEqual(
    compared.map(({ metric, truth, answer }) => [metric, truth, answer]),
    [
      ['parameters', 10, 10],
      ['active parameters', 5, 5],
    ],
  );
});

const table = (version, settings, printed) => ({
  id: 'x',
  engine: 'transformers',
  version,
  quant: 'BF16',
  hardware: 'NVIDIA A100 80GB',
  hf_config: { model_type: 'llama' },
  settings,
  printed,
});

test("a table's settings become a request", () => {
  const settings = { batch: 4, input_tokens: 100, generated_tokens: 20, attention: 'flash-attention-2', gpus: 1 };
  const { requests, compare } = caseOf(table('transformers 4.38.2, torch 2.1.2', settings, { max_memory_allocated_mib: 2 }));
  assert.deepEqual(JSON.parse(JSON.stringify(requests[0].inference)), {
    runtime: 'transformers',
    context: 120,
    prompt: 100,
    sequences: 4,
    logits: 'all',
    release: '4.38',
    flash_attention: true,
  });
  assert.equal(compare({ total: { bytes: 7 } })[0].truth, 2 ** 21);
  const later = caseOf(table('transformers 4.46.0, torch 2.3.1', settings, {}));
  assert.equal(later.requests[0].inference.logits, undefined);
});

test('ledgers are read as CUDA would have written them, and layers alone are compared', () => {
  const row = {
    kind: 'gpt',
    source: 's',
    h: 8,
    a: 2,
    s: 4,
    b: 1,
    L: 2,
    prec: 'bf16',
    dropout: 0,
    attn: 'eager',
    total: 1016,
    by_op: { 'scale:float64': 16 },
  };
  const reply = (loss) => ({
    rows: [
      {
        id: 'activations',
        rows: [
          { id: 'saved.norm', by_phase: { loss } },
          { id: 'inputs', by_phase: { loss: 5 } },
        ],
      },
    ],
  });
  const { requests, compare } = caseOf(row);
  assert.deepEqual(
    requests.map(({ model }) => model.config.n_layer),
    [2, 4],
  );
  const [figure] = compare(reply(300), reply(500));
  // 16 bytes of CPU scalars less; two layers of two norms of two statistics of four tokens, two bytes wider each.
  assert.equal(figure.truth, 1000 + 2 * 2 * 2 * 4 * 2);
  assert.equal(figure.answer, 200);
});

test('a row that holds its request is asked it, and compared as a whole and by phase', () => {
  const row = {
    source: 's',
    task: 'lora',
    model: 'x',
    config: { model_type: 'llama' },
    settings: {},
    kind: 'measured max_allocated',
    bytes: 100,
    device: 'NVIDIA GeForce RTX 4090',
    request: { schema: 1, task: 'training', device: { memory_bytes: 25_000_000_000 }, training: { method: 'lora', sequence: 8 } },
    measured: { max_allocated: 100, max_reserved: 120 },
    phases: { load: { allocated: 40, peak_allocated: 40 }, backward: { allocated: 60, peak_allocated: 100 } },
  };
  const { kind, engine, requests, compare } = caseOf(row);
  assert.deepEqual([kind, engine], ['requested', 'training, lora']);
  assert.deepEqual(requests[0].device, { preset: 'rtx-4090', memory_bytes: 25_000_000_000 });
  assert.deepEqual(requests[0].model, { config: row.config, name: 'x' });
  const band = { bytes: 90, low: 80, high: 110 };
  const timeline = [
    { phase: 'load', bytes: 40 },
    { phase: 'backward', bytes: 90 },
  ];
  const figures = compare({ total: { ...band, reserved: band, process: band }, timeline });
  assert.deepEqual(
    figures.map(({ metric, truth, answer }) => [metric, truth, answer]),
    [
      ['allocated', 100, 90],
      ['reserved', 120, 90],
      ['in phase load', 40, 40],
      ['in phase backward', 100, 90],
    ],
  );
  assert.match(caseOf({ ...row, kind: 'dry run' }).reason, /nothing was measured/);
});

test("what MLX prints is the allocator's peak, in units of 10^9", () => {
  const row = {
    id: 'x',
    engine: 'MLX',
    quant: 'q4 g32',
    hardware: 'Apple M4 Max 64GB',
    hf_config: { model_type: 'llama' },
    settings: { batch: 1, input_tokens: 100, generated_tokens: 20 },
    printed: { peak_memory_gb: 2.5 },
  };
  const { requests, compare } = caseOf(row);
  assert.equal(requests[0].weights.encoding, 'mlx-4bit-32g');
  assert.deepEqual([requests[0].inference.context, requests[0].inference.prompt, requests[0].device.preset], [120, 100, 'm4-max-64gb']);
  assert.equal(compare({ total: { bytes: 7 } })[0].truth, 2.5e9);
});

test('hardware finds its device by number and memory', () => {
  assert.equal(deviceNamed('2 × Radeon RX 7900 XTX'), 'rx-7900-xtx');
  assert.match(deviceNamed('NVIDIA A100 80GB'), /^a100-.*80gb$/);
  assert.equal(deviceNamed('NVIDIA GeForce RTX 3090 Ti'), 'rtx-3090-ti');
  assert.equal(deviceNamed('CUDA GPU'), undefined);
});

test("a log's words tell its release, and a printed limit is taken as it is", () => {
  const log = (quote, settings = {}) => ({
    id: 'x',
    engine: 'vLLM',
    version: null,
    quant: 'bf16',
    hardware: 'H100 80GB',
    hf_config: { model_type: 'llama', max_position_embeddings: 4096 },
    settings,
    printed: { total_gib: 79.22 },
    quote,
  });
  const asked = (...row) => caseOf(log(...row)).requests[0];
  assert.equal(asked('peak_torch_memory=17.06GiB').inference.release, '0.6.4');
  assert.equal(asked('model weights take 14.96GiB').inference.release, '0.7');
  assert.equal(asked('Model loading took 14.99 GiB').inference.release, '0.10');
  assert.equal(asked('15.26 GiB for consumed memory').inference.release, undefined);
  assert.equal(asked('').inference.context, 4096);
  assert.equal(asked('', { max_num_seqs: 16 }).inference.sequences_at_once, 16);
  assert.match(asked('').device.preset, /^h100/);
});

test("a training row is run as its tool did at that time, and says what it leaves to the tool's defaults", () => {
  const row = {
    source: 'meta-pytorch/torchtune README.md',
    model: 'Llama-3-8B',
    task: 'lora',
    kind: 'measured max_allocated',
    verified: 'read in source',
    bytes: 100,
    settings: { micro_batch: 2, dtype: 'bf16', gpu: '1xA6000' },
  };
  const { requests, assumed, compare } = trainingCase(row, { preset: 'llama-3-8b' });
  const { training } = JSON.parse(JSON.stringify(requests[0]));
  assert.deepEqual(training.lora, { rank: 8, targets: ['q_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'], encoding: 'bf16' });
  assert.deepEqual([training.sequence, training.checkpointing, training.loss, training.optimizer_step], [1024, 'full', 'chunked', 'fused']);
  assert.match(assumed, /^seq 1024, checkpointing true, .*single_device\.yaml/);
  assert.equal(compare({ total: { bytes: 90, low: 80, high: 110 } })[0].answer, 90);
  assert.equal(
    trainingCase({ ...row, settings: { ...row.settings, seq: 512, checkpointing: false, lora_r: 4, targets: 'q,v' } }, {}).assumed,
    undefined,
  );
  assert.match(trainingCase({ ...row, source: 'nobody' }, { preset: 'llama-3-8b' }).reason, /does not state sequence/);

  const rows = [
    { id: 'weights', by_phase: { load: 50 }, bytes: 60, low: 60, high: 66 },
    { id: 'slack', by_phase: { load: 5 }, bytes: 0, low: 0, high: 0 },
  ];
  const [loaded] = trainingCase({ ...row, task: 'lora: after model init, allocated' }, { preset: 'llama-3-8b' }).compare({ rows });
  assert.deepEqual([loaded.metric, loaded.answer, loaded.high], ['loaded', 50, 55]);
});

test("a pipeline's row is of its last stage, whose band is known where it is the fullest; between steps lies what is held", () => {
  const row = { kind: 'measured max_allocated', task: 'full megatron', settings: { rank: 'last stage' } };
  const rows = [
    { id: 'weights', bytes: 40 },
    { id: 'optimizer', bytes: 20 },
    { id: 'activations', bytes: 30 },
  ];
  const devices = [
    { device: 'stage 0', bytes: 100, rows: [] },
    { device: 'stage 1', bytes: 90, rows },
  ];
  const total = { device: 'stage 0', bytes: 100, low: 95, high: 105 };
  assert.deepEqual(partOf(row).total({ total, devices }), { bytes: 90 });
  const fullest = { ...total, device: 'stage 1' };
  assert.equal(partOf(row).total({ total: fullest, devices }), fullest);
  assert.equal(partOf(row).total({ total }), total);

  const held = partOf({ ...row, kind: 'measured allocated between steps' });
  assert.equal(held.metric, 'held between steps');
  assert.equal(held.total({ total, devices }).bytes, 60);
  assert.equal(held.total({ total, rows }).bytes, 60);
});

// What was reached on the rows of this repository, so that it cannot be lost. Rows that no rule explains are left out; ACCURACY.md names
// them.
describe('what was reached', () => {
  let all, explained;
  before(() => {
    all = score(measuredFiles());
    explained = summaries(all.filter(({ unexplained }) => !unexplained));
  });
  const line = (kind, engine, metric) => {
    const found = explained.find((each) => each.kind === kind && each.engine === engine && each.metric === metric);
    assert.ok(found, `no ${metric} of ${engine}`);
    return found;
  };
  /** Median, 90th percentile and worst are no larger. */
  const within = (found, median, p90, worst) => {
    assert.ok(found.median <= median, `${found.engine}, ${found.metric}: median ${found.median}`);
    assert.ok(found.p90 <= p90, `${found.engine}, ${found.metric}: 90th percentile ${found.p90}`);
    assert.ok(found.worst <= worst, `${found.engine}, ${found.metric}: worst ${found.worst}`);
  };

  test('llama.cpp: weights, cache and state to the byte, and compute buffers too', () => {
    for (const engine of ['llama.cpp', 'llama.cpp, partly off-loaded', 'llama.cpp, cache on the host', 'llama.cpp, experts on the host'])
      for (const metric of ['model, device', 'model, host', 'context, device', 'context, host']) within(line('buffers', engine, metric), 0, 0, 0);
    within(line('buffers', 'llama.cpp', 'compute, host'), 0, 0, 0);
    for (const part of ['all logits, flash attention', 'all logits, no flash attention', 'server, flash attention', 'server, no flash attention'])
      within(line('buffers', 'llama.cpp', `compute, device, ${part}`), 0, 0, 0);
    for (const engine of ['llama.cpp, cache on the host', 'llama.cpp, experts on the host'])
      for (const metric of ['compute, device, server, flash attention', 'compute, host']) within(line('buffers', engine, metric), 0, 0, 0);
    for (const part of ['model', 'context', 'compute'])
      for (const place of ['each device', 'host']) within(line('buffers', 'llama.cpp, several devices', `${part}, ${place}`), 0, 0, 0);
  });

  test('llama.cpp on device and host: layers that share a cache across them are not followed wholly', () => {
    const partly = (metric, ...limits) => within(line('buffers', 'llama.cpp, partly off-loaded', metric), ...limits);
    partly('compute, host', 0, 0, 0.15);
    partly('compute, device, all logits, flash attention', 0, 0, 0);
    partly('compute, device, all logits, no flash attention', 0.05, 0.14, 0.14);
    partly('compute, device, server, flash attention', 0, 0.03, 0.07);
  });

  test('llama.cpp in published logs', () => {
    within(line('inference', 'llama.cpp', 'cache'), 0, 1e-5, 1e-5);
    within(line('inference', 'llama.cpp', 'weights'), 1e-5, 1e-5, 1e-5);
    within(line('inference', 'llama.cpp', 'compute, device'), 0.03, 0.04, 0.04);
    within(line('inference', 'ik_llama.cpp', 'cache'), 0, 0, 0);
  });

  test('vLLM: weights as loaded, memory left for the cache, and what that holds', () => {
    within(line('inference', 'vLLM', 'weights as loaded'), 0.001, 0.005, 0.02);
    within(line('inference', 'vLLM', 'memory left for the cache'), 0.01, 0.03, 0.03);
    within(line('inference', 'vLLM', 'tokens of the memory left'), 0.001, 0.003, 0.02);
    assert.ok(line('inference', 'vLLM', 'memory left for the cache').inside >= 0.9);
    assert.ok(line('inference', 'vLLM', 'memory left for the cache').width < 0.1);
  });

  test('SGLang and TensorRT-LLM', () => {
    // of 72 logs; the farthest are a vendor's build, and checkpoints that keep layers in 16 bits that only they show
    within(line('inference', 'SGLang', 'weights as loaded'), 0.01, 0.04, 0.18);
    within(line('inference', 'TensorRT-LLM', 'tokens of the memory left'), 0.001, 0.002, 0.002);
  });

  test("transformers' tables", () => within(line('inference', 'transformers', 'max_memory_allocated'), 0.001, 0.02, 0.05));

  test('training: allocated, and what the driver sees', () => {
    within(line('training', 'measured max_allocated', 'peak'), 0.01, 0.05, 0.08);
    // the worst is t0299: what tensors ask for is the loss's, and what blocks leave unused follows from the order of the rest
    within(line('training', 'measured nvidia-smi/pynvml (incl. CUDA context)', 'peak'), 0.06, 0.1, 0.19);
  });

  test('training: what the allocator has of the driver, by what is known of the lengths', () => {
    within(line('training', 'measured max_reserved', 'peak'), 0.06, 0.13, 0.32);
    within(line('training', 'measured max_reserved, lengths that vary', 'peak'), 0.09, 0.3, 0.6);
  });

  test('training on several devices: what the allocator has of the driver', () => {
    within(line('training', 'measured max_allocated, several devices', 'peak'), 0.03, 0.11, 0.17);
    within(line('training', 'measured max_reserved, several devices', 'peak'), 0.06, 0.24, 0.39);
  });

  test('parameters, and files of GGUF', () => {
    within(line('models', 'all', 'parameters'), 0, 0, 0.001);
    within(line('types', 'llama.cpp', 'bytes of the file'), 0, 0, 0);
  });

  test('ACCURACY.md says so', async () => {
    const page = readFileSync(new URL('../../ACCURACY.md', import.meta.url), 'utf8');
    const { strata } = await calibration(measuredFiles());
    assert.equal(page, accuracy(summaries(all), all, strata, layoutsSection(judged())), './dev score --write');
  });
});
