// @ts-check
// A model's files on ModelScope, or a server that speaks its API: the list of files, then their first bytes by `resolve`.
// https://github.com/modelscope/modelscope (modelscope/hub/api.py: get_model_files; hub/file_download.py: get_file_download_url)

import { textAt } from './http.mjs';
import { repositoryOf } from './hub.mjs';
import { connectionOf, fault, isObject, listedFiles, longestList, modelIn, noList, parsedAnswer } from './repository.mjs';

/** @typedef {import('./repository.mjs').Repository} Repository */
/** @typedef {import('./repository.mjs').Asking} Asking */

export const modelscopeBase = 'https://modelscope.cn';

/** The branch that is meant where none is named. */
const usualRevision = 'master';

/**
 * `org/name`, `org/name@revision`, `org/name:Q4_K_M`, `org/name/model.gguf`, or the path of the model's page or of a file.
 * @param {string} text without the server @returns {Repository | undefined}
 */
export function modelscopeRepository(text) {
  const path = text
    .replace(/^\/?models\//, '')
    .replace(/\/file\/view\//, '/blob/')
    .replace(/\/(?:files|summary|feedback)\/?$/, '');
  const found = repositoryOf(path);
  if (!found?.id.includes('/')) return undefined;
  const named = /@|\/(?:tree|blob|resolve)\//.test(path);
  return named ? found : { ...found, revision: usualRevision };
}

/** @param {string} text @param {string} id @param {string} host */
function listed(text, id, host) {
  const reply = parsedAnswer(text);
  if (isObject(reply) && reply.Code !== undefined && reply.Code !== 200)
    throw fault('hub.not_found', id, `there is no ${id} on ${host}`, 'check the name and the revision', {
      host,
      id,
      file: id,
      status: String(reply.Code),
    });
  if (!isObject(reply) || !isObject(reply.Data) || !Array.isArray(reply.Data.Files)) throw noList(id, host);
  const named = reply.Data.Files.filter((/** @type {any} */ one) => isObject(one) && typeof one.Path === 'string' && one.Type !== 'tree');
  const files = named.map((/** @type {any} */ one) => ({ name: /** @type {string} */ (one.Path), size: Number(one.Size) }));
  return listedFiles(files, id, host);
}

/**
 * The files of a model on ModelScope. Asks for the list now, for bytes when they are read.
 * @param {Repository} repository @param {Asking} [asking]
 * @throws {import('./source.mjs').FileError}
 */
export async function modelscopeSources(repository, asking = {}) {
  const { id, revision } = repository;
  const { base = modelscopeBase } = asking;
  const connection = connectionOf(id, asking);
  const list = `${base}/api/v1/models/${id}/repo/files?Revision=${encodeURIComponent(revision)}&Recursive=true`;
  const files = listed(await textAt(list, id, connection, longestList), id, new URL(base).host);
  return modelIn(repository, files, (path) => `${base}/models/${id}/resolve/${encodeURIComponent(revision)}/${path}`, connection);
}
