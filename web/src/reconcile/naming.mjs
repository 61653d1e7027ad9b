// @ts-check
// Models, encodings and devices as tools name them: rules that find the preset meant; none of them knows any single name.

/** @typedef {{id: string, name: string, hugging_face_id?: string, config?: Record<string, unknown>, parameters?: number | {value: number}}} Named */

/** What follows a model's name without changing its shape: a tuning, a stored type. */
const tuning = /[-_ .:](instruct|chat|base|hf|it|qat|gguf|fp8|bf16|awq|gptq|int4|int8|4bit|8bit|ud|dynamic)(?=$|[-_ .:])/gi;

/** @param {string} name */
const bare = (name) =>
  (name.split('/').pop() ?? '')
    .replace(/:/g, '-')
    .replace(/^meta-/i, '')
    .replace(tuning, '')
    .replace(tuning, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '');

/**
 * The id of the model that a name means.
 * @param {unknown} name @param {readonly Named[]} models
 * @returns {string | undefined}
 */
export function modelNamed(name, models) {
  if (typeof name !== 'string' || name === '') return undefined;
  /** @param {Named} model */
  const names = (model) => [model.id, model.name, model.hugging_face_id].filter((one) => one !== undefined);
  const exact = models.find((model) => names(model).some((one) => one.toLowerCase() === name.toLowerCase()));
  if (exact) return exact.id;
  // as whoever converts a file names it: the organization before the model, the length that its positions were stretched to behind it
  const file = (name.split('/').pop() ?? '').replace(/[-_]\d+k(?=$|[-_.])/i, '');
  for (const wanted of [name, file, file.slice(file.indexOf('_') + 1)].map(bare)) {
    const found = models.find((model) => names(model).some((one) => bare(one) === wanted));
    if (found) return found.id;
  }
  return undefined;
}

/** Names of a shape in llama.cpp's print_info and in Megatron-LM's arguments, and in config.json. */
const shapes = {
  n_layer: 'num_hidden_layers',
  num_layers: 'num_hidden_layers',
  n_embd: 'hidden_size',
  hidden_size: 'hidden_size',
  n_head: 'num_attention_heads',
  num_attention_heads: 'num_attention_heads',
  n_head_kv: 'num_key_value_heads',
  n_vocab: 'vocab_size',
  ffn_hidden_size: 'intermediate_size',
};

/** What a text says of a shape, as a config.json does; llama.cpp's count of layers has the output among them. @param {Record<string, unknown>} settings */
function shapeOf(settings) {
  const stated = Object.entries(shapes).flatMap(([name, field]) =>
    typeof settings[name] === 'number' ? [/** @type {const} */ ([field, settings[name]])] : [],
  );
  const { layers_total: all, num_query_groups: groups, group_query_attention: grouped } = settings;
  if (grouped === true && typeof groups === 'number') stated.push(['num_key_value_heads', groups]);
  return new Map([...(typeof all === 'number' ? [/** @type {const} */ (['num_hidden_layers', all - 1])] : []), ...stated]);
}

/** Numbers of a shape that tell a model even where no figure is compared. */
export const enough = 4;

/** Parameters of the base, where adapters are counted beside it. @param {Record<string, unknown>} settings */
const baseOf = ({ all_params: all, trainable_params: trained }) => Number(all) - (Number(trained) === Number(all) ? 0 : Number(trained));

/** Models of exactly so many parameters: a number of ten digits tells more than a shape. @param {Record<string, unknown>} settings @param {readonly Named[]} models */
function counted(settings, models) {
  const base = baseOf(settings);
  const found = models.filter(({ parameters }) => (typeof parameters === 'object' ? parameters.value : parameters) === base);
  return { ids: found.map(({ id }) => id), given: found.length > 0 ? enough : 0 };
}

/** Shapes of a preset's text model, as lists of models and config.json have them. @param {Named} model */
const configOf = ({ config = {} }) => /** @type {Record<string, unknown>} */ (config['text_config'] ?? config);

/**
 * The models of this shape, and how many numbers of it the text says.
 * @param {Record<string, unknown>} settings @param {readonly Named[]} models
 */
export function modelsShaped(settings, models) {
  const shape = shapeOf(settings);
  if (shape.size === 0) return counted(settings, models);
  // A config.json leaves out as many key-value heads as there are heads.
  const has = (/** @type {Record<string, unknown>} */ config, /** @type {string} */ field) =>
    config[field] ?? (field === 'num_key_value_heads' ? config['num_attention_heads'] : undefined);
  const found = models.filter((model) => [...shape].every(([field, value]) => has(configOf(model), field) === value));
  return { ids: found.map(({ id }) => id), given: shape.size };
}

/**
 * The one model whose config.json states this shape in full; none where several do.
 * @param {Record<string, unknown>} settings @param {readonly Named[]} models
 */
export function modelShaped(settings, models) {
  const fields = [...shapeOf(settings).keys()];
  const stating = models.filter(({ config }) => fields.every((field) => config?.[field] !== undefined));
  const { ids, given } = modelsShaped(settings, stating);
  return given >= 4 && ids.length === 1 ? ids[0] : undefined;
}

const floats = {
  bfloat16: 'bf16',
  bf16: 'bf16',
  float16: 'fp16',
  half: 'fp16',
  fp16: 'fp16',
  f16: 'fp16',
  float32: 'fp32',
  float: 'fp32',
  f32: 'fp32',
};
const sizes = { Medium: 'm', Small: 's', Large: 'l' };

/**
 * The encoding of weights that a GGUF's type is: `Q4_K - Medium`, `mostly Q4_0`, `IQ4_XS - 4.25 bpw`, `Q8_0`.
 * @param {unknown} type @param {readonly string[]} encodings ids
 */
export function ggufEncoding(type, encodings) {
  if (typeof type !== 'string') return undefined;
  const [, name, size] = /^(?:mostly |all )?(?:UD-)?([A-Za-z0-9_]+)(?: - (Medium|Small|Large))?/.exec(type) ?? [];
  if (!name) return undefined;
  const id = `gguf-${name}${size ? `_${sizes[/** @type {keyof typeof sizes} */ (size)]}` : ''}`.toLowerCase();
  return encodings.includes(id) ? id : undefined;
}

/**
 * The encoding that a server's `dtype` or `quantization` is.
 * @param {unknown} name @param {readonly string[]} encodings ids
 */
export function encodingNamed(name, encodings) {
  if (typeof name !== 'string') return undefined;
  const lower = name.toLowerCase().replace(/_e4m3|_e5m2/, '');
  const id = floats[/** @type {keyof typeof floats} */ (lower)] ?? lower;
  return encodings.includes(id) ? id : undefined;
}
