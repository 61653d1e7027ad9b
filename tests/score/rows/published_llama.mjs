// What logs of llama.cpp and of its fork ik_llama.cpp print at the start: weights, cache, recurrent state and compute buffers.

import { buffer, bytes, onHostAndDevice, placesOn } from './llama_cpp.mjs';
import { hasPreset } from './names.mjs';

const MiB = 2 ** 20;

/** "Q4_K - Medium" → gguf-q4_k_m, "IQ4_XS - 4.25 bpw" → gguf-iq4_xs, "MXFP4 MoE" → gguf-mxfp4_moe; nothing for a type that llama.cpp does not have. */
function encodingOf(quant) {
  const [type, size = ''] = quant.split(' - ');
  const letter = { Small: '_s', Medium: '_m', Large: '_l' }[size] ?? '';
  const id = `gguf-${type.replace(' MoE', '_moe').split(' ')[0].toLowerCase()}${letter}`;
  return [id, `${id}_moe`].find((each) => hasPreset('encodings', each));
}

/** "K (q8_0):  688.50 MiB, V (f16):  459.00 MiB" */
const cacheType = (row, letter) =>
  row.settings[`type_${letter}`] ?? new RegExp(`${letter.toUpperCase()} \\((\\w+)\\)`).exec(row.printed.kv_detail ?? '')?.[1].toLowerCase() ?? 'f16';

const isOn = (word) => word === true || word === '1' || word === 'auto' || word === undefined;

/** Bytes on devices and on the host of what a log prints by buffer. */
function printedAt(sizes, host) {
  const found = Object.entries(sizes).filter(([name]) => /^CPU|_Host$/.test(name) === host);
  return found.length ? found.reduce((sum, [, size]) => sum + size, 0) * MiB : undefined;
}

/** The build of the first day of a month; a date without a day is a month's. */
const builds = [
  ['2024-10', 3855],
  ['2025-01', 4404],
  ['2025-03', 4795],
  ['2025-05', 5242],
  ['2025-07', 5795],
  ['2025-09', 6342],
  ['2025-11', 6912],
  ['2025-12', 7216],
  ['2026-01', 7601],
  ['2026-03', 8183],
  ['2026-05', 8994],
  ['2026-07', 9856],
];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The build as the row says it, or the one of its date; nothing where neither is said. */
function buildOf({ version, date }) {
  const [, said] = /\bb(\d{4,5})\b/.exec(version ?? '') ?? [];
  if (said) return Number(said);
  const [, month, year] = /(\w{3}) (20\d\d)/.exec(version ?? '') ?? [];
  const when = month ? `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}` : /20\d\d-\d\d/.exec(date ?? version ?? '')?.[0];
  return when && builds.findLast(([first]) => first <= when)?.[1];
}

/** The first build in which sequences could have cells of their own. */
const withStreams = 5913;

/** A server that is not told how many sequences takes 4 of one cache (llama.cpp tools/server, n_parallel −1). */
const isUnified = (s, build) => s.kv_unified ?? (build < withStreams || (s.server === true && s.n_seq === 4));

/** Where it computed, by what its buffers are called; without a name that tells, CUDA. */
const backends = [
  [/^ROCm/, 'rocm'],
  [/^Vulkan/, 'vulkan'],
  [/^(MTL|Metal)/, 'metal'],
];

function backendOf({ printed, quote = '' }) {
  const buffers = Object.keys({ ...printed.model_mib, ...printed.compute_mib });
  if (buffers.length > 0 && buffers.every((name) => name.startsWith('CPU'))) return 'cpu';
  const names = [...buffers, ...quote.split(/\s+/)];
  return backends.find(([word]) => names.some((name) => word.test(name)))?.[1] ?? 'cuda';
}

function requestOf(row, model, encoding) {
  const { settings: s } = row;
  const backend = backendOf(row);
  const sequences = s.n_seq ?? 1;
  const build = buildOf(row);
  const unified = isUnified(s, build);
  return {
    schema: 1,
    task: 'inference',
    explain: 'rows',
    model,
    weights: { encoding: encoding ?? 'gguf-f16' },
    inference: {
      runtime: 'llama.cpp',
      backend,
      context: unified ? s.n_ctx : Math.floor(s.n_ctx / sequences),
      sequences,
      batch_tokens: s.n_ubatch ?? Math.min(512, s.n_batch ?? 512),
      kv_encoding: { k: `gguf-${cacheType(row, 'k')}`, v: `gguf-${cacheType(row, 'v')}` },
      flash_attention: isOn(s.flash_attn),
      ...(!s.server && { logits: 'all' }),
      ...(build && { release: `b${build}` }),
      kv_unified: unified,
      ...(s.swa_full && { swa_full: true }),
      ...((backend === 'cpu' || s.n_gpu_layers !== undefined) && { offload: { gpu_layers: backend === 'cpu' ? 0 : s.n_gpu_layers } }),
    },
  };
}

/** Figures are printed to a hundredth of a MiB. */
const figure = (metric, truth, answer, low = answer, high = answer) => ({ metric, truth, answer, low, high, tolerance: (0.0051 * MiB) / truth });

const anywhere = (row) => [false, true].flatMap((host) => placesOn(host, row));

function cacheFigures({ printed }, reply) {
  const sum = (id, child) => bytes(...onHostAndDevice(reply).map((rows) => buffer(rows, id, child)));
  return [
    ...(printed.kv_mib ? [{ ...figure('cache', printed.kv_mib * MiB, sum('kv_cache', 'kv_buffer')), at: anywhere('kv_cache/rows/kv_buffer') }] : []),
    ...(printed.rs_mib ? [{ ...figure('state', printed.rs_mib * MiB, sum('state', 'rs_buffer')), at: anywhere('state/rows/rs_buffer') }] : []),
  ];
}

/** "model size = 4.36 GiB", before the weights are laid out: the file's, of which a tied embedding is one copy. */
function fileFigure({ printed }, device, host) {
  const truth = printed.model_gib * 1024 * MiB;
  return [{ ...figure('weights', truth, device + host), tolerance: (0.0051 * 1024 * MiB) / truth }];
}

function weightFigures({ printed }, reply) {
  const [device, host] = onHostAndDevice(reply).map((rows) => bytes(buffer(rows, 'weights', 'model_buffer')));
  if (printed.model_gib) return fileFigure({ printed }, device, host);
  if (!printed.model_mib) return [];
  const truth = { device: printedAt(printed.model_mib, false) ?? 0, host: printedAt(printed.model_mib, true) ?? 0 };
  // Metal maps the whole file, with what the host reads of it
  if (Object.keys(printed.model_mib).some((name) => /^(MTL\d|Metal)_Mapped$/.test(name))) truth.host = 0;
  return [{ ...figure('weights', truth.device + truth.host, device + host), at: anywhere('weights/rows/model_buffer') }];
}

function computeFigures({ printed }, reply) {
  const total = typeof printed.compute_mib === 'number' ? { CUDA0: printed.compute_mib, CUDA_Host: printed.host_compute_mib } : printed.compute_mib;
  return [false, true].flatMap((host) => {
    const truth = total && printedAt(total, host);
    const found = buffer(host ? reply.host.rows : reply.rows, 'activations', 'compute_buffer');
    if (!truth) return [];
    const one = figure(`compute, ${host ? 'host' : 'device'}`, truth, found?.bytes, found?.low, found?.high);
    const at = placesOn(host, 'activations/rows/compute_buffer');
    return [host ? { ...one, at } : { ...one, at, of: 'allocated', part: true }];
  });
}

/** What keeps a log from being compared with the llama.cpp of today. */
function obstacle({ engine, settings: s, quant, hardware }) {
  if (s.mtp_draft || s.spec_draft_n_max) return 'a draft model runs beside it';
  if (/experts on CPU/.test(hardware)) return 'how many experts stay on the host is not printed';
  return /layers/.test(quant) ? 'the file type is not printed' : undefined;
}

/** Programs that print llama.cpp's own lines. */
export const isLlama = (engine) => ['llama.cpp', 'ik_llama.cpp', 'Ollama', 'LM Studio'].includes(engine);

export function publishedLlamaCase(row, model) {
  const { engine } = row;
  const reason = obstacle(row);
  if (reason) return { engine, reason };
  const encoding = encodingOf(row.quant);
  // the fork's graph is its own, and so are its types of weights and its mixes of them
  const own = engine === 'ik_llama.cpp';
  return {
    engine,
    requests: [requestOf(row, model, encoding)],
    compare: (reply) => [
      ...cacheFigures(row, reply),
      ...(own ? [] : [...(encoding ? weightFigures(row, reply) : []), ...computeFigures(row, reply)]),
    ],
  };
}
