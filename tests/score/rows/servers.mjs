// What servers print when they start: weights as loaded, memory left for the cache, and the tokens that it holds.

import { configOf, deviceNamed, presetOf } from './names.mjs';

const GiB = 2 ** 30;

/** Half of the last digit that a log prints of a figure in GiB; where the quote does not show it, of the digits that the row has. */
function roundingOf({ quote = '' }, figure) {
  const texts = [...quote.matchAll(/\d+\.(\d+)/g)].filter(([text]) => Number(text) === figure).map(([, digits]) => digits.length);
  const kept = String(figure).split('.')[1]?.length ?? 1;
  return 0.5 * 10 ** -Math.max(1, ...(texts.length ? texts : [Math.min(2, kept)])) * GiB;
}

const runtimes = { vLLM: 'vllm', SGLang: 'sglang', 'TensorRT-LLM': 'tensorrt-llm' };

/** What their logs call an encoding. */
const encodings = [
  [/per tensor/i, 'fp8-tensor'],
  [/per channel/i, 'fp8-channel'],
  [/compressed-tensors w4a16/i, 'ct-w4a16-128g'],
  [/gguf q8_0/i, 'gguf-q8_0'],
  [/awq/i, 'awq-4bit-128g'],
  [/gptq|int4/i, 'gptq-4bit-128g'],
  [/mxfp4/i, 'mxfp4'],
  [/nvfp4/i, 'nvfp4'],
  [/w8a8/i, 'ct-w8a8'],
  [/fp8/i, 'fp8-block-128'],
  [/int8/i, 'int8'],
  [/fp16/i, 'fp16'],
  [/bf16/i, 'bf16'],
];

/** What the checkpoint itself says, which a request says by leaving it out. */
const asPublished = ({ quant }) => quant === 'as published';

const encodingOf = (quant) => encodings.find(([word]) => word.test(quant ?? ''))?.[1];

/**
 * A row's release: as it says, or by the words that its log begins with. "peak_torch_memory" was printed until 0.6.5, "model weights
 * take" by the engine that 0.8 replaced, "Model loading took" since, "consumed memory" by today's.
 */
function releaseOf({ engine, version, quote = '' }) {
  const said = /(\d+\.\d+(\.\d+)?)/.exec(version ?? '')?.[1];
  if (said || engine !== 'vLLM') return said;
  if (/peak_torch_memory/.test(quote)) return '0.6.4';
  if (/model weights take|model weights took|GPU blocks/.test(quote)) return '0.7';
  return /consumed memory/.test(quote) ? undefined : '0.10';
}

/** vLLM takes the model's own limit where it is told none. */
const limitOf = (config) => config?.max_position_embeddings ?? config?.text_config?.max_position_embeddings;

/** What is free before SGLang loads, of which its share is: as the log prints it, or what is free after and what loading took. */
function freeOf({ engine, printed }) {
  if (engine !== 'SGLang') return undefined;
  const { avail_before_gib: before, avail_after_load_gib: after, weights_gib_per_gpu: each, weights_gib: weights = each } = printed;
  return (before ?? (after && weights && after + weights)) * GiB || undefined;
}

/** A release's parts as one number; without one, today's. */
const ordered = (parts) => parts.reduce((number, part, at) => number + part / 1000 ** at, 0);

/** Whether a figure of a preset holds in a release ("0.4.9"; none: today's), on devices of a maker. */
function holdsIn({ makers = [], since = [0], before }, release, maker = 'nvidia') {
  if (makers.length > 0 && !makers.includes(maker)) return false;
  if (release === undefined) return before === undefined;
  const here = ordered(release.split('.').map(Number));
  return here >= ordered(since) && (before === undefined || here < ordered(before));
}

/** The device of which so much is free: what the driver has beside its own context is others'; of unknown devices it is nothing. */
function freeDevice(hardware, preset, free, release) {
  const {
    device_context: [{ value }],
    library_outside: libraries,
  } = presetOf('runtimes', 'sglang');
  const { vendor, reported_memory: reported, usable_fraction: usable } = (preset && presetOf('devices', preset)) ?? {};
  const library = libraries.find((one) => holdsIn(one, release, vendor));
  const context = (value + (library?.value ?? 0)) * 2 ** 20;
  const part = usable?.value ?? 1;
  const memory = reported?.value ?? Number(/of the (\d+) GB class/.exec(hardware)?.[1] ?? 0) * GiB;
  const others = Math.round(part * memory - context - free);
  if (others >= 0) return { ...(preset ? { preset } : { memory_bytes: memory }), used_by_others_bytes: others };
  return { ...(preset && { preset }), memory_bytes: Math.round((free + context) / part) };
}

/** The device by its name, with the memory that the log prints; a name that says nothing leaves the memory alone. */
function deviceOf(row) {
  const { hardware, printed } = row;
  const preset = deviceNamed(hardware);
  const free = freeOf(row);
  if (free) return freeDevice(hardware, preset, free, releaseOf(row));
  const memory = printed.total_gib && { memory_bytes: Math.round(printed.total_gib * GiB) };
  return preset || memory ? { ...(preset && { preset }), ...memory } : { preset: 'h100-sxm-80gb' };
}

/** What is loaded of a model with towers where only its text is asked for: the part of its config that says so. */
function textOf(model) {
  const { text_config: text, tie_word_embeddings: tied } = configOf(model) ?? {};
  return text ? { config: { ...(tied !== undefined && { tie_word_embeddings: tied }), ...text } } : model;
}

/** What is drafted with: a head of one layer, or as many prediction layers as the log says tokens; EAGLE without a draft's name is the model's own. */
function draftOf({ speculative = '' }) {
  if (/draft None/.test(speculative)) return { draft: { kind: 'mtp' } };
  if (/^eagle3/.test(speculative)) return { draft: { kind: 'eagle3' } };
  if (/^eagle/.test(speculative)) return { draft: { kind: 'eagle' } };
  const [, tokens] = /^mtp, (\d+) tokens?/.exec(speculative) ?? [];
  return tokens && { draft: { kind: 'mtp', num_speculative_tokens: Number(tokens) } };
}

/** Degrees of parallelism, where there is more than one device. */
function degreesOf({ tp = 1, pp = 1, dp = 1, ep, dcp }) {
  const devices = tp * pp * dp;
  if (devices === 1) return {};
  const beside = { ...(pp > 1 && { pipeline: pp }), ...(dp > 1 && { data: dp }), ...(ep && { expert: tp * dp }), ...(dcp && { context: dcp }) };
  return { devices, parallel: { tensor: tp, ...beside } };
}

function requestOf(row, model) {
  const { max_model_len, gpu_memory_utilization, mem_fraction_static, free_gpu_memory_fraction, kv_dtype } = row.settings;
  const fraction = gpu_memory_utilization ?? mem_fraction_static ?? free_gpu_memory_fraction ?? row.settings.kv_cache_free_gpu_mem_fraction;
  const context = max_model_len ?? (row.engine === 'vLLM' ? limitOf(model.config) : undefined);
  return {
    schema: 1,
    task: 'inference',
    explain: 'rows',
    model: row.settings.language_model_only ? textOf(model) : model,
    weights: { encoding: encodingOf(row.quant) },
    device: deviceOf(row),
    ...degreesOf(row.settings),
    inference: {
      runtime: runtimes[row.engine],
      release: releaseOf(row),
      ...(context && { context }),
      ...(fraction && { memory_fraction: fraction }),
      ...(kv_dtype === 'fp8' && { kv_encoding: 'fp8' }),
      ...draftOf(row.settings),
      ...(row.settings.prefix_caching && { shared_prefix: 1 }), // switched on: of a token alone no page is shared
      ...(row.settings.max_num_seqs && { sequences_at_once: row.settings.max_num_seqs }),
      ...(row.settings.max_num_batched_tokens && { batch_tokens: row.settings.max_num_batched_tokens }),
    },
  };
}

/**
 * Tokens that a log says the cache holds. vLLM divides a cache of several groups of layers by their number, and says in its next line how many
 * requests of full length fit: where the two differ, that line is meant.
 */
function printedTokens({ printed, settings }) {
  const { kv_tokens: tokens, gpu_blocks: blocks, block_size: size, max_concurrency: requests } = printed;
  const held = requests * settings.max_model_len;
  if (tokens && Math.abs(held - tokens) > 0.01 * tokens) return held;
  return tokens ?? (blocks && size ? blocks * size : undefined);
}

/** Tokens that so many bytes hold: what the reply says of its own capacity, in proportion. */
function tokensOf(row, reply) {
  const { target_kv_gib: target, kv_gib: gib = target, kv_bytes: bytes = (target ?? gib) * GiB } = row.printed;
  const truth = printedTokens(row);
  if (!(truth > 0) || !(bytes > 0) || !reply.capacity?.kv_tokens) return [];
  const answer = (reply.capacity.kv_tokens / reply.capacity.bytes) * bytes;
  return [
    {
      metric: 'tokens of the memory left',
      unit: 'tokens',
      truth,
      answer,
      low: answer,
      high: answer,
      tolerance: roundingOf(row, target ?? gib) / bytes,
    },
  ];
}

/** Tokens of the cache where the log says neither its bytes nor the device's: of a named device, with the share that may be used. */
function heldOf(row, reply) {
  const { printed, hardware, settings } = row;
  const truth = printedTokens(row);
  const share = settings.gpu_memory_utilization ?? settings.mem_fraction_static ?? freeOf(row);
  const unsaid = printed.kv_gib === undefined && printed.kv_bytes === undefined;
  const limited = settings.max_total_tokens !== undefined;
  if (!(truth > 0) || !share || !unsaid || limited || !deviceNamed(hardware) || !reply.capacity?.kv_tokens) return [];
  const { kv_tokens: answer, bytes, low, high } = reply.capacity;
  return [{ metric: 'tokens of the cache', truth, answer, low: (answer * low) / bytes, high: (answer * high) / bytes, tolerance: 0.001 }];
}

/** What a log counts as loaded: vLLM what its allocator has, SGLang what the driver lacks, with what loading left there. */
function loadedOf({ engine }, reply) {
  const named = (rows, name) => rows?.find(({ id }) => id === name);
  const weights = named(reply.rows, 'weights');
  const library = engine === 'SGLang' && named(named(reply.rows, 'workspace')?.rows, 'library');
  const sum = (key) => weights[key] + library[key];
  return weights && library ? { bytes: sum('bytes'), low: sum('low'), high: sum('high') } : weights;
}

function weightsOf(row, reply) {
  const truth = (row.printed.weights_gib_per_gpu ?? row.printed.weights_gib) * GiB;
  const weights = loadedOf(row, reply);
  return truth > 0
    ? [
        {
          metric: 'weights as loaded',
          truth,
          at: ['rows/weights'],
          answer: weights?.bytes,
          low: weights?.low,
          high: weights?.high,
          tolerance: roundingOf(row, truth / GiB) / truth,
        },
      ]
    : [];
}

function leftOf(row, reply) {
  const { target_kv_gib: target, kv_gib: gib = target, total_gib: total } = row.printed;
  const { capacity } = reply;
  const left = target ?? gib;
  const limited = row.settings.max_total_tokens !== undefined;
  return left > 0 && (total > 0 || freeOf(row)) && !limited && capacity
    ? [
        {
          metric: 'memory left for the cache',
          of: 'capacity',
          at: ['capacity'],
          truth: left * GiB,
          answer: capacity.bytes,
          low: capacity.low,
          high: capacity.high,
          tolerance: roundingOf(row, left) / (left * GiB),
        },
      ]
    : [];
}

export const isServer = (engine) => engine in runtimes;

export function serverCase(row, model) {
  const { engine } = row;
  if (!asPublished(row) && !encodingOf(row.quant)) return { engine, reason: `no encoding is called "${row.quant}"` };
  if (row.settings.dp_attention) return { engine, reason: 'copies of the attention beside divided experts are no layout of a request' };
  if (/^raised /.test(row.settings.note)) return { engine, reason: 'a limit was raised, and the log does not print to what' };
  return {
    engine,
    requests: [requestOf(row, model)],
    compare: (reply) => [...weightsOf(row, reply), ...leftOf(row, reply), ...tokensOf(row, reply), ...heldOf(row, reply)],
  };
}
