// What holds between two requests: each law makes another request of one, and says what is wrong with both replies, if anything.

import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(new URL('../../presets/schema/request.json', import.meta.url), 'utf8'));

const at = (request, path) => path.split('.').reduce((value, key) => value?.[key], request);

/** A copy of the request with one field set, or left out where the value is undefined. */
function having(request, path, value) {
  const copy = structuredClone(request);
  const keys = path.split('.');
  const holder = keys.slice(0, -1).reduce((block, key) => (block[key] ??= {}), copy);
  if (value === undefined) delete holder[keys.at(-1)];
  else holder[keys.at(-1)] = value;
  return copy;
}

function* rowsOf(rows, above = '') {
  for (const row of rows ?? []) {
    const path = above ? `${above}.${row.id}` : row.id;
    yield [path, row];
    yield* rowsOf(row.rows, path);
  }
}

const fullest = ({ by_phase: phases }) => Math.max(...Object.values(phases));

/** Exact rows that may have less where there is more to compute. */
const atOtherMoments = {
  rows: ['gradients', 'optimizer'],
  cause: 'each phase is shown at its fullest moment, and more tokens move it to one where fewer gradients, or states that are stepped, are there',
};

/** States that may be on the device or on the host. */
const paged = {
  rows: ['optimizer'],
  optimizers: /^paged-/,
  cause: 'bitsandbytes pages tensors from a size on: of larger adapters the states are on the host, of smaller ones on the device',
};

/** States whose type hangs on a tensor's size. */
const small = {
  rows: ['optimizer'],
  optimizers: /8bit/,
  cause: 'bitsandbytes keeps states of tensors below 4,096 elements in 32 bits: of a larger rank a projected gradient has more, and 8 bits each',
};

/** Lengths that a longer one may take less than. */
const windowed = {
  path: 'training.sequence',
  precision: 'fp32',
  cause:
    'SDPA of grouped keys in fp32 has no fused kernel without a mask and saves the softmax; a sequence longer than the window has a mask, and a kernel that does not',
};

/** Rows that may have less, and count in no phase's whole. */
const planned = {
  rows: ['activations'],
  runtimes: ['llama.cpp', 'ollama', 'lm-studio'],
  cause:
    "llama.cpp's graph is planned anew for other sizes, its allocator may find places that fit better, and what a Vulkan device cannot hold in one piece goes to the host",
};

const within = (path, rows) => path.split('.').some((row) => rows.includes(row));

/** More of something: no row that is arithmetic on shapes has less at its fullest, and no phase has less in all. */
function neverLess(before, after, request) {
  if (before.total.device !== after.total.device) return undefined;
  const later = new Map(rowsOf(after.rows));
  const left = planned.runtimes.includes(request.inference?.runtime) ? [...planned.rows] : [];
  const { optimizer } = request.training ?? {};
  for (const { optimizers, rows } of [paged, small]) if (optimizers.test(optimizer)) left.push(...rows.filter((row) => !left.includes(row)));
  for (const [path, row] of rowsOf(before.rows)) {
    if (row.basis !== 'exact' || within(path, [...atOtherMoments.rows, ...left])) continue;
    const other = later.has(path) ? fullest(later.get(path)) : 0;
    if (other < fullest(row)) return `${path} has ${fullest(row)} at its fullest, and with more ${other}`;
  }
  const whole = ({ bytes, rows }) => left.reduce((all, id) => all - (rows[id] ?? 0), bytes);
  for (const moment of before.timeline ?? []) {
    const other = after.timeline.find(({ phase }) => phase === moment.phase);
    if (whole(other) < whole(moment)) return `${whole(moment)} at ${moment.phase} become ${whole(other)}`;
  }
  return undefined;
}

/** Weights of the device that has most of them. */
function weights({ rows, devices }) {
  const lists = devices?.length ? devices.map((device) => device.rows) : [rows];
  return Math.max(...lists.map((list) => list.find(({ id }) => id === 'weights')?.bytes ?? 0));
}

/** Where more devices do give one more weights. */
const concentrated = [
  {
    cause: 'tensor is left out and follows from expert: more copies need fewer devices each for the same groups of experts',
    when: ({ inference, parallel }) => inference && parallel?.expert > 1 && parallel.tensor === undefined,
  },
  {
    cause: 'FSDP of stage 2 keeps what it has gathered beside its shares; one device alone gathers nothing',
    when: ({ parallel }) => parallel?.framework?.startsWith('fsdp') && parallel.zero === 2,
  },
  {
    cause: 'experts that are shared by groups are whole: tensor parallelism divides them no longer',
    when: ({ training, parallel }) => training && parallel?.tensor > 1 && (parallel.expert ?? 1) === 1,
  },
];

/** Shares are rounded up to whole bytes, part by part. */
const roundedUp = 64;

const devicesOf = ({ devices }) => devices?.reduce((all, { count }) => all + count, 0) ?? 1;

function noMoreWeights(before, after) {
  if (devicesOf(after) <= devicesOf(before)) return undefined; // a degree that takes another's place
  const [one, other] = [weights(before), weights(after)];
  return other > one + roundedUp ? `a device has weights of ${one}, and of more devices ${other}` : undefined;
}

function parting(one, other) {
  let same = 0;
  while (one[same] === other[same]) ++same;
  return `…${one.slice(Math.max(0, same - 60), same + 60)} and …${other.slice(Math.max(0, same - 60), same + 60)}`;
}

const same = (text) => (before, after) => (text(before) === text(after) ? undefined : parting(text(before), text(after)));

/** All that a reply says but what was assumed, and what is said of that. */
const sameAnswer = same(({ assumptions, notes, ...reply }) => JSON.stringify(reply));

/** As `sameAnswer`; but what was not said may widen a band, so that the place for a cache lies within what it was. */
function asAssumed(before, after) {
  const without = ({ capacity, ...reply }) => ({ ...reply, capacity: capacity && { ...capacity, low: 0, high: 0 } });
  const wider = before.capacity && (after.capacity?.low < before.capacity.low || after.capacity?.high > before.capacity.high);
  return sameAnswer(without(before), without(after)) ?? (wider ? "what is said widens the cache's band" : undefined);
}

/** A reply; fields that nobody uses are told in the request's order. */
const sameReply = same(({ notes, ...reply }) => JSON.stringify({ ...reply, notes: notes.map((note) => JSON.stringify(note)).sort() }));

/** The same request, its fields in another order. */
function permuted(node, random) {
  if (Array.isArray(node) || node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).map(([key, value]) => [random.next(), key, permuted(value, random)]);
  return Object.fromEntries(entries.sort(([one], [other]) => one - other).map(([, key, value]) => [key, value]));
}

/** The request with twice as much at `path`, or twice `usual` where it says nothing; undefined where it has no such block. */
function doubled(request, path, usual) {
  const value = at(request, path) ?? usual;
  const block = path.split('.')[0];
  return value === undefined || !(block in request) ? undefined : having(request, path, value * 2);
}

const more = (path, usual) => ({
  name: `more ${path} never takes less`,
  change: (request) => (path === windowed.path && request.training?.precision === windowed.precision ? undefined : doubled(request, path, usual)),
  wrong: neverLess,
});

const spread = (degree) => ({
  name: `more devices by ${degree} never give one more weights`,
  base: (request) => having({ parallel: {}, ...request }, 'devices', undefined),
  change: (request) => {
    const excepted = Array.isArray(request.device) || concentrated.some(({ when }) => when(request));
    return excepted ? undefined : doubled(request, `parallel.${degree}`, 1);
  },
  wrong: noMoreWeights,
});

/** Of a training, one of a model that sees, with an image in each sequence. */
const seeing = ({ training, ...request }) =>
  training
    ? {
        ...request,
        model: { preset: 'qwen2.5-vl-3b' },
        training: { ...training, sequence: Math.max(training.sequence ?? 0, 1024), images: { count: 1, width: 224, height: 224 } },
      }
    : request;

const resolved = (node) =>
  node?.$ref?.startsWith('#')
    ? node.$ref
        .slice(2)
        .split('/')
        .reduce((all, key) => all[key], schema)
    : node;

/** Whether the schema has such a field; what stands in a config or a list of tensors is not the schema's to say. */
export function describes(path, node = schema) {
  const [key, ...rest] = path.replace(/\[\d+\]/g, '').split('.');
  const own = resolved(node);
  return [own, ...(own.anyOf ?? []), ...(own.oneOf ?? [])].map(resolved).some((way) => {
    const child = way.properties?.[key] ?? resolved(way.items)?.properties?.[key];
    if (!child) return false;
    return rest.length === 0 || key === 'config' || key === 'tensors' || describes(rest.join('.'), child);
  });
}

/** Assumptions that name no field of a request, or say in words what no field can. */
const inWords = new Set(['weights.encoding']);

const llama = new Set(['llama.cpp', 'ollama', 'lm-studio']);

/**
 * `change`: the other request, of the first and its reply; undefined where the law says nothing of it. `base`: the request that it is
 * about, where that is another one than was drawn.
 */
export const laws = [
  more('inference.context', 8192),
  more('inference.sequences', 1),
  more('training.sequence'),
  more('training.micro_batch', 1),
  more('training.lora.rank'),
  more('training.galore.rank'),
  more('inference.lora.max_lora_rank'),
  { ...more('training.images.count'), base: seeing },
  {
    name: 'a frozen tower never takes more than one that is trained',
    base: seeing,
    change: (request) => (request.training && request.training.towers === undefined ? having(request, 'training.towers', 'frozen') : undefined),
    wrong: (before, after) =>
      after.total.bytes > before.total.bytes ? `trained, it takes ${before.total.bytes}, and frozen ${after.total.bytes}` : undefined,
  },
  ...['tensor', 'pipeline', 'data', 'expert', 'context'].map(spread),
  {
    name: 'a field that is left out is as its assumption stated',
    change: (request, { assumptions }, random) => {
      const fields = assumptions.filter(({ field }) => !inWords.has(field) && describes(field));
      if (fields.length === 0) return undefined;
      const { field, value } = random.pick(fields);
      return having(request, field, value);
    },
    wrong: asAssumed,
  },
  { name: 'the order of fields changes nothing', change: (request, _, random) => permuted(request, random), wrong: sameReply },
  {
    name: 'null is as left out',
    change: (request, _, random) => {
      const block = request.training ? 'training' : 'inference';
      const names = Object.keys(schema.$defs[block].properties).filter((name) => request[block][name] === undefined);
      return having(request, `${block}.${random.pick(names)}`, null);
    },
    wrong: sameReply,
  },
  {
    name: 'a step that is told moment by moment has the same rows',
    change: (request) => (request.training && !request.timeline ? { ...request, timeline: true } : undefined),
    wrong: (before, { step, ...after }) => sameReply(before, after),
  },
  {
    name: "llama.cpp's own names of types are those of presets",
    change: (request) => {
      const encoding = request.weights?.encoding;
      const own = llama.has(request.inference?.runtime) && encoding?.startsWith('gguf-');
      return own ? having(request, 'weights.encoding', encoding.slice('gguf-'.length)) : undefined;
    },
    wrong: sameReply,
  },
  {
    name: 'a list of one device is that device',
    change: (request) => (request.device && !Array.isArray(request.device) ? { ...request, device: [request.device] } : undefined),
    wrong: sameReply,
  },
  {
    name: 'one type of a cache is that of keys and of values',
    change: (request) => {
      const type = request.inference?.kv_encoding;
      return typeof type === 'string' ? having(request, 'inference.kv_encoding', { k: type, v: type }) : undefined;
    },
    wrong: sameReply,
  },
];
