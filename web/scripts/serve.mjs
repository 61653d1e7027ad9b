// Serves a folder of static files on 127.0.0.1: `node serve.mjs FOLDER PORT`. Takes the next port if one is taken.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const root = resolve(process.argv[2]);
const firstPort = Number(process.argv[3]);

function fileFor(url) {
  const path = join(root, decodeURIComponent(new URL(url, 'http://localhost').pathname));
  if (path !== root && !path.startsWith(root + sep)) return undefined;
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return fileFor(`${new URL(url, 'http://localhost').pathname.replace(/\/?$/, '/')}index.html`);
  return status?.isFile() ? path : undefined;
}

const server = createServer((request, response) => {
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
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*', // <plimsoll-calculator> is loaded by pages of other origins
  });
  createReadStream(file).pipe(response);
});

let port = firstPort;
server.on('error', (fault) => {
  if (fault.code !== 'EADDRINUSE' || port >= firstPort + 100) throw fault;
  port += 1;
  server.listen(port, '127.0.0.1');
});
server.on('listening', () => console.log(`Plimsoll is at http://127.0.0.1:${port}/ (Ctrl-C ends it)`));
server.listen(port, '127.0.0.1');
