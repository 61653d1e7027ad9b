// The Model Context Protocol over standard input and output: JSON-RPC 2.0, one message a line, and tools alone. What stands on
// standard output is the protocol's; nothing is asked of the client.

import { parsed, whyUnread } from '../output/json.mjs';
import { linesOf, tooLong } from './lines.mjs';
import { tools } from './schemas.mjs';
import { answerTo, opened } from './verbs.mjs';

/** Revisions whose messages about tools are the same, the newest first. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Codes of JSON-RPC. */
const codes = { parse: -32700, request: -32600, method: -32601, params: -32602 };

class Refusal extends Error {
  /** @param {keyof codes} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.code = codes[kind];
  }
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const initialized = (version, { protocolVersion }) => ({
  protocolVersion: revisions.includes(protocolVersion) ? protocolVersion : revisions[0],
  capabilities: { tools: { listChanged: false } },
  serverInfo: { name: 'plimsoll', title: 'Plimsoll', version },
  instructions:
    'How much GPU memory a language model needs. Find ids with list, ask estimate, and solve for what fits. Figures are bytes; a reply has low and high where it is not exact.',
});

/** A tool's error is for the model to read, and no error of the protocol. */
async function called(doors, known, { name, arguments: given = {} }) {
  if (!known.some((tool) => tool.name === name)) throw new Refusal('params', `there is no tool ${JSON.stringify(name) ?? 'without a name'}`);
  if (!isObject(given)) throw new Refusal('params', 'arguments are an object');
  const reply = await answerTo(doors, name, given);
  return { content: [{ type: 'text', text: JSON.stringify(reply) }], isError: reply.error !== undefined };
}

/** @param {import('./verbs.mjs').Doors} doors @returns {Record<string, (params: any) => any>} */
function methodsOf(doors) {
  const known = tools();
  return {
    initialize: (params) => initialized(doors.engine.version, params),
    ping: () => ({}),
    'tools/list': () => ({ tools: known }),
    'tools/call': (params) => called(doors, known, params),
  };
}

const failed = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
const isId = (id) => typeof id === 'string' || typeof id === 'number';

/** @returns {Promise<object | undefined>} nothing answers a notification, nor an answer */
async function answered(methods, message) {
  if (!isObject(message) || message.jsonrpc !== '2.0') return failed(null, codes.request, 'this is no message of JSON-RPC 2.0');
  const { id, method, params = {} } = message;
  if (method === undefined && isId(id) && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string' || (id !== undefined && !isId(id)))
    return failed(isId(id) ? id : null, codes.request, 'a request has a method, and an id that is a text or a number');
  if (id === undefined) return undefined;
  try {
    if (!Object.hasOwn(methods, method)) throw new Refusal('method', `there is no method ${method}`);
    if (!isObject(params)) throw new Refusal('params', 'params are an object');
    return { jsonrpc: '2.0', id, result: await methods[method](params) };
  } catch (fault) {
    if (fault instanceof Refusal) return failed(id, fault.code, fault.message);
    throw fault;
  }
}

/** A batch, as the revision of March 2025 has it, is answered by one. */
async function answeredAll(methods, messages) {
  if (messages.length === 0) return failed(null, codes.request, 'this batch is empty');
  const all = [];
  for (const message of messages) all.push(await answered(methods, message));
  const answers = all.filter((one) => one !== undefined);
  return answers.length > 0 ? answers : undefined;
}

/**
 * Speaks the protocol until there is no more input.
 * @param {AsyncIterable<Uint8Array>} input @param {(line: string) => void | Promise<void>} write
 */
export async function speak(input, write) {
  const methods = methodsOf(await opened());
  const answer = async (text) => {
    if (text === undefined) return failed(null, codes.request, tooLong.what);
    const message = parsed(text);
    if (message === undefined) return failed(null, codes.parse, whyUnread(text));
    return Array.isArray(message) ? answeredAll(methods, message) : answered(methods, message);
  };
  for await (const { text } of linesOf(input)) {
    const said = await answer(text);
    if (said !== undefined) await write(JSON.stringify(said));
  }
}
