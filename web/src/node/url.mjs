// A file by its address, on any server: its size first, then the bytes that are asked for. Of a split file each part.

import { rangeAt, sizeAt } from '../files/http.mjs';
import { FileError } from '../files/source.mjs';

export const isUrl = (path) => /^https?:\/\//i.test(path);

const refused = (response, where) => {
  const { host } = new URL(response.url);
  return new FileError({
    code: 'url.refused',
    where,
    what: `${host} answers ${response.status}`,
    hint: 'check the address; what needs a token comes with --hub',
  });
};

/** The largest models come in some hundreds of files. */
const mostParts = 1000;

/** The addresses of all parts, where a name says that it is one of several. */
function partsOf(url) {
  const [, before, , , of, after] = /^(.*-)((\d{5})-of-(\d{5}))(\.(?:gguf|safetensors)(?:\?.*)?)$/i.exec(url) ?? [];
  if (of === undefined) return [url];
  if (Number(of) > mostParts) {
    const what = `a file in ${Number(of)} parts, and at most ${mostParts} are asked for`;
    throw new FileError({ code: 'url.too_many', where: url, what, hint: 'download them and give their folder' });
  }
  return Array.from({ length: Number(of) }, (_, part) => `${before}${String(part + 1).padStart(5, '0')}-of-${of}${after}`);
}

async function sourceAt(url, connection) {
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1)) || new URL(url).host;
  const size = await sizeAt(url, name, connection);
  return { name, size, read: (from, to) => rangeAt(url, name, from, to, connection) };
}

/**
 * @param {string} url
 * @param {{patience?: number}} [options]
 * @returns {Promise<import('../files/source.mjs').Source[]>}
 * @throws {FileError}
 */
export async function urlSources(url, { patience = 20_000 } = {}) {
  if (!URL.canParse(url)) throw new FileError({ code: 'url.malformed', where: url, what: 'this is no address' });
  const connection = { fetch: globalThis.fetch, headers: {}, patience, signal: undefined, refused };
  const sources = [];
  for (const part of partsOf(url)) sources.push(await sourceAt(part, connection)); // one after another: a server counts
  return sources;
}
