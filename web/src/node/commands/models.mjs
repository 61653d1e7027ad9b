// `--model` and `--hub`: a preset, a file, a folder or a repository, as the part of a request that they stand for.

import { existsSync, statSync } from 'node:fs';

import { failureOf } from '../../files/source.mjs';
import { either, likely } from './likely.mjs';
import { parsedPython, whyUnread } from '../output/json.mjs';
import { progressOn } from '../output/progress.mjs';
import { errorReply, readText } from './requests.mjs';
import { ids, preset, presets } from '../presets.mjs';
import { hubFiles, sourcesOf } from '../sources.mjs';

/** A path, or the name of a folder that is here and of no preset. */
const isPath = (name) => /[\\/]|\.(json|gguf|safetensors)$/i.test(name) || name === '.' || (preset('models', name) === undefined && isFolder(name));

const isFolder = (name) => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Whether it is named as on the Hugging Face hub, and nothing lies at that path. */
const isOfHub = (name) => /^[\w-][\w.-]*\/[\w.-]+$/.test(name ?? '') && !/\.(json|gguf|safetensors)$/i.test(name) && !existsSync(name);

/** The preset that a name on the hub stands for; else the name itself. */
function presetOf(name) {
  if (!isOfHub(name)) return name;
  const wanted = name.toLowerCase();
  return presets('models').find((one) => one.hugging_face_id?.toLowerCase() === wanted)?.id ?? name;
}

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

/** What is said of a repository that no preset is of. */
function unknownOfHub(name) {
  const meant = likely(name.split('/')[1], ids('models'));
  const near = meant.length > 0 ? `; or did you mean ${either(meant)}?` : '';
  return errorReply('unknown_preset', 'model.preset', `no preset is of ${name}, and no file is there`, `--hub ${name} fetches its headers${near}`);
}

/**
 * The part of a request that the options stand for.
 * @param {{model?: string, hub?: string, 'token-env'?: string}} flags
 * @param {() => Promise<import('../engine.mjs').Engine>} load
 * @returns {Promise<{request?: object, error?: object}>}
 */
export async function modelOf(flags, load) {
  const { hub } = flags;
  const model = presetOf(flags.model);
  if (model === undefined && hub === undefined) return {};
  if (hub === undefined && isOfHub(model)) return { error: unknownOfHub(model) };
  if (hub === undefined && !isPath(model)) return { request: { model: { preset: model } } };
  if (hub === undefined && isConfig(model)) return configAt(model);
  const reply = await inspected(load, finder([model], flags));
  return reply.error ? { error: reply } : { request: reply.request };
}
