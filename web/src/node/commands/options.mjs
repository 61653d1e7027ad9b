// The short forms of `plimsoll estimate`: which field of the request each option sets, and how it is read. They are made of
// the schema, where a field says what its option is called. Parsing, --help and "did you mean" all come from here.

import { described } from '../described.mjs';
import { units } from '../../library/units.mjs';
import { filterOptions } from './filters.mjs';
import { kindOf } from './names/kinds.mjs';
import { unknown } from './usage.mjs';
import { ids, preset, schema } from '../presets.mjs';

/**
 * @typedef {object} Option
 * @property {string} name
 * @property {string} [field] of the request, by its path
 * @property {string} [read] how its value is read
 * @property {string} [value] what the help shows in the value's place
 * @property {string} help
 * @property {string} [task] what it is said of
 * @property {string[]} [choices] every value that it can have
 * @property {string} [kind] of the presets whose ids are its values
 * @property {(value: string) => [string, unknown][]} [sets] the fields that it stands for, where it stands for several
 * @property {boolean} [files] whether a path may stand there
 */

/** Where else files may lie: asked for by name, and no other request ever leaves. @type {Option[]} */
export const hubOptions = [
  {
    name: 'hub',
    value: 'ORG/NAME',
    help: "fetch the files' headers from huggingface.co (HF_ENDPOINT names another server); ORG/NAME:Q4_K_M is one of its GGUFs; modelscope:ORG/NAME and ollama:NAME:TAG are from there",
  },
  { name: 'token-env', value: 'NAME', help: 'the environment variable that holds a token, for gated models' },
];

/** What stands in the help above each group of options, in order. @type {Record<string, string>} */
const titles = {
  model: 'Model',
  device: 'Device',
  inference: 'Inference',
  training: 'Training',
  answers: 'Training on answers of its own (objective grpo or ppo)',
  spread: 'Training on several devices',
  request: 'Request',
};

/** The group of a block's options, unless they say another. @type {Record<string, string>} */
const groups = {
  model: 'model',
  weights: 'model',
  device: 'device',
  devices: 'device',
  parallel: 'spread',
  inference: 'inference',
  training: 'training',
};

/** What a machine stands for. @param {string} id @returns {[string, unknown][]} */
function machineFields(id) {
  const machine = preset('machines', id);
  if (!machine) throw unknown('machine', id, ids('machines'), 'list');
  return [
    ['device.preset', machine.device],
    ['devices', machine.count.value],
  ];
}

/** How a value is read, and what the help shows in its place. @param {Record<string, any>} type @returns {{read?: string, value?: string}} */
function reading(type) {
  if (type.type === 'boolean') return { read: 'switch' };
  if (type.type === 'integer' || type.type === 'number' || typeof type.enum?.[0] === 'number') return { read: 'number', value: 'N' };
  return type.type === 'array' || type.oneOf ? { read: 'list', value: 'ID' } : { value: 'ID' };
}

/** @param {import('../described.mjs').Described} one @returns {Option & {group: string}} */
function optionOf({ path, type, note: { name, value, unit, help, group } }) {
  const usual = reading(type);
  const choices = typeof type.enum?.[0] === 'string' ? type.enum : undefined;
  const kind = choices ? undefined : kindOf(path);
  const option = {
    name,
    field: path,
    ...usual,
    ...(unit && { read: unit }),
    ...(value && { value }),
    ...(choices && { choices }),
    ...(kind && { kind }),
    help: [help ?? [], choices ? choices.join(', ') : []].flat().join(': '),
    group: group ?? groups[path.split('.')[0] ?? ''] ?? 'request',
  };
  return option.group === 'spread' ? { ...option, task: 'training' } : option;
}

const fromSchema = described(schema('request.json'), 'option').map(optionOf);

/** What is no field of a request, before and after those that are. @type {Record<string, {first?: Option[], last?: Option[]}>} */
const others = {
  model: {
    first: [
      {
        name: 'model',
        value: 'ID|FILE',
        kind: 'models',
        files: true,
        help: 'a preset (plimsoll list models), a config.json, *.safetensors, *.gguf, its address, a folder, or ollama:NAME:TAG',
      },
      ...hubOptions,
    ],
  },
  device: {
    first: [{ name: 'machine', value: 'ID', kind: 'machines', sets: machineFields, help: 'a whole machine: its devices (plimsoll list machines)' }],
  },
  request: { last: [{ name: 'print-request', read: 'switch', help: 'print the request that the options make, and stop' }] },
};

/** @type {{title: string, options: Option[]}[]} */
export const requestOptions = Object.entries(titles).map(([group, title]) => ({
  title,
  options: [...(others[group]?.first ?? []), ...fromSchema.filter((one) => one.group === group), ...(others[group]?.last ?? [])],
}));

/** A search in the stead of an estimate. @type {Option[]} */
export const searchOptions = [
  {
    name: 'find',
    value: 'OPTION',
    read: 'list',
    help: 'the last value that fits of an option, such as context; of two, the edge: context,sequences',
  },
  { name: 'sure', read: 'switch', help: 'with --find: all of the band must fit, not the estimate alone' },
  { name: 'limit', value: 'BYTES', read: 'bytes', help: "with --find: fit in so many bytes instead of the device's, such as 20GB" },
  {
    name: 'limit-latency',
    value: 'SECONDS',
    read: 'number',
    help: 'with --find: seconds of a step of one token of each sequence at most, such as 0.05',
  },
  { name: 'limit-speed', value: 'TOKENS', read: 'number', help: 'with --find: tokens a second of all sequences at least, such as 1000' },
];

/** What a price and a board's power make of a speed: no request has them, and none is kept. @type {Option[]} */
export const costOptions = [
  { name: 'price', value: 'PRICE', read: 'number', help: 'with --time: the price of an hour of all devices; tells what tokens cost' },
  { name: 'power', value: 'WATTS', read: 'number', help: "with --time: the boards' power; tells the energy of tokens at most" },
];

/** What the best layouts may be best at. */
const wants = schema('plan.json').properties.want.enum;

/** A search over layouts. @type {Option[]} */
export const planOptions = [
  { name: 'nodes', value: 'N', read: 'number', help: 'nodes of the cluster (default 1)' },
  { name: 'devices-per-node', value: 'N', read: 'number', help: 'devices of a node (default 8)' },
  {
    name: 'other-devices',
    value: 'ID:NxM,…',
    help: 'other kinds of devices that a layout may run on: N nodes of M devices each, such as a100-sxm-80gb:4x8',
  },
  { name: 'bandwidth-within', value: 'GB/s', read: 'number', help: 'that a device sends to others of its node, one way; for --want shortest_step' },
  { name: 'bandwidth-between', value: 'GB/s', read: 'number', help: 'that a device sends to other nodes, one way; for --want shortest_step' },
  { name: 'global-batch', value: 'N', read: 'number', help: 'training: sequences of a step over all devices' },
  { name: 'want', value: 'WHAT', choices: wants, help: `what the best are best at: ${wants.join(', ')} (default ${wants[0]})` },
  { name: 'keep', value: 'N', read: 'number', help: 'layouts that are shown (default 10)' },
  { name: 'room', value: 'BYTES', read: 'bytes', help: 'bytes of each device that must stay free, such as 4GB' },
  { name: 'sure', read: 'switch', help: 'all of the band must fit, not the estimate alone' },
  { name: 'neighbours', read: 'switch', help: 'why the layouts one step from the best are no better' },
];

/** @type {Option} */
export const failOption = { name: 'fail-if-too-large', read: 'switch', help: 'exit status 3 where a request does not fit, for scripts' };

/** Tables in other forms. @type {Option[]} */
export const formOptions = [
  { name: 'csv', read: 'switch', help: 'comma-separated values, in bytes' },
  { name: 'markdown', read: 'switch', help: 'a Markdown table' },
];

/** @type {Option} */
export const htmlOption = {
  name: 'html',
  read: 'switch',
  help: 'a <plimsoll-calculator> tag for a page, with the answer in it as plain HTML',
};

/** How an answer is shown; the same for every command. */
export const outputOptions = [
  { name: 'json', read: 'switch', help: 'one reply a line' },
  { name: 'explain', read: 'switch', help: 'formulas with their values, and where each value comes from' },
  { name: 'unit', value: 'UNIT', choices: units, help: `${units.join(', ')} (default GiB)` },
  { name: 'help', read: 'switch', help: 'this text' },
];

/** Of reconcile. */
export const howOption = { name: 'how', read: 'switch', help: 'lines that measure memory, in place of reading any' };

const shortForms = requestOptions.flatMap((group) => group.options);
const tables = outputOptions.filter(({ name }) => name !== 'explain');
const named = (...names) => outputOptions.filter(({ name }) => names.includes(name));

/** The options of each command. @type {Record<string, Option[]>} */
export const optionsOf = {
  estimate: [...shortForms, ...searchOptions, ...costOptions, ...formOptions, htmlOption, ...outputOptions, failOption],
  solve: tables,
  fit: [...shortForms, ...formOptions, ...tables],
  compare: [...formOptions, ...tables],
  inspect: [...hubOptions, ...tables],
  sweep: tables,
  plan: [...shortForms, ...planOptions, ...formOptions, ...tables],
  reconcile: [howOption, ...tables],
  list: [...filterOptions, ...formOptions, ...named('json', 'help')],
  serve: [{ name: 'stdio', read: 'switch', help: 'questions on standard input, answers on standard output' }, ...named('help')],
  mcp: named('help'),
  completion: named('help'),
};
