// What is timed. A goal is for WebAssembly, text to text, in milliseconds.

const inference = {
  schema: 1,
  task: 'inference',
  model: { preset: 'llama-3-70b' },
  weights: { encoding: 'bf16' },
  device: { preset: 'h100-sxm-80gb' },
  inference: { runtime: 'transformers', context: 8192, sequences: 4 },
};

const training = {
  schema: 1,
  task: 'training',
  model: { preset: 'llama-3-8b' },
  device: { preset: 'h100-sxm-80gb' },
  training: { method: 'full', precision: 'bf16-mixed', optimizer: 'adamw', micro_batch: 2, sequence: 4096, checkpointing: 'full' },
};

const goals = { none: 0.5, rows: 2, all: 20 };

const estimates = Object.entries({ inference, training }).flatMap(([task, request]) =>
  Object.entries(goals).map(([explain, goal]) => ({
    name: `${task}, explain ${explain}`,
    command: 'estimate',
    text: JSON.stringify({ ...request, explain }),
    goal,
  })),
);

// A sweep as the page's chart asks for it: one frame's time for a thousand points, whatever the runtime.
const contexts = Array.from({ length: 1000 }, (_, i) => 128 * (i + 1));
const sweep = (name, request, field = 'inference.context') => ({
  name: `sweep of 1,000, ${name}`,
  command: 'sweep',
  text: JSON.stringify({ request: { ...request, explain: 'none' }, over: [{ field, values: contexts }] }),
  goal: 16,
});
const under = (runtime, model, encoding) =>
  sweep(`${runtime}, ${model}`, {
    ...inference,
    model: { preset: model },
    weights: { encoding },
    inference: { ...inference.inference, runtime },
  });

export const sweeps = [
  sweep('transformers, llama-3-70b', inference),
  under('mlx', 'llama-3.1-8b', 'mlx-4bit-64g'),
  under('vllm', 'llama-3.1-8b', 'bf16'),
  under('vllm', 'deepseek-v3', 'fp8-block-128'),
  under('sglang', 'llama-3.1-8b', 'bf16'),
  under('tensorrt-llm', 'llama-3.1-8b', 'bf16'),
  under('llama.cpp', 'llama-3.1-8b', 'gguf-q4_k_m'),
  under('llama.cpp', 'gemma-3-27b', 'gguf-q4_k_m'),
  under('llama.cpp', 'qwen3-30b-a3b', 'gguf-q4_k_m'),
  sweep('training, llama-3-8b', training, 'training.sequence'),
];

// Every layout of a cluster (docs/decisions/layouts.md says what a faster search would need).
const plan = (name, nodes, model, parallel) => ({
  name: `layouts, ${name}`,
  command: 'plan',
  text: JSON.stringify({
    request: { model: { preset: model }, training: { ...training.training, micro_batch: undefined, checkpointing: undefined }, parallel },
    cluster: { device: training.device, devices_per_node: 8, nodes },
    global_batch: 64 * nodes,
    want: 'least_overhead',
    keep: 5,
  }),
  repeat: 3,
});
export const plans = [
  plan('llama-3-70b on 64 devices, Megatron-LM', 8, 'llama-3-70b', { framework: 'megatron' }),
  plan('qwen3-30b-a3b on 32 devices, Megatron-LM', 4, 'qwen3-30b-a3b', { framework: 'megatron' }),
];

export const questions = [...estimates, ...sweeps, ...plans];
