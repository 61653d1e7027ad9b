// The score's own arithmetic and mapping, on rows made for it: a score that counts wrongly would praise a wrong engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kinds } from './mapping.mjs';
import { deviceNamed } from './names.mjs';
import { error, reasonLines, summaries } from './statistics.mjs';

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
    result(100, 101, { tolerance: 0.02 }),
    { kind: 'k', engine: 'e', name: 'n', reason: 'refused' },
  ];
  const [line] = summaries(results);
  assert.deepEqual({ rows: line.rows, answered: line.answered, exact: line.exact }, { rows: 4, answered: 3, exact: 2 });
  assert.equal(line.median, 0.01);
  assert.equal(line.p90, 0.1);
  assert.equal(line.worst, 0.1);
  assert.equal(line.inside, 2 / 3);
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
  const reply = (forward) => ({
    rows: [
      {
        id: 'activations',
        rows: [
          { id: 'saved.norm', by_phase: { forward } },
          { id: 'inputs', by_phase: { forward: 5 } },
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

test('hardware finds its device by number and memory', () => {
  assert.match(deviceNamed('NVIDIA A100 80GB'), /^a100-.*80gb$/);
  assert.equal(deviceNamed('NVIDIA GeForce RTX 3090 Ti'), 'rtx-3090-ti');
  assert.equal(deviceNamed('CUDA GPU'), undefined);
});
