// `--model` and `--hub`: a preset, a file, a folder or a repository, as the part of a request that they stand for.

import { failureOf } from '../../files/source.mjs';
import { parsedPython, whyUnread } from '../output/json.mjs';
import { progressOn } from '../output/progress.mjs';
import { errorReply, readText } from './requests.mjs';
import { hubFiles, sourcesOf } from '../sources.mjs';

const isPath = (name) => /[\\/]|\.(json|gguf|safetensors)$/i.test(name) || name === '.';

/** A config.json goes into the request as it is; everything else the engine has to read first. */
const isConfig = (path) => /\.json$/i.test(path) && !/(\.index|adapter_config)\.json$/i.test(path);

function configAt(path) {
  const file = readText(path);
  if (file.error) return file;
  const config = parsedPython(file.text);
  if (config !== undefined) return { request: { model: { config } } };
  return { error: errorReply('file.malformed', path, whyUnread(file.text), 'give a config.json, or the id of a preset') };
}

/**
 * What files hold.
 * @param {() => Promise<import('../engine.mjs').Engine>} load
 * @param {() => Promise<import('../../files/source.mjs').Source[]>} find
 */
export async function inspected(load, find) {
  let sources;
  try {
    sources = await find();
  } catch (fault) {
    return { schema: 1, error: failureOf(fault) };
  }
  const progress = progressOn(process.stderr);
  const reply = await (await load()).inspect(sources, { progress: progress.show });
  progress.clear();
  return reply;
}

/** The repository's files where one is named, else those behind the paths. */
export const finder = (paths, { hub, 'token-env': token }) => (hub === undefined ? () => sourcesOf(paths) : () => hubFiles(hub, token));

/**
 * The part of a request that the options stand for.
 * @param {{model?: string, hub?: string, 'token-env'?: string}} flags
 * @param {() => Promise<import('../engine.mjs').Engine>} load
 * @returns {Promise<{request?: object, error?: object}>}
 */
export async function modelOf(flags, load) {
  const { model, hub } = flags;
  if (model === undefined && hub === undefined) return {};
  if (hub === undefined && !isPath(model)) return { request: { model: { preset: model } } };
  if (hub === undefined && isConfig(model)) return configAt(model);
  const reply = await inspected(load, finder([model], flags));
  return reply.error ? { error: reply } : { request: reply.request };
}
