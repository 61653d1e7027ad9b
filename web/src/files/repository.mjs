// @ts-check
// Repositories of models, whoever holds them: names that stay inside, what refusals mean, and which of the files are the model.

import { chooseFiles, ggufType } from './choosing.mjs';
import { rangeAt } from './http.mjs';
import { FileError } from './source.mjs';

/** @typedef {import('./source.mjs').Source} Source */
/** @typedef {import('./http.mjs').Connection} Connection */
/** @typedef {{id: string, revision: string, file?: string, type?: string}} Repository `file`: a GGUF in it; `type`: of its GGUFs one of this file type */

/**
 * @typedef {object} Asking how a server is asked
 * @property {string} [base] its address; the token goes to it alone
 * @property {string | undefined} [token]
 * @property {typeof fetch} [fetch]
 * @property {number} [patience] milliseconds of silence after which an answer is given up
 * @property {AbortSignal | undefined} [signal]
 */

/** One of the two parts of a repository's name. */
export const part = /^(?!.*\.\.)\w[\w.-]{0,95}$/;

/** No list of files is longer, in bytes. */
export const longestList = 2 ** 24;

const gguf = /\.gguf$/i;

/** A path that stays within the repository, part for part. @param {string} path */
export const staysInside = (path) => path.split('/').every((part) => part !== '' && !/^\.{1,2}$|[\\\p{Cc}]/u.test(part));

/** Undefined where percent signs mean nothing, and where it leads out of the repository. @param {string} path */
export function insideOf(path) {
  try {
    const file = decodeURIComponent(path);
    return staysInside(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} code @param {string} where @param {string} what @param {string} hint @param {Record<string, string | number>} [values] */
export const fault = (code, where, what, hint, values) => new FileError({ code, where, what, hint, ...(values && { values }) });

/** Seconds to wait, as Retry-After gives them: a number, or a date. @param {string | null} text */
function secondsIn(text) {
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : undefined;
}

/** What refusals mean: the hub answers 401 also for what does not exist. @param {string} id @param {boolean} token */
export const refusals = (id, token) => (/** @type {Response} */ response, /** @type {string} */ where) => {
  const { status } = response;
  const host = new URL(response.url || 'http://hub').host;
  const values = { id, file: where, host, status };
  if (status === 401) {
    const what = token ? `the token is not accepted for ${id}, or there is no such model` : `${id} does not exist, or is private or gated`;
    return fault(
      token ? 'hub.token_refused' : 'hub.unauthorized',
      where,
      what,
      'check the name; a gated model needs a token of an account that may read it',
      values,
    );
  }
  if (status === 403) {
    const hint = `open the model's page, ask for access there, and use a token of that account`;
    return fault('hub.gated', where, `${id} is gated, and this account has no access yet`, hint, values);
  }
  if (status === 404) return fault('hub.not_found', where, `there is no ${where} on ${host}`, 'check the name and the revision', values);
  if (status === 416) return fault('hub.broken', where, 'the file is shorter than the hub says', 'try again later', values);
  if (status === 429) {
    const seconds = secondsIn(response.headers.get('retry-after'));
    const hint = seconds === undefined ? 'wait some minutes, or use a token' : `try again in ${seconds} seconds, or use a token`;
    return fault(seconds === undefined ? 'hub.rate_limit' : 'hub.rate_limit_until', where, `${host} takes no more requests for now`, hint, {
      ...values,
      ...(seconds !== undefined && { seconds }),
    });
  }
  return fault('hub.failed', where, `${host} answers ${status}`, 'try again later', values);
};

/** @param {unknown} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {string} id @param {Asking} asking @returns {Connection} */
export function connectionOf(id, { token, fetch = globalThis.fetch, patience = 20_000, signal }) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  return { fetch: fetch.bind(globalThis), headers, patience, signal, refused: refusals(id, Boolean(token)) };
}

/** A JSON answer; undefined where it is none. @param {string} text @returns {any} */
export function parsedAnswer(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} id @param {string} host */
export const noList = (id, host) =>
  fault('hub.broken', id, `${host} answers something else than a list of files`, 'try again later', { host, file: id });

/**
 * Of a list the files of the top folder, and GGUFs in others. A path that leads out of the repository is refused.
 * @param {{name: string, size: number}[]} files @param {string} id @param {string} host
 */
export function listedFiles(files, id, host) {
  const astray = files.find(({ name }) => !staysInside(name));
  if (astray) {
    const what = `${host} lists a file outside of the repository: ${astray.name}`;
    throw fault('hub.outside', id, what, 'do not use this repository', { host, id, name: astray.name });
  }
  return files.filter(({ name, size }) => (gguf.test(name) || !name.includes('/')) && Number.isSafeInteger(size) && size >= 0);
}

/** Why no file of a repository is the model that was asked for. @param {Repository} repository @param {readonly {name: string}[]} files */
function nothingIn({ id, type, file }, files) {
  const wanted = file ?? type;
  if (wanted === undefined)
    return fault('hub.nothing', id, `${id} holds no config.json, no safetensors and no GGUF`, 'name the repository that holds the weights', { id });
  const types = [...new Set(files.map(({ name }) => ggufType(name)).filter((one) => one !== undefined))].join(', ') || '–';
  return fault('hub.no_type', id, `${id} holds no GGUF ${wanted}`, `there are: ${types}`, { id, type: wanted, types });
}

/**
 * The files that are the model, read by ranges.
 * @param {Repository} repository @param {{name: string, size: number}[]} files @param {(path: string) => string} addressOf @param {Connection} connection
 * @returns {{sources: Source[], left: string[]}}
 */
export function modelIn(repository, files, addressOf, connection) {
  const { chosen, left } = files.length === 1 && !gguf.test(files[0]?.name ?? '') ? { chosen: [], left: files } : chooseFiles(files, repository);
  if (chosen.length === 0) throw nothingIn(repository, files);
  const sources = chosen.map(({ name: path, size }) => {
    const url = addressOf(path.split('/').map(encodeURIComponent).join('/'));
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { name, size, read: (/** @type {number} */ from, /** @type {number} */ to) => rangeAt(url, name, from, to, connection) };
  });
  return { sources, left: left.map(({ name }) => name) };
}
