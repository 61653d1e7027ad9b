// Serves a folder of static files on 127.0.0.1: `node serve.mjs FOLDER PORT`. Takes the next port if one is taken. As static hosts do,
// it compresses for browsers that accept that; each file once.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** Their formats compress already. */
const packed = ['.png', '.woff2'];

const root = resolve(process.argv[2]);
const firstPort = Number(process.argv[3]);

function fileFor(url) {
  const path = join(root, decodeURIComponent(new URL(url, 'http://localhost').pathname));
  if (path !== root && !path.startsWith(root + sep)) return undefined;
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return fileFor(`${new URL(url, 'http://localhost').pathname.replace(/\/?$/, '/')}index.html`);
  return status?.isFile() ? { path, version: `${status.mtimeMs} ${status.size}` } : undefined;
}

const brotli = promisify(brotliCompress);
/** Compressed files by path, with the version of the file that they were made of. */
const compressed = new Map();

function smaller({ path, version }) {
  const known = compressed.get(path);
  if (known?.version === version) return known.bytes;
  // a level that an impatient visitor waits for, and hosts use too
  const bytes = brotli(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  compressed.set(path, { version, bytes });
  return bytes;
}

const server = createServer(async (request, response) => {
  let file;
  try {
    file = fileFor(request.url);
  } catch {
    file = undefined; // a path that does not decode
  }
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const kind = extname(file.path);
  const accepted = /\bbr\b/.test(request.headers['accept-encoding'] ?? '') && !packed.includes(kind);
  const body = accepted ? await smaller(file) : readFileSync(file.path);
  response.writeHead(200, {
    'content-type': types[kind] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'access-control-allow-origin': '*', // <plimsoll-calculator> is loaded by pages of other origins
    ...(accepted && { 'content-encoding': 'br' }),
  });
  response.end(body);
});

let port = firstPort;
server.on('error', (fault) => {
  if (fault.code !== 'EADDRINUSE' || port >= firstPort + 100) throw fault;
  port += 1;
  server.listen(port, '127.0.0.1');
});
server.on('listening', () => console.log(`Plimsoll is at http://127.0.0.1:${port}/ (Ctrl-C ends it)`));
server.listen(port, '127.0.0.1');
