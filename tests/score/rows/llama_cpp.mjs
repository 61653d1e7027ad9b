// What llama.cpp says of its own buffers: model, context (cache and state) and compute, on the device and on the host.

/** Bytes of `row → child` in a list of rows; llama.cpp has no buffer where there is no row. */
export function buffer(rows, id, child) {
  return rows.find((row) => row.id === id)?.rows?.find((row) => row.id === child);
}

export const bytes = (...found) => found.reduce((sum, row) => sum + (row?.bytes ?? 0), 0);

/** Rows of the device, and of the host. */
export const onHostAndDevice = (reply) => [reply.rows, reply.host.rows];

/** What a row of the reply holds, under llama.cpp's words. */
const parts = {
  model: (rows) => bytes(buffer(rows, 'weights', 'model_buffer')),
  context: (rows) => bytes(buffer(rows, 'kv_cache', 'kv_buffer'), buffer(rows, 'state', 'rs_buffer')),
};

const device = /^(?:Vulkan|CUDA)(\d+)$/;

/** Of one device by its number, or of the host. */
function reported(row, at, part) {
  const found = Object.entries(row.buffers).filter(([name]) => (device.exec(name)?.[1] ?? 'host') === String(at));
  return found.reduce((sum, [, sizes]) => sum + (sizes[part] ?? 0), 0);
}

/** Whether an artefact of the machine that was asked makes a part incomparable. */
function spoiled(row, part) {
  const has = (word) => row.artifact?.includes(word);
  if (part === 'model') return has('weights_on_cpu') || (has('mamba_1_on_cpu') && row.backend !== 'cpu');
  if (part === 'compute') return row.artifact !== undefined && !(has('mamba_1_on_cpu') && row.backend === 'cpu');
  return false;
}

export function llamaRequest({ settings, backend, quant, device: preset }, config) {
  const { n_ctx: total, n_seq: sequences = 1, n_ubatch, type_k = 'f16', type_v = 'f16', kv_unified = false, swa_full = false } = settings;
  const { flash_attn = true, n_gpu_layers: layers, n_outputs_max: outputs = 'n_batch' } = settings;
  const { n_cpu_moe: experts, offload_kqv: cache = true, tensor_split: split, devices = 1 } = settings;
  const cpu = backend === 'cpu';
  const offload = {
    ...((cpu || layers !== undefined) && { gpu_layers: cpu ? 0 : layers }),
    ...(experts !== undefined && { experts_on_cpu: experts }),
    ...(!cache && { kv_on_host: true }),
    ...(split && { tensor_split: split }),
  };
  return {
    schema: 1,
    task: 'inference',
    explain: 'rows',
    model: { config },
    weights: { encoding: `gguf-${quant.toLowerCase()}` },
    ...(devices > 1 && { devices }),
    ...(preset && { device: { preset } }),
    inference: {
      runtime: 'llama.cpp',
      backend,
      context: kv_unified ? total : Math.max(1, Math.floor(total / sequences)),
      sequences,
      batch_tokens: n_ubatch,
      kv_encoding: { k: `gguf-${type_k}`, v: `gguf-${type_v}` },
      flash_attention: flash_attn,
      logits: outputs === 'n_batch' ? 'all' : 'last',
      kv_unified,
      swa_full,
      ...(Object.keys(offload).length > 0 && { offload }),
    },
  };
}

const exact = (metric, truth, answer, at) => ({ metric, truth, answer, low: answer, high: answer, tolerance: 0, at });

/** Where a reply says the same (web/src/library/conformance/index.mjs). */
export const placesOn = (host, ...rows) => rows.map((row) => `${host ? 'host/rows' : 'rows'}/${row}`);

const places = { model: ['weights/rows/model_buffer'], context: ['kv_cache/rows/kv_buffer', 'state/rows/rs_buffer'] };

function computeFigures(row, reply) {
  if (spoiled(row, 'compute')) return [];
  return (row.settings.devices > 1 ? [true] : [false, true]).flatMap((host) => {
    const found = buffer(host ? reply.host.rows : reply.rows, 'activations', 'compute_buffer');
    const truth = reported(row, host ? 'host' : 0, 'compute');
    if (truth === 0) return [];
    const logits = row.settings.n_outputs_max === undefined ? 'all logits' : 'server';
    const attention = row.settings.flash_attn === false ? 'no flash attention' : 'flash attention';
    const metric = host ? 'compute, host' : `compute, device, ${logits}, ${attention}`;
    const at = placesOn(host, 'activations/rows/compute_buffer');
    return [{ metric, truth, answer: found?.bytes, low: found?.low, high: found?.high, tolerance: 0, at }];
  });
}

/** What the driver says of a device that nobody else used, after a prompt and some tokens. */
const processFigures = ({ used }, { total: { process: ours } }) =>
  used ? [{ metric: 'process', truth: used.ran, answer: ours.bytes, low: ours.low, high: ours.high, tolerance: 0.02, at: ['total/process'] }] : [];

/** Each of several devices, whose rows the reply gives without what they consist of. */
function devicesFigures(row, reply) {
  return reply.devices.flatMap(({ rows }, number) => {
    const at = `devices/${number}/rows`;
    const of = (...ids) => bytes(...rows.filter(({ id }) => ids.includes(id)));
    return [
      exact('model, each device', reported(row, number, 'model'), of('weights'), [`${at}/weights`]),
      exact('context, each device', reported(row, number, 'context'), of('kv_cache', 'state'), [`${at}/kv_cache`, `${at}/state`]),
      exact('compute, each device', reported(row, number, 'compute'), of('activations'), [`${at}/activations`]),
    ];
  });
}

function placement({ n_gpu_layers: layers, n_cpu_moe: experts, offload_kqv: cache = true, devices = 1 }) {
  if (devices > 1) return 'llama.cpp, several devices';
  if (layers !== undefined) return 'llama.cpp, partly off-loaded';
  if (experts !== undefined) return 'llama.cpp, experts on the host';
  return cache ? 'llama.cpp' : 'llama.cpp, cache on the host';
}

export function llamaCase(row, configs) {
  const config = configs[row.config];
  const engine = placement(row.settings);
  const several = row.settings.devices > 1;
  if (!config) return { engine, reason: `no config ${row.config} beside the rows` };
  return {
    engine,
    requests: [llamaRequest(row, config)],
    compare: (reply) => [
      ...(several ? devicesFigures(row, reply) : []),
      ...Object.entries(parts).flatMap(([part, of]) =>
        spoiled(row, part)
          ? []
          : (several ? [true] : [false, true]).map((host) =>
              exact(
                `${part}, ${host ? 'host' : 'device'}`,
                reported(row, host ? 'host' : 0, part),
                of(host ? reply.host.rows : reply.rows),
                placesOn(host, ...places[part]),
              ),
            ),
      ),
      ...computeFigures(row, reply),
      ...processFigures(row, reply),
    ],
  };
}

/** Tensors and bytes of each type in a file, as llama.cpp's quantizer chooses them. */
export function typesCase(row, configs) {
  const config = configs[row.config];
  if (!config) return { engine: 'llama.cpp', reason: `no config ${row.config} beside the rows` };
  const request = {
    schema: 1,
    task: 'inference',
    explain: 'rows',
    model: { config },
    weights: { encoding: `gguf-${row.quant.toLowerCase()}` },
    inference: { context: 256 },
  };
  const sum = (types, of) => Object.values(types ?? {}).reduce((all, type) => all + type[of], 0);
  const told = (types) => Object.entries(types).map(([name, { tensors, bytes: size }]) => `${name.toLowerCase()} ${tensors} ${size}`);
  return {
    engine: 'llama.cpp',
    requests: [request],
    compare: ({ model: { tensor_types: ours = {} } }) => {
      const own = new Set(told(Object.fromEntries(Object.entries(ours).map(([name, type]) => [name.replace('gguf-', ''), type]))));
      const theirs = told(row.tensor_types);
      return [
        exact('bytes of the file', row.model_bytes, sum(ours, 'bytes'), ['model/tensor_types/*/bytes']),
        { ...exact('types with their tensors and bytes', theirs.length, theirs.filter((line) => own.has(line)).length), unit: 'types' },
      ];
    },
  };
}
