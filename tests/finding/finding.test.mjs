// What people write, and what they mean by it: one table for the page's lists and for the command line.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { deviceEntry, encodingEntry, modelEntry } from '../../web/src/finding/entries.mjs';
import { found, meaning } from '../../web/src/finding/meaning.mjs';
import { edits, ranked, wordsOf } from '../../web/src/finding/ranking.mjs';
import { repositoryIn } from '../../web/src/finding/repositories.mjs';
import { entries } from '../../web/src/node/commands/names/entries.mjs';
import { likely } from '../../web/src/node/commands/names/likely.mjs';
import { common, presets } from '../../web/src/node/presets.mjs';

/** As the page makes them, of what the build hands it (web/src/engine/entry.ts). */
const ofPage = {
  models: presets('models').map((one) =>
    modelEntry({
      ...one,
      nominal: one.nominal_parameters,
      hub: one.hugging_face_id,
    }),
  ),
  devices: presets('devices').map(deviceEntry),
  encodings: presets('encodings').map(encodingEntry),
};

/** What is written, what stands first in the list, and what the command line does: it takes it, tells that it took it, or offers it. */
const table = {
  models: [
    ['qwen3 32b', 'qwen3-32b', 'taken'],
    ['Qwen3-32B', 'qwen3-32b', 'taken'],
    ['qwen 3 32b', 'qwen3-32b', 'taken'],
    ['qwen3 vl 32b', 'qwen3-vl-32b', 'taken'],
    ['qwen3', 'qwen3-8b', 'told'],
    ['qwen3 8b', 'qwen3-8b', 'taken'],
    ['qwen3:8b', 'qwen3-8b', 'taken'],
    ['30b a3b', 'qwen3-30b-a3b', 'told'],
    ['qwen3 coder 30b', 'qwen3-coder-30b-a3b', 'told'],
    ['llama', 'llama-3.1-8b', 'told'],
    ['llama 3 8b', 'llama-3-8b', 'taken'],
    ['llama 3.1 8b', 'llama-3.1-8b', 'taken'],
    ['llama3.1 8b', 'llama-3.1-8b', 'taken'],
    ['llama 3.1 8b instruct', 'llama-3.1-8b', 'told'],
    ['llama 3 8b instruct', 'llama-3-8b-instruct', 'taken'],
    ['llama 3.1 8 b', 'llama-3.1-8b', 'taken'],
    ['llama 3.3', 'llama-3.3-70b-instruct', 'told'],
    ['lama 3.1 8b', 'llama-3.1-8b', 'offered'],
    ['llmaa 3.1 8b', 'llama-3.1-8b', 'offered'],
    ['mistral 7b', 'mistral-7b-v0.3', 'told'],
    ['mistrall 7b', 'mistral-7b-v0.3', 'offered'],
    ['mixtral', 'mixtral-8x7b', 'told'],
    ['gemma 3 27b', 'gemma-3-27b', 'taken'],
    ['gemma3 27b it', 'gemma-3-27b', 'taken'],
    ['deepseek r1', 'deepseek-r1', 'taken'],
    ['deepseek v3', 'deepseek-v3', 'taken'],
    ['deepseek 3.2', 'deepseek-v3.2', 'offered'],
    ['deepsek r1', 'deepseek-r1', 'offered'],
    ['gpt oss 20b', 'gpt-oss-20b', 'taken'],
    ['gptoss 120b', 'gpt-oss-120b', 'taken'],
    ['phi 4', 'phi-4', 'taken'],
    ['phi 4 mini', 'phi-4-mini', 'taken'],
    ['gpt2', 'gpt2', 'taken'],
    ['kimi k2', 'kimi-k2-instruct', 'told'],
    ['tinyllama', 'tinyllama-1.1b', 'told'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'llama-3.1-8b', 'told'],
    ['meta-llama/Meta-Llama-3.1-8B', 'llama-3.1-8b', 'told'],
    ['meta-llama/Meta-Llama-3-70B', 'llama-3-70b', 'taken'],
    ['Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['qwen/qwen3-32b', 'qwen3-32b', 'taken'],
    ['google/gemma-2-9b-it', 'gemma-2-9b', 'taken'],
    ['https://huggingface.co/Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['huggingface.co/Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['https://hf.co/Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['https://huggingface.co/Qwen/Qwen3-32B/tree/main', 'qwen3-32b', 'taken'],
    ['https://huggingface.co/Qwen/Qwen3-32B/blob/main/config.json', 'qwen3-32b', 'taken'],
    ['https://huggingface.co/Qwen/Qwen3-32B?library=vllm', 'qwen3-32b', 'taken'],
    ['https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct', 'llama-3.1-8b', 'told'],
    ['https://hf-mirror.com/Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['https://modelscope.cn/models/Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['https://www.modelscope.cn/models/Qwen/Qwen3-32B/files', 'qwen3-32b', 'taken'],
    ['modelscope:Qwen/Qwen3-32B', 'qwen3-32b', 'taken'],
    ['https://modelscope.cn/models/LLM-Research/Meta-Llama-3.1-8B-Instruct', 'llama-3.1-8b', 'told'],
    ['ollama:qwen3:8b', 'qwen3-8b', 'told'],
    ['ollama:llama3.1:8b-instruct-q4_K_M', 'llama-3.1-8b', 'told'],
    ['https://ollama.com/library/qwen3:8b', 'qwen3-8b', 'told'],
    ['somebody/Llama-3.1-8B', undefined],
    ['https://huggingface.co/somebody/model', undefined],
    ['ollama:nobody-knows:1b', undefined],
    ['no such model', undefined],
  ],
  devices: [
    ['H100', 'h100-sxm-80gb', 'told'],
    ['h100 nvl', 'h100-nvl-94gb', 'told'],
    ['h100 pcie', 'h100-pcie-80gb', 'told'],
    ['H100 SXM5 80GB', 'h100-sxm-80gb', 'told'],
    ['NVIDIA H100 80GB HBM3', 'h100-sxm-80gb', 'told'],
    ['NVIDIA A100-SXM4-80GB', 'a100-sxm-80gb', 'told'],
    ['h100 80 gb', 'h100-sxm-80gb', 'told'],
    ['A100', 'a100-sxm-80gb', 'told'],
    ['a100 40gb', 'a100-sxm-40gb', 'told'],
    ['h200', 'h200-sxm-141gb', 'told'],
    ['4090', 'rtx-4090', 'told'],
    ['rtx4090', 'rtx-4090', 'taken'],
    ['RTX 4090 24GB', 'rtx-4090', 'told'],
    ['RTX 4090 12GB', undefined],
    ['NVIDIA GeForce RTX 4090', 'rtx-4090', 'told'],
    ['4090 laptop', 'rtx-4090-laptop', 'told'],
    ['3060', 'rtx-3060-12gb', 'told'],
    ['rtx 3080', 'rtx-3080-10gb', 'told'],
    ['4060ti', 'rtx-4060-ti-16gb', 'told'],
    ['l40', 'l40', 'taken'],
    ['t4', 't4', 'taken'],
    ['mi300', 'mi300x', 'offered'],
    ['7900xtx', 'rx-7900-xtx', 'told'],
    ['m4 max', 'm4-max-128gb', 'told'],
    ['m4 max 64', 'm4-max-64gb', 'offered'],
    ['jetson orin nano 8gb', 'jetson-orin-nano-8gb', 'taken'],
    ['geforce rtx 5090', 'rtx-5090', 'told'],
    ['jetsn agx xavier', 'jetson-agx-xavier-32gb', 'offered'],
  ],
  encodings: [
    ['q4_k_m', 'gguf-q4_k_m', 'told'],
    ['Q4_K_M', 'gguf-q4_k_m', 'told'],
    ['q4', 'gguf-q4_k_m', 'told'],
    ['q8', 'gguf-q8_0', 'offered'],
    ['bf16', 'bf16', 'taken'],
    ['bfloat16', 'bf16', 'taken'],
    ['half', 'fp16', 'taken'],
    ['fp8', 'fp8', 'taken'],
    ['awq', 'awq-4bit-128g', 'told'],
    ['gptq 4bit', 'gptq-4bit-128g', 'told'],
    ['gptq 4 bit 32', 'gptq-4bit-32g', 'told'],
    ['nf4', 'nf4', 'taken'],
    ['mlx 4bit', 'mlx-4bit-64g', 'taken'],
    ['int8', 'int8', 'taken'],
    ['mxfp4', 'mxfp4', 'taken'],
    ['iq4_xs', 'gguf-iq4_xs', 'told'],
  ],
};

const rows = Object.entries(table).flatMap(([kind, all]) => all.map((row) => [kind, ...row]));

test('the table is long enough', () => assert.ok(rows.length >= 60, `${rows.length} rows`));

/** What the command line does with a word: what it means, else what it offers. */
function answered(kind, written) {
  const meant = meaning(kind, written, entries(kind), common(kind));
  if (meant) return [meant.entry.id, meant.loosely ? 'told' : 'taken'];
  return [likely(kind, written)[0], 'offered'];
}

for (const [kind, written, id, does] of rows)
  test(`${kind}: ${written} is ${id ?? 'none'}`, () => {
    assert.equal(found(kind, written, ofPage[kind], common(kind)).entries[0]?.id, id, 'on the page');
    if (id === undefined) assert.equal(meaning(kind, written, entries(kind), common(kind)), undefined, 'on the command line');
    else assert.deepEqual(answered(kind, written), [id, does], 'on the command line');
  });

test('what no preset was made from is offered to be fetched, by the name that the hub box takes', () => {
  for (const [written, fetched] of [
    ['somebody/model', 'somebody/model'],
    ['https://huggingface.co/somebody/model/tree/main', 'somebody/model'],
    ['https://modelscope.cn/models/somebody/model', 'modelscope:somebody/model'],
    ['ollama:qwen3:8b', 'ollama:qwen3:8b'],
    ['https://ollama.com/library/qwen3:8b', 'ollama:qwen3:8b'],
    ['https://ollama.com/somebody/model', 'ollama:somebody/model'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'meta-llama/Llama-3.1-8B-Instruct'],
    ['unsloth/Qwen3-8B-GGUF:Q4_K_M', 'unsloth/Qwen3-8B-GGUF:Q4_K_M'],
    ['Qwen/Qwen3-32B', undefined],
    ['qwen3 32b', undefined],
  ])
    assert.equal(found('models', written, ofPage.models, common('models')).fetch, fetched, written);
});

test('what names no repository is none', () => {
  for (const text of [
    '',
    ' ',
    'qwen3 8b',
    'a/b/c',
    'https://example.com/a/b',
    'ftp://huggingface.co/a/b',
    '../a',
    'C:/models',
    'https://huggingface.co/a',
    '//',
  ])
    assert.equal(repositoryIn(text), undefined, text);
});

test('the common presets are presets, each once', () => {
  for (const kind of ['models', 'devices', 'encodings']) {
    const order = common(kind);
    const ids = new Set(presets(kind).map(({ id }) => id));
    assert.equal(new Set(order).size, order.length);
    assert.deepEqual(
      order.filter((id) => !ids.has(id)),
      [],
      kind,
    );
  }
});

test('every preset is found first by its own name and by its id, on both', () => {
  for (const [kind, all] of Object.entries(ofPage))
    for (const { id, name } of all) {
      assert.equal(ranked(name, all, common(kind))[0]?.entry.name, name, `${kind}: ${name}`);
      assert.equal(meaning(kind, id, entries(kind), common(kind))?.entry.id, id);
    }
});

test('the page brings the order of the same files', () => {
  const text = readFileSync(new URL('../../web/src/finding/common.ts', import.meta.url), 'utf8');
  for (const kind of ['models', 'devices', 'encodings']) assert.ok(text.includes(`presets/common/${kind}.json`));
});

test('words are the same in every spelling', () => {
  for (const [one, other] of [
    ['Qwen3-32B', 'qwen 3 32b'],
    ['RTX4090', 'rtx 4090'],
    ['80 GiB', '80gb'],
    ['4-bit', '4bit'],
    ['Qwen-1_8B', 'qwen 1.8b'],
    ['4060Ti', '4060 ti'],
  ])
    assert.deepEqual(wordsOf(one), wordsOf(other), `${one}, ${other}`);
  assert.deepEqual([edits('llama', 'lama'), edits('llama', 'llmaa'), edits('', 'abc'), edits('abc', 'abc')], [1, 1, 3, 0]);
});
