// Behaves like the Hugging Face hub, on 127.0.0.1: the list of files, `resolve`, large files redirected to another host,
// ranges, tokens, and its ways to fail. Everything asked of it is noted.

import { createServer } from 'node:http';

/**
 * @typedef {object} Repository
 * @property {Record<string, {head: Buffer, size: number}>} files bytes beyond `head` are zeros
 * @property {string} [gated] the token that opens it; `closed` is known, but was not let in
 * @property {number} [limited] seconds of Retry-After
 * @property {string} [revision] the only one, where not main
 * @property {'silent' | 'broken' | 'cut' | 'rangeless' | 'astray' | 'failing'} [manner]
 */

export const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, range',
  'access-control-expose-headers': 'x-error-code, content-range, retry-after',
};

/** Larger files are sent by another host. */
export const large = 4096;

export async function listening(server) {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}`;
}

export const closing = (server) =>
  new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  });

/** Bytes of a file from `from` on, in pieces, as far as the client wants them. */
function send(answer, { head, size }, from, to, note) {
  const piece = 2 ** 16;
  let at = from;
  const more = () => {
    while (at < to && !answer.destroyed) {
      const end = Math.min(at + piece, to, at < head.length ? head.length : size);
      const bytes = at < head.length ? head.subarray(at, end) : Buffer.alloc(end - at);
      at += bytes.length;
      note.sent += bytes.length;
      if (!answer.write(bytes)) return answer.once('drain', more);
    }
    return answer.end();
  };
  more();
}

export function sendFile(asked, answer, file, { manner }, note) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(asked.headers.range ?? '') ?? [];
  if (from === undefined || manner === 'rangeless') {
    answer.writeHead(200, { ...cors, 'content-length': file.size });
    return send(answer, file, 0, file.size, note);
  }
  if (Number(from) >= file.size) return answer.writeHead(416, cors).end();
  const end = Math.min(Number(to) + 1, file.size);
  answer.writeHead(206, { ...cors, 'content-range': `bytes ${from}-${end - 1}/${file.size}` });
  if (manner !== 'cut' || file.size <= large) return send(answer, file, Number(from), end, note);
  answer.write(Buffer.alloc(100));
  return setTimeout(() => answer.destroy(), 50);
}

/** What the hub says before it says anything else; true when that is all. */
function refused(asked, answer, repository) {
  const token = asked.headers.authorization?.replace('Bearer ', '');
  const deny = (status, code, more = {}) => {
    answer.writeHead(status, { ...cors, 'x-error-code': code, ...more }).end(JSON.stringify({ error: code }));
    return true;
  };
  if (!repository) return token ? deny(404, 'RepoNotFound') : deny(401, 'RepoNotFound');
  if (repository.limited !== undefined) return deny(429, 'RateLimited', { 'retry-after': String(repository.limited) });
  if (repository.manner === 'failing') return deny(503, 'Unavailable');
  if (!repository.gated || token === repository.gated) return false;
  return token === 'closed' ? deny(403, 'GatedRepo') : deny(401, 'GatedRepo');
}

function list(answer, id, { files, manner }) {
  const siblings = Object.entries(files).map(([rfilename, { size }]) => ({ rfilename, size, ...(size > large && { lfs: { size } }) }));
  const text = JSON.stringify({ id, sha: '0'.repeat(40), siblings: [...siblings, { rfilename: 'onnx/model.safetensors', size: 1 }] });
  answer.writeHead(200, { ...cors, 'content-type': 'application/json' });
  answer.end(manner === 'broken' ? text.slice(0, 40) : text);
}

/** @param {Record<string, Repository>} repositories */
export async function serveHub(repositories) {
  const asked = [];
  const note = (host, request) => {
    const { method, url, headers } = request;
    const one = { host, method, path: decodeURIComponent(url), token: headers.authorization, range: headers.range, sent: 0 };
    asked.push(one);
    return one;
  };
  const preflight = (request, answer) => request.method === 'OPTIONS' && answer.writeHead(204, cors).end();

  const store = createServer((request, answer) => {
    const noted = note('store', request);
    if (preflight(request, answer)) return;
    const [, owner, name, ...folders] = noted.path.replace(/\?.*/, '').split('/');
    sendFile(request, answer, repositories[`${owner}/${name}`].files[folders.join('/')], repositories[`${owner}/${name}`], noted);
  });
  const storeUrl = await listening(store);
  const elsewhere = createServer((request, answer) => {
    note('elsewhere', request);
    answer.writeHead(200, cors).end('never read');
  });
  const elsewhereUrl = await listening(elsewhere);

  const hub = createServer((request, answer) => {
    const noted = note('hub', request);
    if (preflight(request, answer)) return undefined;
    const [, id, revision = 'main'] = /^\/api\/models\/([^/]+\/[^/?]+)(?:\/revision\/([^?]+))?\?blobs=true$/.exec(noted.path) ?? [];
    const [, owned, wanted, file] = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(noted.path) ?? [];
    const repository = repositories[id ?? owned];
    if (refused(request, answer, repository)) return undefined;
    const known = (wanted ?? revision) === (repository.revision ?? 'main') && (!file || file in repository.files);
    if (!known) return answer.writeHead(404, { ...cors, 'x-error-code': file ? 'EntryNotFound' : 'RevisionNotFound' }).end();
    if (repository.manner === 'silent') return undefined;
    if (id) return list(answer, id, repository);
    if (repository.files[file].size <= large) return sendFile(request, answer, repository.files[file], repository, noted);
    const target = repository.manner === 'astray' ? elsewhereUrl : storeUrl;
    return answer.writeHead(302, { ...cors, location: `${target}/${owned}/${file}` }).end();
  });
  const url = await listening(hub);
  return { url, store: storeUrl, elsewhere: elsewhereUrl, asked, close: () => Promise.all([hub, store, elsewhere].map(closing)) };
}
