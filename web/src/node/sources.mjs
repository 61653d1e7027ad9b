// Files on the command line as the shared reader wants them: read at positions, never whole where a header will do.

import { statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { chooseFiles } from '../files/choosing.mjs';
import { originOf, saysWhere, sourcesAt as sourcesOn } from '../files/origins.mjs';
import { FileError, textSource } from '../files/source.mjs';
import { textUpTo } from './bounded.mjs';
import { longestJson } from './output/json.mjs';
import { isUrl, urlSources } from './url.mjs';

const reasons = { ENOENT: 'there is no such file', EISDIR: 'this is a folder', EACCES: 'this file may not be read' };

const unreadable = (path, fault) => new FileError({ code: 'file.unreadable', where: path, what: reasons[fault.code] ?? fault.message });

async function bytesAt(path, from, to) {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(to - from);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/** @returns {import('../files/source.mjs').Source} */
function pathSource(path, size) {
  const read = (from, to) =>
    bytesAt(path, from, to).catch((fault) => {
      throw unreadable(path, fault);
    });
  return { name: basename(path), size, read };
}

/** Standard input, and what else cannot be read at a position (a pipe, a device): its text is a config.json's. */
const streamSource = (path) => textSource(path === '-' ? 'config.json' : basename(path), textUpTo(path, longestJson));

async function folderSources(path) {
  const names = (await readdir(path)).map((name) => ({ name }));
  const { chosen } = names.length === 1 ? { chosen: names } : chooseFiles(names);
  if (chosen.length === 0) {
    const hint = 'a config.json, *.safetensors, its index, *.gguf, or an adapter_config.json';
    throw new FileError({ code: 'file.none', where: path, what: 'this folder holds no file that describes a model', hint });
  }
  return chosen.map(({ name }) => pathSource(join(path, name), statSync(join(path, name)).size));
}

/** A page of the hub about a file stands for the file. */
const pathOnHub = (url) => url.replace(/^(https:\/\/huggingface\.co\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/');

async function sourcesAt(path) {
  if (saysWhere(path)) return namedFiles(path);
  if (isUrl(path)) return urlSources(pathOnHub(path));
  if (path === '-') return [streamSource(path)];
  try {
    const status = statSync(path);
    if (status.isDirectory()) return await folderSources(path);
    return [status.isFile() ? pathSource(path, status.size) : streamSource(path)];
  } catch (fault) {
    throw fault instanceof FileError ? fault : unreadable(path, fault);
  }
}

/**
 * The files behind paths and addresses; a folder stands for the files of a model in it.
 * @param {string[]} paths
 * @throws {FileError}
 */
export const sourcesOf = async (paths) => (await Promise.all(paths.map(sourcesAt))).flat();

/** The token in the environment, under the name that the user gave. */
function tokenIn(name) {
  if (name === undefined) return undefined;
  const token = process.env[name];
  if (!token) throw new FileError({ code: 'hub.no_token', where: name, what: 'there is no token in this environment variable' });
  return token;
}

/** Other servers than the usual ones, as the makers' own tools are told: ModelScope's variable holds a host. */
function basesOf({ HF_ENDPOINT: hub, MODELSCOPE_DOMAIN: modelscope }) {
  const trimmed = (address) => address.replace(/\/+$/, '');
  return {
    ...(hub && { hub: trimmed(hub) }),
    ...(modelscope && { modelscope: trimmed(/^https?:/.test(modelscope) ? modelscope : `https://${modelscope}`) }),
  };
}

/**
 * A model's files by its name: on the Hugging Face hub, on ModelScope, or in Ollama's library.
 * @param {string} name `org/name`, with `@revision` where another than the usual one is meant, `:TYPE` for one of its GGUFs;
 *   `modelscope:org/name`, `ollama:name:tag`, or a model's page
 * @param {string} [tokenName] the environment variable that holds a token
 * @throws {FileError}
 */
export async function namedFiles(name, tokenName) {
  const origin = originOf(name, basesOf(process.env));
  const { sources } = await sourcesOn(origin, { token: tokenIn(tokenName) }, 'org/name, org/name@revision, or org/name:Q4_K_M');
  return sources;
}
