// `--model` and `--hub`: a preset, a file, a folder or a repository, as the part of a request that they stand for.

import { existsSync } from 'node:fs';

import { repositoryIn } from '../../finding/repositories.mjs';
import { saysWhere } from '../../files/origins.mjs';
import { shown } from '../../files/shown.mjs';
import { failureOf } from '../../files/source.mjs';
import { either, likely } from './names/likely.mjs';
import { meant, understood } from './names/meant.mjs';
import { parsedPython, whyUnread } from '../output/json.mjs';
import { progressOn } from '../output/progress.mjs';
import { errorReply, readText } from './requests.mjs';
import { preset } from '../presets.mjs';
import { namedFiles, sourcesOf } from '../sources.mjs';

/** Whether it is written as a path is. */
const isPath = (name) => /[\\/]|\.(json|gguf|safetensors)$/i.test(name) || name === '.';

/** Whether it is named as on the Hugging Face hub. */
const isOfHub = (name) => /^[\w-][\w.-]*\/[\w.-]+$/.test(name) && !/\.(json|gguf|safetensors)$/i.test(name);

/** A config.json goes into the request as it is; everything else the engine has to read first. */
const isConfig = (path) => /\.json$/i.test(path) && !saysWhere(path) && !/(\.index|adapter_config)\.json$/i.test(path);

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

/** The repository's files where one is named, else those behind the paths; a path that says where it is from is such a name. */
export function finder(paths, { hub, 'token-env': token }) {
  const name = hub ?? (paths.length === 1 && saysWhere(paths[0]) ? paths[0] : undefined);
  return name === undefined ? () => sourcesOf(paths) : () => namedFiles(name, token);
}

/** What is said of a repository that no preset is of. */
function unknownOfHub(name) {
  const names = likely('models', name.split('/')[1]);
  const near = names.length > 0 ? `; or did you mean ${either(names)}?` : '';
  return errorReply('unknown_preset', 'model.preset', `no preset is of ${name}, and no file is there`, `--hub ${name} fetches its headers${near}`);
}

/** A model from files: a config.json as it is, everything else as the engine reads it. */
async function modelAt(paths, flags, load) {
  if (flags.hub === undefined && isConfig(paths[0])) return configAt(paths[0]);
  const reply = await inspected(load, finder(paths, flags));
  return reply.error ? { error: reply } : { request: reply.request };
}

/**
 * The part of a request that the options stand for. A preset comes before a file or a folder of its name, and what is there
 * before what a word may mean.
 * @param {{model?: string, hub?: string, 'token-env'?: string}} flags
 * @param {() => Promise<import('../engine.mjs').Engine>} load
 * @returns {Promise<{request?: object, error?: object}>}
 */
export async function modelOf(flags, load) {
  const { hub, model } = flags;
  if (hub !== undefined) return modelAt([], flags, load);
  if (model === undefined) return {};
  const repository = /^https?:/i.test(model) ? repositoryIn(model) : undefined;
  const made = repository && meant('models', model);
  if (made && !made.loosely) return { request: { model: { preset: made.id } } };
  if (saysWhere(model) || repository) return modelAt([], { ...flags, hub: model }, load);
  if (!preset('models', model) && existsSync(model)) return modelAt([model], flags, load);
  const id = understood({ name: 'model', kind: 'models' }, model, (text) => process.stderr.write(`${shown(text)}\n`));
  if (preset('models', id) || !isPath(id)) return { request: { model: { preset: id } } };
  return isOfHub(id) ? { error: unknownOfHub(id) } : modelAt([id], flags, load);
}
