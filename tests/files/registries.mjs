// Behaves like ModelScope and like Ollama's registry, on 127.0.0.1: lists and manifests, files redirected to another host,
// ranges, and their ways to fail. Everything asked of it is noted.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { closing, cors, listening, sendFile } from '../web/hub_server.mjs';

/**
 * @typedef {object} Kept
 * @property {Record<string, {head: Buffer, size: number}>} files of a repository, or of a tag by the type of its layer
 * @property {string} [revision] of a repository, where not master
 * @property {'silent' | 'broken' | 'cut' | 'rangeless' | 'failing' | 'outside'} [manner]
 */

const digestOf = ({ head, size }) => `sha256:${createHash('sha256').update(head).update(String(size)).digest('hex')}`;

/** ModelScope's list. */
function files({ files: all, manner }) {
  const listed = Object.entries(all).map(([path, { size }]) => ({
    Name: path.split('/').at(-1),
    Path: path,
    Size: size,
    Type: 'blob',
    IsLFS: size > 4096,
  }));
  if (manner === 'outside') listed.push({ Name: 'x.gguf', Path: '../../x.gguf', Size: 10, Type: 'blob' });
  return { Code: 200, Success: true, Message: 'success', Data: { Files: [{ Name: 'onnx', Path: 'onnx', Size: 0, Type: 'tree' }, ...listed] } };
}

/** Ollama's manifest: layers by their type, and the digest of each. */
const manifest = ({ files: all }) => ({
  schemaVersion: 2,
  mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
  config: { mediaType: 'application/vnd.docker.container.image.v1+json', digest: digestOf({ head: Buffer.from('config'), size: 6 }), size: 6 },
  layers: Object.entries(all).map(([type, file]) => ({
    mediaType: `application/vnd.ollama.image.${type.replace(/\d+$/, '')}`,
    digest: digestOf(file),
    size: file.size,
  })),
});

/** What is asked: a list, a manifest, or a file of something that is kept. @param {URL} url @param {Record<string, Kept>} kept */
function meaning({ pathname, searchParams }, kept) {
  const [, listed] = /^\/api\/v1\/models\/([^/]+\/[^/]+)\/repo\/files$/.exec(pathname) ?? [];
  const [, owned, revision, path] = /^\/models\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
  const [, image, tag] = /^\/v2\/([^/]+\/[^/]+)\/manifests\/(.+)$/.exec(pathname) ?? [];
  const [, blobsOf, digest] = /^\/v2\/([^/]+\/[^/]+)\/blobs\/(.+)$/.exec(pathname) ?? [];
  const of = (id, wanted) => (kept[id] && wanted === (kept[id].revision ?? 'master') ? kept[id] : undefined);
  if (listed) return { one: of(listed, searchParams.get('Revision')), list: files };
  if (owned) return { one: of(owned, revision), file: of(owned, revision)?.files[path] };
  if (image) return { one: kept[`${image}:${tag}`], list: manifest };
  const tags = Object.keys(kept).filter((name) => name.startsWith(`${blobsOf}:`));
  const one = tags.map((name) => kept[name]).find(({ files: all }) => Object.values(all).some((file) => digestOf(file) === digest));
  return { one, file: one && Object.values(one.files).find((file) => digestOf(file) === digest) };
}

/** @param {Record<string, Kept>} kept repositories by `org/name`, tags by `namespace/name:tag` */
export async function serveRegistries(kept) {
  const asked = [];
  const note = (host, request) => {
    const { url, headers } = request;
    const one = { host, path: decodeURIComponent(url), token: headers.authorization, range: headers.range, accept: headers.accept, sent: 0 };
    asked.push(one);
    return one;
  };
  const preflight = (request, answer) => request.method === 'OPTIONS' && answer.writeHead(204, cors).end();
  const store = createServer((request, answer) => {
    if (preflight(request, answer)) return;
    const { one, file } = meaning(new URL(request.url, 'http://store'), kept);
    sendFile(request, answer, file, one, note('store', request));
  });
  const storeUrl = await listening(store);
  const registry = createServer((request, answer) => {
    if (preflight(request, answer)) return undefined;
    note('registry', request);
    const { one, list, file } = meaning(new URL(request.url, 'http://registry'), kept);
    if (!one) return answer.writeHead(404, cors).end(JSON.stringify({ Code: 10010205001, Success: false, errors: [{ code: 'MANIFEST_UNKNOWN' }] }));
    if (one.manner === 'silent') return undefined;
    if (one.manner === 'failing') return answer.writeHead(503, cors).end();
    if (file) return answer.writeHead(307, { ...cors, location: `${storeUrl}${request.url}` }).end();
    const text = JSON.stringify(list(one));
    return answer.writeHead(200, { ...cors, 'content-type': 'application/json' }).end(one.manner === 'broken' ? text.slice(0, 60) : text);
  });
  const url = await listening(registry);
  return { url, store: storeUrl, asked, close: () => Promise.all([registry, store].map(closing)) };
}
