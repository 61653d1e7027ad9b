// @ts-check
// A model's files on the Hugging Face hub, or a server that speaks its API: the list of files first, then their first bytes.
// https://huggingface.co/docs/hub/api

import { textAt } from './http.mjs';
import { connectionOf, fault, insideOf, isObject, listedFiles, longestList, modelIn, noList, parsedAnswer, part } from './repository.mjs';

/** @typedef {import('./repository.mjs').Repository} Repository */
/** @typedef {import('./repository.mjs').Asking} Asking */

const gguf = /\.gguf$/i;

export const usualBase = 'https://huggingface.co';

/** Whose addresses are those of a model's page, whatever server is asked. */
const pages = ['huggingface.co', 'www.huggingface.co', 'hf.co'];

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

/** Why a text names no repository. @param {string} text @param {string} [base] @param {string} [hint] */
export function noRepository(text, base = usualBase, hint = 'organization/name') {
  const hub = new URL(base).host;
  const host = hostIn(text) ?? '';
  if (isElsewhere(text, base)) return fault('hub.other_host', text, `this is an address of ${host}, and ${hub} is asked`, hint, { host, hub });
  return fault('hub.bad_name', text, 'this is no model of the hub', hint, { name: text });
}

/** The files that the hub's answer names. @param {string} text @param {string} id @param {string} host */
function listed(text, id, host) {
  const reply = parsedAnswer(text);
  if (!isObject(reply) || !Array.isArray(reply.siblings)) throw noList(id, host);
  const named = reply.siblings.filter((one) => isObject(one) && typeof one.rfilename === 'string');
  const files = named.map((one) => ({ name: /** @type {string} */ (one.rfilename), size: Number(one.lfs?.size ?? one.size) }));
  return listedFiles(files, id, host);
}

/**
 * The files of a model on the hub. Asks for the list now, for bytes when they are read. The token goes to `base` alone.
 * @param {Repository} repository
 * @param {Asking} [asking]
 * @throws {import('./source.mjs').FileError}
 */
export async function hubSources(repository, asking = {}) {
  const { id, revision } = repository;
  const { base = usualBase } = asking;
  const connection = connectionOf(id, asking);
  const at = revision === 'main' ? '' : `/revision/${encodeURIComponent(revision)}`;
  const files = listed(await textAt(`${base}/api/models/${id}${at}?blobs=true`, id, connection, longestList), id, new URL(base).host);
  return modelIn(repository, files, (path) => `${base}/${id}/resolve/${encodeURIComponent(revision)}/${path}`, connection);
}
