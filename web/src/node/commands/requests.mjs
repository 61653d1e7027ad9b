// What is asked: files of requests and the short forms, as request texts in order.

import { applyTo } from './args.mjs';
import { FileError } from '../../files/source.mjs';
import { textUpTo } from '../bounded.mjs';
import { parsed, parsedPython } from '../output/json.mjs';

/** A file that cannot be read, as an error reply like the engine's own. */
export const errorReply = (code, where, what, hint = '') => ({ schema: 1, error: { code, where, what, hint } });

/** A file of requests may hold many. */
const longestFile = 2 ** 27;

/** @returns {{text: string} | {error: object}} */
export function readText(file) {
  try {
    return { text: textUpTo(file, longestFile) };
  } catch (fault) {
    if (fault instanceof FileError) return { error: { schema: 1, error: fault.failure } };
    const what = { ENOENT: 'there is no such file', EISDIR: 'this is a folder' }[fault.code] ?? fault.message;
    return { error: errorReply('file.unreadable', file, what) };
  }
}

/** One request, or one a line: by the file's name, and on standard input by whether the first line stands alone. */
function split(file, text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const batch = file.endsWith('.jsonl') || (file === '-' && lines.length > 1 && parsed(text) === undefined && parsed(lines[0]) !== undefined);
  return batch ? lines : [text];
}

const configKeys = ['model_type', 'architectures', 'hidden_size', 'model_size'];

/** A model's config.json stands for a request about that model; a request itself names its model. */
const isConfig = (json) => json !== null && typeof json === 'object' && !('model' in json) && configKeys.some((key) => key in json);

/** Puts the short forms into a request's text; without any the text goes to the engine as it was written. */
function withOptions(text, changes) {
  const json = parsedPython(text);
  if (json === undefined) return text;
  if (isConfig(json)) return JSON.stringify(changes({ schema: 1, model: { config: json } }));
  const changed = changes(JSON.parse(JSON.stringify(json)));
  // Text that needs no change stays as written: a number such as 1e400 would not survive being printed again.
  return JSON.stringify(changed) === JSON.stringify(json) ? text : JSON.stringify(changed);
}

/** One request by itself: what goes wrong with it is its own error, and the others of its file are answered. */
export function alone(work) {
  try {
    return work();
  } catch (fault) {
    return { error: errorReply('program.failed', '', fault.message, 'please report this with the request that caused it') };
  }
}

/** Lays what files say over a request: blocks are merged, a model is replaced. */
function taken(request, { model, ...blocks }) {
  if (model) request.model = { ...model };
  for (const [name, block] of Object.entries(blocks)) request[name] = { ...request[name], ...block };
}

/**
 * The requests to answer, in order; a file that cannot be read stands in its place as an error.
 * @param {string[]} files
 * @param {Map<object, unknown>} chosen short forms
 * @param {{explain?: string, named?: {request?: object, error?: object}}} more `named`: what --model and --hub stand for
 * @returns {({text: string} | {error: object})[]}
 */
export function requestsOf(files, chosen, { explain, named = {} }) {
  if (named.error) return [named];
  const changes = (request) => {
    if (request === null || typeof request !== 'object' || Array.isArray(request)) return request;
    if (named.request) taken(request, named.request);
    if (explain) request.explain = explain;
    applyTo(request, chosen);
    // Who sets --micro-batch or --framework and no task means training.
    const trains = request.training ?? [...chosen.keys()].some(({ task }) => task === 'training');
    if (chosen.size > 0 && trains && !request.inference) request.task ??= 'training';
    return request;
  };
  if (files.length === 0) return [{ text: JSON.stringify(changes({ schema: 1 })) }];
  return files.flatMap((file) => {
    const read = readText(file);
    return read.error ? [read] : split(file, read.text).map((text) => alone(() => ({ text: withOptions(text, changes) })));
  });
}
