// No request may take long: numbers are driven to the edges that the schema allows, and whatever is accepted is answered at
// once. What asks for more than that is refused at its field. PLIMSOLL_PROPERTIES: how many requests, of which a tenth is tried.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { askNative } from '../native/native.mjs';
import { Random } from '../parity/random.mjs';
import { randomRequest } from './random.mjs';

const count = Number(process.env.PLIMSOLL_PROPERTIES ?? 5000) / 10;
const random = new Random(Number(process.env.PLIMSOLL_SEED ?? 20261123));
/** Far above what any request takes (a quarter of a second, of 3,000), so that a busy machine does not fail. */
const most = 5000;

/** The largest value that the schema allows of each field, by its last name. */
const largest = new Map();
const groups = new Set(['properties', '$defs', 'items', 'anyOf', 'oneOf']);
function learn(node, key) {
  if (typeof node !== 'object' || node === null) return;
  if (node.maximum !== undefined) largest.set(key, Math.max(largest.get(key) ?? 0, node.maximum));
  for (const [name, value] of Object.entries(node)) learn(value, groups.has(name) || /^\d+$/.test(name) ? key : name);
}
learn(JSON.parse(readFileSync(new URL('../../presets/schema/request.json', import.meta.url), 'utf8')), '');

function driven(node) {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null) driven(value);
    if (typeof value === 'number' && random.chance(40)) node[key] = random.pick([largest.get(key) ?? 1e9, 1e6, 1e4, 1000, 64]);
  }
  return node;
}

const mixture = {
  model_type: 'mixtral',
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  num_local_experts: 8,
  vocab_size: 32000,
};
const vast = { num_hidden_layers: [1e4, 1e6, 1e9], num_local_experts: [1e5, 1e9], hidden_size: [2 ** 40], vocab_size: [1e12] };
const ways = [
  { inference: { context: 4096 } },
  { inference: { context: 4096, runtime: 'llama.cpp' } },
  { inference: { context: 1e6, runtime: 'vllm' }, device: { preset: 'h100-sxm-80gb' }, devices: 8 },
  { task: 'training', training: { sequence: 512 } },
  { task: 'training', training: { sequence: 512, accumulation: 1e6 }, parallel: { pipeline: 64, framework: 'megatron' } },
  { task: 'training', training: { sequence: 512 }, parallel: { data: 1024, framework: 'deepspeed', zero: 3 } },
];
const configs = Object.entries(vast).flatMap(([key, values]) =>
  values.flatMap((value) => ways.map((way) => ({ model: { config: { ...mixture, [key]: value } }, ...way }))),
);

function slowest(requests) {
  const texts = requests.map((request) => JSON.stringify(request));
  const times = askNative(texts, ['estimate', '--repeat', '1']).map(Number);
  const time = Math.max(...times);
  assert.ok(time < most, `${time} ms: ${texts[times.indexOf(time)]}`);
}

test('requests with numbers at the edges are answered or refused at once', () =>
  slowest(Array.from({ length: count }, () => driven(randomRequest(random)))));
test('so are models of a million layers, experts or more', () => slowest(configs));
