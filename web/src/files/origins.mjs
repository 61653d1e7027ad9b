// @ts-check
// Where a model is fetched from, by how its name is written: `Qwen/Qwen3-8B` on the Hugging Face hub, `modelscope:Qwen/Qwen3-8B`,
// `ollama:qwen3:8b`, the address of a model's page, or a prefix with the address of a mirror that speaks the same API.

import { hubSources, noRepository, repositoryOf, usualBase } from './hub.mjs';
import { modelscopeBase, modelscopeRepository, modelscopeSources } from './modelscope.mjs';
import { ollamaBase, ollamaSources, taggedOf } from './ollama.mjs';
import { fault } from './repository.mjs';

/** @typedef {import('./source.mjs').Source} Source */
/** @typedef {import('./repository.mjs').Asking} Asking */
/** @typedef {'hub' | 'modelscope' | 'ollama'} Kind */
/** @typedef {{kind: Kind, base: string, name: string}} Origin `base`: the server that is asked; `name`: what it is asked for */

/** @type {Record<Kind, string>} */
export const usualBases = { hub: usualBase, modelscope: modelscopeBase, ollama: ollamaBase };

/** @type {Record<string, Kind>} */
const prefixes = { hf: 'hub', huggingface: 'hub', modelscope: 'modelscope', ms: 'modelscope', ollama: 'ollama' };

/** An address as its server and what follows; undefined for what is none. @param {string} text */
function addressOf(text) {
  const [, server = '', path = ''] = /^(https?:\/\/[^/?#]+)\/?(.*)$/i.exec(text) ?? [];
  return URL.canParse(server) ? { ...hostsOf(new URL(server)), path } : undefined;
}

/** @param {URL} url */
const hostsOf = ({ origin, hostname }) => ({ server: origin, host: hostname.replace(/^www\./, '') });

/** Whose pages a host's are, and which server is asked for them where it is another than the usual one. @param {string} host @returns {{kind: Kind, base?: string} | undefined} */
function pageOf(host) {
  if (host === 'modelscope.cn') return { kind: 'modelscope' };
  if (host === 'modelscope.ai') return { kind: 'modelscope', base: 'https://www.modelscope.ai' };
  return host === 'ollama.com' || host === 'registry.ollama.ai' ? { kind: 'ollama' } : undefined;
}

const prefixed = /^(hf|huggingface|modelscope|ms|ollama):(.+)$/i;

/** A model's page on the hub; with more behind the name it is a file's. */
const hubPage = /^https:\/\/(?:www\.)?(?:huggingface\.co|hf\.co)\/[^/?#]+\/[^/?#]+\/?(?:[?#].*)?$/i;

/** Whether a name says itself where it is from: a prefix, or the address of a model's page. @param {string} text */
export const saysWhere = (text) => prefixed.test(text) || hubPage.test(text) || pageOf(addressOf(text)?.host ?? '') !== undefined;

/**
 * @param {string} text @param {Partial<Record<Kind, string>>} [bases] other servers than the usual ones
 * @returns {Origin}
 */
export function originOf(text, bases = {}) {
  const [, prefix = '', behind] = prefixed.exec(text.trim()) ?? [];
  const name = behind ?? text.trim();
  const at = addressOf(name);
  const page = at && pageOf(at.host);
  const kind = prefixes[prefix.toLowerCase()] ?? page?.kind ?? 'hub';
  const usual = bases[kind] ?? usualBases[kind];
  // The hub's own addresses are the hub's to read; another server is a mirror where a prefix says so.
  if (!at || (kind === 'hub' && (prefix === '' || repositoryOf(name, usual)))) return { kind, base: usual, name };
  return { kind, base: page?.kind === kind ? (page.base ?? usual) : at.server, name: at.path };
}

/**
 * A model's files by its name, to be handed to `inspect`.
 * @param {string} name @param {Omit<Asking, 'base'> & {bases?: Partial<Record<Kind, string>>}} [asking]
 * @returns {Promise<{sources: Source[], left: string[]}>}
 * @throws {import('./source.mjs').FileError}
 */
export const modelFiles = async (name, { bases, ...asking } = {}) => sourcesAt(originOf(name, bases ?? {}), asking);

/** How a name is written at each. @type {Record<Kind, string>} */
const forms = { hub: 'organization/name', modelscope: 'modelscope:organization/name', ollama: 'ollama:name:tag' };

/**
 * A model's files, by its name. Asks for the list now, for bytes when they are read.
 * @param {Origin} origin @param {Omit<Asking, 'base'>} [asking]
 * @param {string} [form] how a name of the hub is written, for who wrote none
 * @returns {Promise<{sources: Source[], left: string[]}>}
 * @throws {import('./source.mjs').FileError}
 */
export async function sourcesAt({ kind, base, name }, asking = {}, form = forms.hub) {
  const all = { ...asking, base };
  const repository = kind === 'hub' ? repositoryOf(name, base) : undefined;
  if (repository) return hubSources(repository, all);
  if (kind === 'hub') throw noRepository(name, base, form);
  const scoped = kind === 'modelscope' ? modelscopeRepository(name) : undefined;
  if (scoped) return modelscopeSources(scoped, all);
  const tagged = kind === 'ollama' ? taggedOf(name) : undefined;
  if (tagged) return ollamaSources(tagged, all);
  throw fault('hub.bad_name', name, `this is no model of ${new URL(base).host}`, forms[kind], { name });
}
