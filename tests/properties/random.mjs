// Random requests made of presets/schema/request.json: every field that it names, of every task, runtime, framework and method.
// What a field may say comes from the schema; which values are worth asking for, where it leaves them open, stands in `open`.

import { readFileSync } from 'node:fs';

import { ids, presets } from '../../web/src/node/presets.mjs';

const schema = JSON.parse(readFileSync(new URL('../../presets/schema/request.json', import.meta.url), 'utf8'));

const powers = (most) => (random) => 2 ** random.between(0, most);
const upTo = (most) => (random) => random.between(1, Math.max(1, Math.round(most ** (random.between(0, 100) / 100))));
const oneOf = (list) => (random) => random.pick(list);
const share = (random) => random.between(5, 100) / 100;

const used = (use) =>
  presets('encodings')
    .filter(({ uses }) => uses.includes(use))
    .map(({ id }) => id);
const modules = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];
const somemodules = (random) =>
  random.chance(30)
    ? 'all-linear'
    : modules
        .filter(() => random.chance(40))
        .concat('q_proj')
        .slice(-4);
const degree = powers(3);

/** Values of fields for which the schema has a type alone, by their last names. */
const open = {
  'model.preset': oneOf(ids('models')),
  'device.preset': oneOf(ids('devices')),
  'inference.runtime': oneOf(ids('runtimes')),
  'weights.encoding': oneOf(used('weights')),
  kv_encoding: oneOf(used('kv')),
  k: oneOf(used('kv')),
  v: oneOf(used('kv')),
  encoding: oneOf(['bf16', 'nf4', 'nf4-dq', 'int8']),
  gradient_encoding: oneOf(['fp32', 'bf16']),
  state_encoding: oneOf(['fp32', 'bf16']),
  optimizer: oneOf(ids('optimizers')),
  context: upTo(65536),
  prompt: upTo(1024),
  sequence: upTo(8192),
  completion: upTo(256),
  mean: upTo(256),
  deviation: upTo(128),
  sequences: upTo(64),
  micro_batch: upTo(8),
  accumulation: upTo(8),
  replicas: upTo(4),
  batch_tokens: upTo(8192),
  sequences_at_once: upTo(256),
  beams: upTo(4),
  shared_prefix: upTo(16),
  devices: degree,
  data: degree,
  tensor: degree,
  pipeline: degree,
  'parallel.context': degree,
  expert: degree,
  expert_imbalance: () => 1,
  first_stage_layers: upTo(4),
  last_stage_layers: upTo(4),
  dequantised_copies: upTo(4),
  virtual_stages: powers(1),
  shard_group: powers(2),
  rank: upTo(64),
  max_loras: upTo(8),
  max_lora_rank: upTo(64),
  targets: somemodules,
  modules_to_save: oneOf([['lm_head'], ['embed_tokens'], ['embed_tokens', 'lm_head']]),
  trainable_layers: oneOf([1, 2, -2, 4]),
  trainable_modules: oneOf([['all'], ['q_proj'], ['self_attn'], ['mlp']]),
  extra_modules: oneOf([['lm_head'], ['embed_tokens'], ['norm']]),
  trainable_percent: upTo(100),
  memory_bytes: (random) => random.between(4, 200) * 2 ** 30,
  used_by_others_bytes: (random) => random.between(0, 2 ** 30),
  memory_fraction: share,
  fraction: share,
  dropout: oneOf([0, 0.1]),
  num_speculative_tokens: upTo(8),
  count: upTo(4),
  virtual_tokens: upTo(64),
  encoder_hidden_size: upTo(512),
  gpu_layers: upTo(64),
  experts_on_cpu: upTo(16),
  tokens: upTo(1024),
  width: upTo(1024),
  height: upTo(1024),
};

/** Fields that most requests have, in percent; of all others one in twelve. */
const often = {
  device: 85,
  weights: 60,
  'weights.encoding': 95,
  'inference.context': 90,
  'inference.runtime': 85,
  'inference.sequences': 50,
  'training.method': 70,
  'training.objective': 30,
  'training.precision': 50,
  'training.sequence': 80,
  'training.micro_batch': 60,
  'training.checkpointing': 40,
  'training.optimizer': 50,
  'training.accumulation': 30,
  parallel: 40,
  devices: 15,
  'parallel.framework': 60,
  'parallel.zero': 25,
  'parallel.data': 35,
  'parallel.tensor': 35,
  'parallel.pipeline': 30,
  'device.preset': 100,
  'training.trainable_percent': 2,
  'training.freeze': 3,
  'training.recompute_method': 3,
  'training.lora': 25,
  'training.galore': 15,
  'inference.lora': 10,
  'lora.rank': 60,
  'galore.rank': 60,
  'lora.max_lora_rank': 60,
  'parallel.first_stage_layers': 2,
  'parallel.last_stage_layers': 2,
  'inference.images': 3,
  'training.images': 3,
  'training.towers': 3,
  'inference.draft': 4,
  'inference.batch_tokens': 12,
};
const seldom = 8;

/** Never asked for at random: what needs another file, a version's name, or a text of people's own. */
const left = new Set(['schema', 'config', 'name', 'tensors', 'release', 'framework', 'recompute_modules', 'holds', 'tensor_split']);

const ends = (table, path) => table[path.slice(-2).join('.')] ?? table[path.at(-1)];

/** A field named by its last two names, or by the last alone; `framework` of `parallel` is a choice, elsewhere a text. */
const isLeft = (path) => left.has(path.at(-1)) && path.at(-2) !== 'parallel';

function object(node, path, random) {
  const made = {};
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const at = [...path, name];
    const required = node.required?.includes(name);
    if (isLeft(at) || !(required || random.chance(ends(often, at) ?? seldom))) continue;
    const value = some(child, at, random);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** A value that the schema allows at this place; undefined where there is none worth asking for. */
function some(node, path, random) {
  const drawn = ends(open, path);
  if (drawn) return drawn(random);
  if (node.$ref?.startsWith('#'))
    return some(
      node.$ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], schema),
      path,
      random,
    );
  if (node.enum) return random.pick(node.enum);
  const ways = node.anyOf ?? node.oneOf;
  if (ways) return some(ways[0], path, random);
  if (node.type === 'object') return object(node, path, random);
  if (node.type === 'boolean') return random.chance(50);
  if (node.type === 'integer') return random.between(node.minimum ?? 1, 8);
  if (node.type === 'number') return random.between(1, 8);
  return undefined;
}

const blocks = { inference: 'training', training: 'inference' };
/** What servers are asked of `parallel`; all else is a training's. */
const served = new Set(['tensor', 'pipeline', 'data', 'expert', 'context']);

/** One request, of one task. */
export function randomRequest(random) {
  const task = random.chance(50) ? 'inference' : 'training';
  const request = { model: {}, [task]: {}, ...object(schema, [], random) };
  delete request[blocks[task]];
  request[task] = some(schema.$defs[task], [task], random);
  request.model = { preset: open['model.preset'](random) };
  Object.assign(request, { task, explain: 'rows' });
  if (task === 'training') delete request.weights;
  else if (request.parallel) request.parallel = Object.fromEntries(Object.entries(request.parallel).filter(([name]) => served.has(name)));
  return request;
}
