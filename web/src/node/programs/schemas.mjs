// What the tools of `plimsoll mcp` take, as JSON Schema: made of presets/schema, so that a new field is offered by itself. What
// only form and command line read is left out, and of each description the first sentence stays, since an agent reads all of it.

import { kinds } from '../../library/listing.mjs';
import { schema } from '../presets.mjs';

const unread = new Set(['$schema', '$id', 'title', 'option', 'form', 'formOfTraining', 'enumeration']);

const firstSentence = (text) => /^.*?[.;](?= |$)/s.exec(text)?.[0].replace(/;$/, '.') ?? text;

/** @param {any} node @param {boolean} [names] whether its keys are names of fields @returns {any} */
function plain(node, names = false) {
  if (Array.isArray(node)) return node.map((one) => plain(one));
  if (node === null || typeof node !== 'object') return node;
  if (!names && typeof node.$ref === 'string' && !node.$ref.startsWith('#')) return elsewhere(node);
  const kept = Object.entries(node).filter(([key]) => names || !unread.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      !names && key === 'description' ? firstSentence(value) : plain(value, !names && ['properties', '$defs'].includes(key)),
    ]),
  );
}

/** References out of a file: an id is a text, and what is a request `estimate` describes. */
const elsewhere = ({ $ref, description }) => ({
  type: $ref.endsWith('/id') ? 'string' : 'object',
  ...(description && { description: firstSentence(description) }),
});

const aRequest = { type: 'object', description: 'A request as estimate takes it.' };

const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });

/** A question about a request, as a schema has it. @param {'solve.json' | 'plan.json'} name */
function question(name) {
  const { properties, ...whole } = plain(schema(name));
  return { ...whole, properties: { ...properties, request: aRequest } };
}

const inspecting = () =>
  object({
    files: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Paths on this machine: of one model its files, or their folder.' },
    texts: {
      type: 'array',
      items: object({ name: { type: 'string' }, text: { type: 'string' } }, ['name', 'text']),
      description: 'Files of JSON by their name and text, such as config.json.',
    },
    hub: {
      type: 'string',
      description:
        'org/name on huggingface.co, modelscope:org/name or ollama:name:tag. The headers are fetched from there; nothing else asks a network.',
    },
  });

const listing = () =>
  object(
    {
      kind: { enum: kinds, description: 'What is listed.' },
      words: { type: 'string', description: 'Only what has each of these words in its id or name, such as "coder 7b".' },
    },
    ['kind'],
  );

/** @type {{name: string, title: string, description: string, inputSchema: () => object}[]} */
const described = [
  {
    name: 'estimate',
    title: 'Memory of a model on a GPU',
    description:
      'How much memory a language model needs for inference or training: bytes by row (weights, KV cache, activations, optimizer …) with a band, and whether it fits the device. Presets are named by id (see list); explain: "none" gives totals alone, "all" formulas and sources.',
    inputSchema: () => plain(schema('request.json')),
  },
  {
    name: 'solve',
    title: 'Largest value that fits',
    description:
      'Which value of a field fits: the longest context ("find": "inference.context"), most sequences, least devices, best encoding. Answers the last value that fits, the first that does not, and what stands in the way.',
    inputSchema: () => question('solve.json'),
  },
  {
    name: 'plan',
    title: 'Layouts over a cluster',
    description:
      'Every way to spread a model over a cluster (data, tensor, pipeline, context, expert parallelism, sharding): the best by what is wanted.',
    inputSchema: () => question('plan.json'),
  },
  {
    name: 'fit',
    title: 'What fits',
    description:
      'A table of verdicts: without a model, which models run on the device; without a device, which devices the model runs on; with both, each encoding that the runtime loads. It takes a request as estimate does.',
    inputSchema: () => ({ type: 'object', description: 'A request as estimate takes it, with a model, a device, or both.' }),
  },
  {
    name: 'compare',
    title: 'Requests side by side',
    description: 'Two to four requests side by side: rows in bytes, and the symbols of the formulas that make each difference.',
    inputSchema: () => object({ requests: { type: 'array', items: aRequest, minItems: 2, maxItems: 4 } }, ['requests']),
  },
  {
    name: 'reconcile',
    title: 'Read a log',
    description:
      'What a tool printed about memory (an out-of-memory message, a log of vLLM, llama.cpp, a trainer, nvidia-smi): each figure and what it counts, what is answered here for the same thing, and what explains the difference.',
    inputSchema: () =>
      object(
        { text: { type: 'string', description: 'What was printed.' }, request: { ...aRequest, description: 'Laid over what the text states.' } },
        ['text'],
      ),
  },
  {
    name: 'inspect',
    title: "What a model's files hold",
    description:
      'Architecture, parameters by part, bytes by type of a config.json, *.safetensors, an index, *.gguf or adapter_config.json (headers alone are read), and the request that says the same.',
    inputSchema: inspecting,
  },
  {
    name: 'list',
    title: 'What is built in',
    description: 'Ids of models, devices, machines, encodings, optimizers, runtimes, trainers, for use in a request.',
    inputSchema: listing,
  },
];

/** The tools as the protocol lists them. None changes anything, and one alone may ask a network. */
export const tools = () =>
  described.map(({ inputSchema, ...tool }) => ({
    ...tool,
    inputSchema: inputSchema(),
    annotations: { title: tool.title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: tool.name === 'inspect' },
  }));
