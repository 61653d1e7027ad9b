// plimsoll reconcile: figures of a log, the request that it states, and ours beside them. The logs are made up, in the tools' forms.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { load } from '../../web/src/node/index.mjs';
import { faults } from '../presets/schema.mjs';
import { plimsoll, replies } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-logs-'));
after(() => rmSync(folder, { recursive: true }));

const file = (name, lines) => {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
};

const MiB = 2 ** 20;

/** Llama 3 8B on one device: what llama.cpp allocates for it follows from the file alone. */
const llama = [
  'build: 5622 (97340b4c) with cc (Ubuntu 13.3.0) 13.3.0 for x86_64-linux-gnu',
  'print_info: file type   = F16',
  'print_info: general.name     = Meta-Llama-3-8B',
  'load_tensors: offloaded 33/33 layers to GPU',
  'load_tensors:        CUDA0 model buffer size = 14315.02 MiB',
  'load_tensors:   CPU_Mapped model buffer size =  1002.00 MiB',
  'llama_context: n_seq_max     = 1',
  'llama_context: n_ctx         = 8192',
  'llama_context: n_ubatch      = 512',
  'llama_context: flash_attn    = 0',
  'llama_kv_cache_unified:      CUDA0 KV buffer size =  1024.00 MiB',
  'llama_kv_cache_unified: size = 1024.00 MiB (  8192 cells,  32 layers,  1 seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB',
];

const one = (reply, counter) => reply.figures.find((figure) => figure.counter === counter);
const beside = (reply, counter) => reply.compared.find(({ figure }) => reply.figures[figure].counter === counter);

test('a llama.cpp log fills in the request, and its buffers are ours', () => {
  const run = plimsoll(['reconcile', file('llama.txt', llama), '--json']);
  assert.equal(run.status, 0, run.stderr);
  const [reply] = replies(run);
  assert.deepEqual(faults('reconcile_reply', reply), []);
  assert.equal(reply.tool, 'llama.cpp');
  assert.equal(reply.version, '5622 (97340b4c)');
  assert.equal(reply.request.model.preset, 'llama-3-8b');
  assert.equal(reply.request.weights.encoding, 'gguf-f16');
  assert.equal(reply.request.inference.context, 8192);
  assert.equal(reply.request.inference.offload.gpu_layers, 33);
  assert.deepEqual(reply.request.inference.kv_encoding, { k: 'gguf-f16', v: 'gguf-f16' });
  const cache = beside(reply, 'kv_buffer');
  assert.equal(cache.ours.bytes, 1024 * MiB);
  assert.equal(cache.difference, 0);
  assert.equal(cache.within, true);
  const weights = beside(reply, 'model_buffer');
  assert.equal(weights.within, true, JSON.stringify(weights));
  assert.equal(one(reply, 'kv_cache').restated, true, 'the cache is said again, and held against nothing');
  assert.equal(beside(reply, 'kv_cache'), undefined);
});

test("a log whose buffers are all the processor's is of that backend, and the fork plans for all logits", () => {
  const text = llama.filter((line) => !line.includes('offloaded')).map((line) => line.replace('CUDA0', '  CPU'));
  const [plain] = replies(plimsoll(['reconcile', file('cpu.txt', text), '--json']));
  assert.equal(plain.request.inference.backend, 'cpu');
  assert.equal(plain.request.inference.offload.gpu_layers, 0);
  assert.equal(plain.request.inference.logits, undefined);
  assert.equal(beside(plain, 'kv_buffer').within, true);
  const [fork] = replies(plimsoll(['reconcile', file('fork.txt', [...text, 'llama_init_from_model: mla_attn = 0']), '--json']));
  assert.equal(fork.request.inference.logits, 'all');
  assert.deepEqual(
    fork.fields.filter(({ field }) => ['inference.backend', 'inference.logits'].includes(field)).map(({ from }) => from),
    ['device', 'mla_attn'],
  );
});

test('what a text leaves open is said, and no total is held against a guess', () => {
  const [reply] = replies(
    plimsoll([
      'reconcile',
      file(
        'open.txt',
        llama.filter((line) => !line.includes('file type')),
      ),
      '--json',
    ]),
  );
  assert.ok(reply.open.includes('weights'));
  assert.equal(beside(reply, 'model_buffer'), undefined);
  assert.ok(beside(reply, 'kv_buffer'));
  const [none] = replies(plimsoll(['reconcile', file('none.txt', ['MPS allocated: 1.50 GiB']), '--json']));
  assert.deepEqual(none.open, ['model', 'weights', 'inference']);
  assert.equal(none.compared, undefined);
});

test('a difference is made of parts, and what is left is named', () => {
  const text = [
    "INFO [core.py:93] Initializing a V1 LLM engine (v0.12.0) with config: model='meta-llama/Llama-3.1-8B', dtype=torch.bfloat16, max_seq_len=8192, download_dir=None",
    'INFO [worker.py:1] the current vLLM instance can use total_gpu_memory (79.25GiB) x gpu_memory_utilization (0.90) = 71.32GiB',
    'INFO [worker.py:1] model weights take 14.99GiB; non_torch_memory takes 0.50GiB; PyTorch activation peak memory takes 1.25GiB; the rest of the memory reserved for KV Cache is 54.58GiB.',
  ];
  const [reply] = replies(plimsoll(['reconcile', file('vllm.txt', text), '--json']));
  assert.equal(reply.request.inference.runtime, 'vllm');
  assert.equal(reply.request.device.memory_bytes, one(reply, 'device_total').bytes);
  const cache = beside(reply, 'kv_cache_budget');
  assert.ok(cache, 'ours has a capacity');
  assert.ok(cache.explained.length > 0);
  const explained = cache.explained.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(Math.abs(cache.difference - explained - cache.unexplained) < 1);
});

test('fragmentation is told from need, and a request beyond the device from both', () => {
  const message = (requested, unallocated) =>
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${requested} GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free. ` +
    `Of the allocated memory 15.00 GiB is allocated by PyTorch, and ${unallocated} GiB is reserved by PyTorch but unallocated.`;
  const codes = (...sizes) => replies(plimsoll(['reconcile', '-', '--json'], message(...sizes)))[0].advice.map(({ code }) => code);
  assert.deepEqual(codes('2.00', '6.00'), ['fragmentation']);
  assert.deepEqual(codes('2.00', '0.50'), ['need']);
  assert.deepEqual(codes('3725.29', '0.50'), ['one_request_too_large', 'need']);
});

test('as text: tool, settings with their fields, and a table', () => {
  const run = plimsoll(['reconcile', join(folder, 'llama.txt'), '--unit', 'MiB']);
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /^llama\.cpp 5622/);
  assert.match(run.stdout, /n_ctx +8192 +→ inference\.context/);
  assert.match(run.stdout, /CUDA0 +kv_buffer +1,024\.00 +1,024\.00 … 1,024\.00 +0\.00/);
});

test('a missing file is an error, the others are answered, and none is wrong usage', () => {
  const run = plimsoll(['reconcile', join(folder, 'missing.txt'), join(folder, 'llama.txt'), '--json']);
  assert.equal(run.status, 1);
  assert.deepEqual(
    replies(run).map((reply) => reply.error?.code),
    ['file.unreadable', undefined],
  );
  assert.equal(plimsoll(['reconcile']).status, 2);
});

test('the package reads the same, and lays what the caller knows over the text', async () => {
  const { reconcile } = await load();
  const reply = await reconcile('MPS allocated: 20.00 GiB', {
    model: { preset: 'llama-3-8b' },
    weights: { encoding: 'bf16' },
    inference: { runtime: 'transformers', context: 1024 },
  });
  assert.equal(reply.compared.length, 1);
  assert.equal(reply.compared[0].ours.of, 'total');
});

test('the order of lines of different ranks does not matter', () => {
  const ranks = [0, 1, 2, 10].map(
    (rank) => `[2026-01-01 TP${rank}] Load weight end. elapsed=1.0 s, type=A, avail mem=${70 + rank}.50 GB, mem usage=7.25 GB.`,
  );
  const found = (lines) =>
    replies(plimsoll(['reconcile', '-', '--json'], lines.join('\n')))[0]
      .figures.map(({ device, value }) => `${device} ${value}`)
      .sort();
  assert.deepEqual(found(ranks), found([...ranks].reverse()));
});

test('a text with a shape and no name gets the presets that agree with it, by asking', () => {
  const unnamed = llama.filter((line) => !line.includes('general.name')).concat('print_info: n_embd = 4096', 'print_info: n_layer = 32');
  const path = file('unnamed.txt', unnamed);
  const [reply] = replies(plimsoll(['reconcile', path, '--json']));
  assert.deepEqual(faults('reconcile_reply', reply), []);
  assert.equal(reply.request.model, undefined);
  assert.ok(reply.candidates.length > 0 && reply.candidates.length <= 3, JSON.stringify(reply.candidates));
  assert.match(reply.candidates[0].model, /^llama-3/);
  assert.ok(reply.candidates[0].apart < 0.001);
  assert.match(plimsoll(['reconcile', path]).stdout, /of this shape, and nearest to its figures: llama-3/);
});

test('lines that measure are printed for what words name, each with what it shows of ours and what it leaves out', () => {
  const how = (...words) => plimsoll(['reconcile', '--how', ...words]);
  const mlx = how('mlx');
  assert.equal(mlx.status, 0, mlx.stderr);
  assert.match(mlx.stdout, /mx\.get_peak_memory\(\)[^]*allocated_peak: .*Ours: total\.[^]*leaves out: /);
  assert.doesNotMatch(mlx.stdout, /nvidia/i, 'MLX runs on no device of theirs');
  const training = how('training', 'nvidia').stdout;
  for (const name of ['max_memory_allocated', 'reset_peak_memory_stats', '_record_memory_history', 'query-compute-apps', 'cuda-memory-usage=true'])
    assert.ok(training.includes(name), name);
  const amd = replies(plimsoll(['reconcile', '--how', 'vllm', 'amd', '--json']))[0];
  assert.deepEqual(
    amd.map(({ id }) => id),
    ['vllm', 'amd_smi'],
  );
  const wrong = how('vlm');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /did you mean vllm/);
});

test('a snapshot is read from its file, and one that would run something is refused', () => {
  const snapshot = fileURLToPath(new URL('../reconcile/snapshots/small.pickle', import.meta.url));
  const run = plimsoll(['reconcile', snapshot, '--unit', 'MiB']);
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /tensors_peak +13\.00/);
  assert.match(run.stdout, /2 segments, 20\.00 MiB of them for large tensors/);
  const [reply] = replies(plimsoll(['reconcile', snapshot, '--json']));
  assert.deepEqual(faults('reconcile_reply', reply), []);
  const path = join(folder, 'bad.pickle');
  writeFileSync(path, Buffer.from('\x80\x02cposix\nsystem\n(tR.', 'latin1'));
  const bad = plimsoll(['reconcile', path]);
  assert.equal(bad.status, 1);
  assert.match(bad.stderr, /GLOBAL.*not read/);
});

test('bytes are a snapshot for a program, too, and what was trained is held against it', async () => {
  const { reconcile } = await load();
  const bytes = new Uint8Array(readFileSync(new URL('../reconcile/snapshots/small.pickle', import.meta.url)));
  const training = { method: 'full', sequence: 128, micro_batch: 1 };
  const reply = await reconcile(bytes, { task: 'training', model: { preset: 'smollm-135m' }, training });
  assert.equal(reply.tool, 'torch-snapshot');
  const held = reply.compared.map(({ figure }) => reply.figures[figure].counter);
  assert.deepEqual(held, ['tensors_peak', 'reserved_peak']);
  await assert.rejects(reconcile(bytes.subarray(0, 100)), /damaged/);
});
