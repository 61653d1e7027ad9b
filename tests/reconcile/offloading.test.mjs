// What lies in the host's memory, from a log that does not count it; chips and kernels of a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { requested } from '../../web/src/reconcile/requesting.mjs';

const config = {
  num_hidden_layers: 48,
  hidden_size: 2048,
  num_attention_heads: 32,
};
const catalog = {
  models: [
    { id: 'some-30b', name: 'Some 30B', config },
    {
      id: 'windowed-30b',
      name: 'Windowed 30B',
      config: { ...config, layer_types: ['sliding_attention'] },
    },
  ],
  encodings: ['mxfp4', 'bf16'],
};
const read = (tool, settings, figures = [], version = null) => requested({ tool, version, settings, figures }, catalog).request;
const cache = (bytes, device) => ({
  counter: 'kv_cache',
  bytes,
  value: bytes,
  estimate: false,
  device,
});

test("Ollama's cache on host and device tells the layers, where each has the same", () => {
  const figures = [cache(1.9, 'CUDA0'), cache(1.1, 'CPU')];
  assert.deepEqual(read('ollama', { model: 'some-30b' }, figures).inference.offload, { gpu_layers: 31 });
  assert.equal(read('ollama', { model: 'windowed-30b' }, figures).inference.offload, undefined);
  assert.equal(read('ollama', { model: 'some-30b' }, figures.slice(0, 1)).inference.offload, undefined);
  assert.equal(read('ollama', { model: 'some-30b', layers_offloaded: 12 }, figures).inference.offload.gpu_layers, 12);
});

test('experts stay on the CPU in the layers that no pattern before puts on a device', () => {
  const settings = { n_layer: 94, n_expert: 128 };
  const experts = (overrides, more = {}) => {
    const { inference } = read('llama.cpp', {
      ...settings,
      override_tensor: overrides[0],
      override_tensors: overrides,
      ...more,
    });
    return inference.offload?.experts_on_cpu;
  };
  assert.equal(experts(['exps=CPU']), 94);
  assert.equal(experts(['blk\\.[0-9]\\.ffn=CUDA0,blk\\.1[0-4]\\.ffn=CUDA0', 'blk\\.(1[5-9]|2[0-9])\\.ffn=CUDA1', 'exps=CPU']), 64);
  assert.equal(experts(['ffn_(up|down)_exps=CPU']), 63);
  assert.equal(experts(['exps=CPU'], { n_expert: 0 }), undefined);
  assert.equal(experts(['(a+)+exps=CPU']), undefined, 'what may take long is not tried');
  assert.equal(experts(['[=CPU']), undefined);
});

test("a TPU's sum is shared out among its chips, and by no other number", () => {
  const figures = [{ counter: 'total_of_chips', bytes: 400, value: 400 }];
  assert.deepEqual(read('vllm', { tensor_parallel_size: 4, num_chips: 4 }, figures).device, { memory_bytes: 100 });
  assert.deepEqual(read('vllm', { tensor_parallel_size: 4 }, figures).device, {
    memory_bytes: 100,
  });
  assert.equal(read('vllm', { tensor_parallel_size: 2, num_chips: 4 }, figures).device, undefined);
});

test('the kernel of MXFP4 experts, and the release that a build comes before', () => {
  const weights = (mxfp4_kernel) => read('vllm', { quantization: 'mxfp4', mxfp4_kernel }).weights;
  assert.deepEqual([weights('Marlin').kernel, weights('TRITON').kernel, weights('B12X').kernel], ['marlin', 'triton', undefined]);
  assert.equal(read('vllm', { quantization: 'bf16', mxfp4_kernel: 'Marlin' }).weights.kernel, undefined);
  assert.equal(read('vllm', {}, [], '0.13.0rc2.dev112+g763963aa7').inference.release, '0.13.0');
  assert.equal(read('vllm', {}, [], '0.1').inference.release, undefined);
});
