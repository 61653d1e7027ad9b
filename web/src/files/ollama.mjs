// @ts-check
// A model of Ollama's library, or of a registry that speaks its API: the manifest of a tag names layers, of which one is a
// GGUF. Registries are those of container images: https://distribution.github.io/distribution/spec/api/

import { rangeAt, textAt } from './http.mjs';
import { connectionOf, fault, isObject, noList, parsedAnswer, part } from './repository.mjs';

/** @typedef {import('./source.mjs').Source} Source */
/** @typedef {import('./repository.mjs').Asking} Asking */
/** @typedef {{id: string, tag: string}} Tagged `id`: with its namespace, `library/qwen3` */

export const ollamaBase = 'https://registry.ollama.ai';

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';
const layerType = 'application/vnd.ollama.image.';

/** A manifest names some ten layers. */
const longestManifest = 2 ** 20;

/**
 * `name`, `name:tag`, `namespace/name:tag`, or the path of the model's page.
 * @param {string} text without the server @returns {Tagged | undefined}
 */
export function taggedOf(text) {
  const path = text
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/^\/?(?:v2\/)?|\/+$/g, '')
    .replace(/\/manifests\//, ':');
  const [, plain = '', tag = 'latest'] = /^([^:]+)(?::(.+))?$/.exec(path) ?? [];
  const parts = plain.split('/');
  if (parts.length > 2 || ![...parts, tag].every((one) => part.test(one))) return undefined;
  return { id: parts.length === 2 ? plain : `library/${plain}`, tag };
}

/** How a model is written that people ask for. @param {Tagged} tagged */
const spoken = ({ id, tag }) => `${id.replace(/^library\//, '')}:${tag}`;

/** The layers of a manifest. @param {string} text @param {string} name @param {string} host @returns {{type: string, digest: string, size: number}[]} */
function layersOf(text, name, host) {
  const reply = parsedAnswer(text);
  if (!isObject(reply) || !Array.isArray(reply.layers)) throw noList(name, host);
  const layers = reply.layers.filter((/** @type {any} */ one) => isObject(one) && typeof one.mediaType === 'string');
  return layers.map((/** @type {any} */ { mediaType, digest, size }) => ({
    type: mediaType.startsWith(layerType) ? mediaType.slice(layerType.length) : mediaType,
    digest: String(digest),
    size: Number(size),
  }));
}

/** The one layer that is the model. @param {ReturnType<typeof layersOf>} layers @param {string} name @param {string} host */
function modelOf(layers, name, host) {
  const [model, ...others] = layers.filter(({ type }) => type === 'model');
  if (!model || others.length > 0) {
    const what = model
      ? `${name} is ${others.length + 1} files, and one is read`
      : `${name} holds no GGUF: it runs elsewhere, or is stored in another way`;
    throw fault('hub.no_layer', name, what, 'fetch the model from the Hugging Face hub', { id: name, host });
  }
  if (!/^sha256:[\da-f]{64}$/.test(model.digest) || !Number.isSafeInteger(model.size) || model.size < 0) throw noList(name, host);
  return model;
}

/**
 * The GGUF of a tag. Asks for the manifest now, for bytes when they are read. No token is sent.
 * @param {Tagged} tagged @param {Asking} [asking]
 * @returns {Promise<{sources: Source[], left: string[]}>} `left`: what else the manifest names
 * @throws {import('./source.mjs').FileError}
 */
export async function ollamaSources(tagged, asking = {}) {
  const { base = ollamaBase } = asking;
  const { host } = new URL(base);
  const name = spoken(tagged);
  const connection = connectionOf(name, { ...asking, token: undefined });
  const manifests = { ...connection, headers: { accept: manifestType } };
  const layers = layersOf(await textAt(`${base}/v2/${tagged.id}/manifests/${tagged.tag}`, name, manifests, longestManifest), name, host);
  const { digest, size } = modelOf(layers, name, host);
  const file = `${name.replace(/[/:]/g, '-')}.gguf`;
  const url = `${base}/v2/${tagged.id}/blobs/${digest}`;
  const read = (/** @type {number} */ from, /** @type {number} */ to) => rangeAt(url, file, from, to, connection);
  return { sources: [{ name: file, size, read }], left: layers.filter(({ type }) => type !== 'model').map(({ type }) => type) };
}
