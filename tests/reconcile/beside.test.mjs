// What a text states, beside the form: lines, values that agree best, and a message that memory ran out.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apart, nearest } from '../../web/src/reconcile/agreeing.mjs';
import { candidates } from '../../web/src/reconcile/candidates.mjs';
import { asLarge, failureIn, likelyPhase } from '../../web/src/reconcile/failing.mjs';
import { requestOf, unused, withLines } from '../../web/src/reconcile/laying.mjs';

const said = {
  settings: { n_ctx: 8192, model: 'some-8b', enforce_eager: true },
  stated: { n_ctx: 'llama_context: n_ctx = 8192', model: "model='some-8b'", enforce_eager: 'enforce_eager=True' },
  figures: [
    { counter: 'device_total', line: 'total 24 GiB' },
    { counter: 'kv_buffer', line: 'CUDA0 KV buffer size = 1 MiB' },
  ],
  fields: [
    { field: 'inference.runtime', value: 'llama.cpp', from: 'tool' },
    { field: 'inference.context', value: 8192, from: 'n_ctx' },
    { field: 'device.memory_bytes', value: 1, from: 'device_total' },
    { field: 'inference.backend', value: 'cuda', from: 'device' },
  ],
};

test('each field has the line of its setting, of its counter, or of a buffer; a tool has none', () => {
  assert.deepEqual(
    withLines(said).map(({ line }) => line),
    [undefined, 'llama_context: n_ctx = 8192', 'total 24 GiB', 'CUDA0 KV buffer size = 1 MiB'],
  );
});

test('a setting that no field came from is told, with its line', () => {
  assert.deepEqual(
    unused(said).map(({ name, line }) => [name, line]),
    [
      ['model', "model='some-8b'"],
      ['enforce_eager', 'enforce_eager=True'],
    ],
  );
});

test('fields that are taken become a request', () => {
  const taken = said.fields.filter(({ field }) => field.startsWith('inference.'));
  assert.deepEqual(requestOf(taken), { inference: { runtime: 'llama.cpp', context: 8192, backend: 'cuda' } });
  assert.deepEqual(requestOf([]), {});
});

test('values under which figures and ours agree come first; where nothing tells them apart, none does', () => {
  const beside = (ours, difference) => ({ ours: { bytes: ours }, difference });
  assert.equal(apart([]), undefined);
  assert.equal(apart([beside(100, 0), beside(100, 100)]), 0.25);
  const tried = [
    { value: 'far', apart: 0.5 },
    { value: 'unknown', apart: undefined },
    { value: 'near', apart: 0.01 },
    { value: 'between', apart: 0.2 },
  ];
  assert.deepEqual(nearest(tried, 2), { values: ['near'], far: false });
  assert.deepEqual(nearest([...tried, { value: 'nearer', apart: 0 }], 1), { values: ['nearer'], far: false });
  assert.deepEqual(nearest([tried[0], tried[3]], 2), { values: [], far: true }, 'none agrees');
  assert.deepEqual(nearest([tried[0], { ...tried[2], apart: 0.5 }], 2), { values: [], far: false });
  assert.deepEqual(nearest([], 2), { values: [], far: false });
});

const figure = (counter, bytes, more = {}) => ({ counter, bytes, low: bytes - 5, high: bytes + 5, value: bytes, ...more });

test('what failed stands with what the message says of the same device', () => {
  const figures = [figure('device_total', 24, { device: 1 }), figure('device_total', 80, { device: 0 }), figure('requested', 2, { device: 0 })];
  const { asked, beside } = failureIn(figures);
  assert.equal(asked.bytes, 2);
  assert.deepEqual(
    beside.map(({ bytes }) => bytes),
    [80],
  );
  assert.equal(failureIn([figure('allocated', 1)]), undefined);
});

test('a part of the estimate of the same size is named, and the phase that needs more than was there', () => {
  const answer = {
    rows: [{ id: 'activations', bytes: 90, rows: [{ id: 'logits', bytes: 42 }] }],
    timeline: [
      { phase: 'load', bytes: 50 },
      { phase: 'forward', bytes: 80 },
      { phase: 'backward', bytes: 120 },
    ],
  };
  assert.deepEqual(asLarge(answer, figure('requested', 40)), [{ path: ['activations', 'logits'], bytes: 42 }]);
  assert.deepEqual(asLarge({}, figure('requested', 40)), []);
  assert.deepEqual(asLarge(answer, figure('requested', 90)), [], 'each layer asks for a part of it');
  assert.equal(likelyPhase(answer, 60), 'forward');
  assert.equal(likelyPhase(answer, 500), 'backward', 'the fullest, where none needs so much');
  assert.equal(likelyPhase(answer, undefined), undefined);
});

const shape = { num_hidden_layers: 32, hidden_size: 4096, num_attention_heads: 32 };
const presets = [
  { id: 'one', name: 'One', config: { ...shape, num_key_value_heads: 8, vocab_size: 128256 } },
  { id: 'two', name: 'Two', config: { text_config: { ...shape, num_key_value_heads: 8, vocab_size: 32000 } } },
  { id: 'all-heads', name: 'All heads', config: { ...shape, vocab_size: 32000 } },
  { id: 'other', name: 'Other', config: { ...shape, num_hidden_layers: 80 } },
];

test('of a shape without a name those presets are offered under which the figures agree best, and no others', async () => {
  const asked = [];
  const held = (differences) => async (id) => {
    asked.push(id);
    return differences[id] === undefined ? undefined : [{ ours: { bytes: 100 }, difference: differences[id] }];
  };
  const offered = (settings, differences) => candidates(settings, presets, held(differences));
  assert.deepEqual(await offered({ n_layer: 32, n_embd: 4096 }, { one: 5, two: 1, 'all-heads': 300 }), [
    { model: 'two', apart: 1 / 101 },
    { model: 'one', apart: 5 / 105 },
  ]);
  assert.ok(!asked.includes('other'), 'of another shape');
  // as Ollama counts them, the output is a layer; nothing compared, and too little said
  assert.deepEqual(await offered({ layers_total: 33 }, {}), []);
  assert.deepEqual(await offered({ n_layer: 32, n_embd: 4096, n_head: 32, n_head_kv: 32 }, {}), [{ model: 'all-heads' }]);
  assert.deepEqual(await offered({}, { one: 0 }), []);
});

test("PEFT's count of all parameters less its adapters is that of a preset, or of none", async () => {
  const sized = [
    { id: 'sized-chat', name: 'Sized Chat', parameters: 6738415616 },
    { id: 'sized', name: 'Sized', parameters: { value: 6738415616 } },
  ];
  const offered = (settings) => candidates(settings, sized, async () => undefined);
  assert.deepEqual(await offered({ trainable_params: 4194304, all_params: 6742609920 }), [{ model: 'sized' }, { model: 'sized-chat' }]);
  assert.deepEqual(await offered({ trainable_params: 6738415616, all_params: 6738415616 }), [{ model: 'sized' }, { model: 'sized-chat' }]);
  assert.deepEqual(await offered({ trainable_params: 1, all_params: 6742609920 }), []);
});
