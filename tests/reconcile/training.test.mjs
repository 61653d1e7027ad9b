// A trainer's log is of a training: what it states becomes the request's, and how it was trained stays open.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { requested } from '../../web/src/reconcile/requesting.mjs';

const catalog = { models: [], encodings: [] };
const read = (tool, settings, figures = []) => requested({ tool, version: null, settings, figures }, catalog);

test("Megatron-LM's arguments are micro-batch, length, degrees, precision and what is recomputed", () => {
  const settings = { micro_batch_size: 2, seq_length: 4096, world_size: 64, tensor_model_parallel_size: 4, pipeline_model_parallel_size: 2 };
  const { request, open, stated } = read('megatron', { ...settings, bf16: true, fp16: false, recompute_granularity: 'selective' });
  assert.deepEqual(request, {
    schema: 1,
    task: 'training',
    training: { trainer: 'megatron-lm', micro_batch: 2, sequence: 4096, precision: 'bf16-mixed', checkpointing: 'selective' },
    devices: 64,
    parallel: { tensor: 4, pipeline: 2 },
  });
  assert.deepEqual(open, ['model', 'training.method']);
  assert.equal(stated.find(({ field }) => field === 'training.micro_batch')?.from, 'micro_batch_size');
});

test("Megatron-LM's whole batch is accumulated, and what it says besides stands in its field", () => {
  const settings = { micro_batch_size: 2, global_batch_size: 256, world_size: 64, tensor_model_parallel_size: 4, pipeline_model_parallel_size: 2 };
  const { training, parallel } = read('megatron', {
    ...settings,
    sequence_parallel: true,
    use_distributed_optimizer: true,
    recompute_granularity: 'full',
    recompute_method: 'block',
    recompute_num_layers: 3,
    optimizer: 'adam',
    hidden_dropout: 0,
    attention_dropout: 0,
  }).request;
  assert.equal(training.accumulation, 16);
  assert.deepEqual([training.recompute_method, training.recompute_num_layers, training.optimizer, training.dropout], ['block', 3, 'adamw', 0]);
  assert.deepEqual(parallel, { tensor: 4, pipeline: 2, sequence_parallel: true, framework: 'megatron', zero: 1 });
  const alone = read('megatron', { ...settings, global_batch_size: 250, tensor_model_parallel_size: 1, sequence_parallel: true }).request;
  assert.equal(alone.training.accumulation, undefined, 'no whole number of micro-batches');
  assert.equal(alone.parallel.sequence_parallel, undefined);
});

test('where weights are sharded, DeepSpeed did it; a whole number of none is no stage', () => {
  assert.deepEqual(read('megatron', { zero_stage: 3 }).request.training, { trainer: 'deepspeed' });
  assert.deepEqual(read('megatron', { zero_stage: 0 }).request, { schema: 1, task: 'training', training: { trainer: 'megatron-lm' } });
});

test("Unsloth's batch, and the card that it prints", () => {
  const figures = [{ counter: 'device_total', bytes: 15_636_902_183 }];
  assert.deepEqual(read('unsloth', { per_device_train_batch_size: 2, gradient_accumulation_steps: 4 }, figures).request, {
    schema: 1,
    task: 'training',
    training: { micro_batch: 2, accumulation: 4 },
    device: { memory_bytes: 15_636_902_183 },
  });
});
