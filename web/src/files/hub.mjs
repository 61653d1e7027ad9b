// @ts-check
// A model's files on the Hugging Face hub, or a server that speaks its API: the list of files first, then their first bytes.
// https://huggingface.co/docs/hub/api

import { chooseFiles, ggufType } from './choosing.mjs';
import { rangeAt, textAt } from './http.mjs';
import { FileError } from './source.mjs';

/** @typedef {import('./source.mjs').Source} Source */

/** @typedef {{id: string, revision: string, file?: string, type?: string}} Repository `file`: a GGUF in it; `type`: of its GGUFs one of this file type */

const part = /^(?!.*\.\.)\w[\w.-]{0,95}$/;

const gguf = /\.gguf$/i;

const usualBase = 'https://huggingface.co';

/** Whose addresses are those of a model's page, whatever server is asked. */
const pages = ['huggingface.co', 'www.huggingface.co', 'hf.co'];

/** A path that stays within the repository, part for part. @param {string} path */
const staysInside = (path) => path.split('/').every((part) => part !== '' && !/^\.{1,2}$|[\\\p{Cc}]/u.test(part));

/** Undefined where percent signs mean nothing, and where it leads out of the repository. @param {string} path */
function insideOf(path) {
  try {
    const file = decodeURIComponent(path);
    return staysInside(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The host of an address; undefined for what is none. @param {string} text */
const hostIn = (text) => /^[a-z][a-z\d+.-]*:\/*([^/?#]*)/i.exec(text.trim())?.[1]?.toLowerCase();

/** Whether a text is an address of another server than the hub's. @param {string} text @param {string} base */
const isElsewhere = (text, base) => /^[^:]*:\/\//.test(text.trim()) && ![...pages, new URL(base).host].includes(hostIn(text) ?? '');

/**
 * `org/name`, `name`, `org/name@revision`, `org/name:Q4_K_M`, `org/name/model.gguf`, or the address of the model's page or
 * of a file.
 * @param {string} text @param {string} [base] the server that is asked @returns {Repository | undefined}
 */
export function repositoryOf(text, base = usualBase) {
  if (isElsewhere(text, base)) return undefined;
  const path = text
    .trim()
    .replace(/^https?:\/\/[^/]+\//i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
  const [, plain = '', type] = /^(.*?)(?::([\w-]{1,40}))?$/.exec(path) ?? [];
  const [, inside, short] = /^([^@/]+\/[^@/]+)\/([^@]+\.gguf)$/i.exec(plain.replace(/\/(?:tree|blob|resolve)\/.*$/, '')) ?? [];
  const [, id = '', revision = 'main', rest = ''] = /^([^@]+?)(?:(?:@|\/(?:tree|blob|resolve)\/)([^/]+)(?:\/(.*))?)?$/.exec(inside ?? plain) ?? [];
  const parts = id.split('/');
  if (parts.length > 2 || !parts.every((one) => part.test(one))) return undefined;
  const inner = short ?? (gguf.test(rest) ? rest : undefined);
  const file = inner && insideOf(inner);
  const named = insideOf(revision);
  if ((inner && !file) || !named) return undefined;
  return { id, revision: named, ...(file && { file }), ...(type && { type }) };
}

/** @param {string} code @param {string} where @param {string} what @param {string} hint @param {Record<string, string | number>} [values] */
const fault = (code, where, what, hint, values) => new FileError({ code, where, what, hint, ...(values && { values }) });

/** Why a text names no repository. @param {string} text @param {string} [base] @param {string} [hint] */
export function noRepository(text, base = usualBase, hint = 'organization/name') {
  const hub = new URL(base).host;
  const host = hostIn(text) ?? '';
  if (isElsewhere(text, base)) return fault('hub.other_host', text, `this is an address of ${host}, and ${hub} is asked`, hint, { host, hub });
  return fault('hub.bad_name', text, 'this is no model of the hub', hint, { name: text });
}

/** Seconds to wait, as Retry-After gives them: a number, or a date. @param {string | null} text */
function secondsIn(text) {
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : undefined;
}

/** What the hub's refusals mean: it answers 401 also for what does not exist. @param {string} id @param {boolean} token */
const refusals = (id, token) => (/** @type {Response} */ response, /** @type {string} */ where) => {
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
const isObject = (value) => typeof value === 'object' && value !== null;

/** The files of a repository's top folder, and GGUFs in others, with their sizes. @param {string} text @param {Repository} repository @param {string} host */
function listed(text, { id }, host) {
  let reply;
  try {
    reply = JSON.parse(text);
  } catch {
    reply = undefined;
  }
  const siblings = isObject(reply) && Array.isArray(reply.siblings) ? reply.siblings : undefined;
  if (!siblings) throw fault('hub.broken', id, `${host} answers something else than a list of files`, 'try again later', { host, file: id });
  const astray = siblings.find((one) => isObject(one) && typeof one.rfilename === 'string' && !staysInside(one.rfilename));
  if (astray) {
    const what = `${host} lists a file outside of the repository: ${astray.rfilename}`;
    throw fault('hub.outside', id, what, 'do not use this repository', { host, id, name: astray.rfilename });
  }
  return siblings
    .filter((one) => isObject(one) && typeof one.rfilename === 'string' && (gguf.test(one.rfilename) || !one.rfilename.includes('/')))
    .map((one) => ({ name: /** @type {string} */ (one.rfilename), size: Number(one.lfs?.size ?? one.size) }))
    .filter(({ size }) => Number.isSafeInteger(size) && size >= 0);
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
 * The files of a model on the hub. Asks for the list now, for bytes when they are read. The token goes to `base` alone.
 * @param {Repository} repository
 * @param {{base?: string, token?: string | undefined, fetch?: typeof fetch, patience?: number, signal?: AbortSignal | undefined}} [options]
 * @returns {Promise<{sources: Source[], left: string[]}>}
 * @throws {FileError}
 */
export async function hubSources(repository, { base = usualBase, token, fetch = globalThis.fetch, patience = 20_000, signal } = {}) {
  const { id, revision } = repository;
  const { host } = new URL(base);
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const connection = { fetch: fetch.bind(globalThis), headers, patience, signal, refused: refusals(id, Boolean(token)) };
  const at = revision === 'main' ? '' : `/revision/${encodeURIComponent(revision)}`;
  const files = listed(await textAt(`${base}/api/models/${id}${at}?blobs=true`, id, connection, 2 ** 24), repository, host);
  const { chosen, left } = files.length === 1 && !gguf.test(files[0]?.name ?? '') ? { chosen: [], left: files } : chooseFiles(files, repository);
  if (chosen.length === 0) throw nothingIn(repository, files);
  const sources = chosen.map(({ name: path, size }) => {
    const url = `${base}/${id}/resolve/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { name, size, read: (/** @type {number} */ from, /** @type {number} */ to) => rangeAt(url, name, from, to, connection) };
  });
  return { sources, left: left.map(({ name }) => name) };
}
