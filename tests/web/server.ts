// Serves the built site, and foreign pages made by the tests, on free ports of 127.0.0.1.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

export const dist = join(__dirname, '..', '..', 'web', 'dist');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Ends a server: what is asked for is answered, and a connection that a browser opened ahead of a question ends without one. */
const closed = (server: Server): Promise<void> =>
  new Promise((done) => {
    const impatient = setTimeout(() => server.closeAllConnections(), 1000);
    server.close(() => {
      clearTimeout(impatient);
      done();
    });
  });

async function listening(server: Server): Promise<{ url: string; close: () => Promise<void> }> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closed(server),
  };
}

/** What a version of the site says otherwise than what was built: a file's bytes, or null where it has none. */
export type Version = (path: string, bytes: Buffer) => Buffer | string | null;

/** The site in versions, and a server that can be stopped while pages are open. */
export async function serveVersions() {
  const asked: string[] = [];
  const site = { version: ((_, bytes) => bytes) as Version };
  const server = createServer((request, answer) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname).slice(1) || 'index.html';
    asked.push(path);
    const file = join(dist, path);
    const content = file.startsWith(dist) && existsSync(file) ? site.version(path, readFileSync(file)) : null;
    if (content === null) return answer.writeHead(404).end();
    return answer
      .writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'no-cache',
      })
      .end(content);
  });
  const { url } = await listening(server);
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url, asked, site, stop };
}

/**
 * The site; `hub`: as whoever serves it for another hub than huggingface.co would, that and its store in the policy;
 * `headers`: what a host says besides.
 */
export const serveSite = (hub?: { url: string; store: string }, headers: Record<string, string> = {}) =>
  listening(
    createServer((asked, answer) => {
      const { pathname } = new URL(asked.url ?? '/', 'http://127.0.0.1');
      const file = join(dist, pathname === '/' ? 'index.html' : decodeURIComponent(pathname));
      if (!file.startsWith(dist) || !existsSync(file)) return answer.writeHead(404).end();
      answer.writeHead(200, {
        ...headers,
        'content-type': types[extname(file)] ?? 'application/octet-stream',
      });
      if (!hub || !file.endsWith('.html')) return answer.end(readFileSync(file));
      const page = readFileSync(file, 'utf8');
      return answer.end(
        page.replace('content="https://huggingface.co"', `content="${hub.url}"`).replace('connect-src ', `connect-src ${hub.url} ${hub.store} `),
      );
    }),
  );

/** One page, under a Content-Security-Policy that its own author chose. */
export const servePage = (body: string, policy: string) =>
  listening(
    createServer((asked, answer) => {
      if (asked.url !== '/') return answer.writeHead(404).end();
      answer.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
      });
      return answer.end(`<!doctype html><html lang="en"><head><title>Documentation</title></head><body>${body}</body></html>`);
    }),
  );

/** The file of a path in the first of several folders that has it, as static hosts find it. */
const fileIn = (folders: readonly string[], pathname: string): string | undefined =>
  folders
    .map((folder) => [folder, join(folder, decodeURIComponent(pathname.replace(/\/$/, '/index.html')))] as const)
    .find(([folder, file]) => file.startsWith(folder) && existsSync(file))?.[1];

/** What folders hold, the first one's files before the next one's. */
export const serveFolders = (folders: readonly string[], body?: string) =>
  listening(
    createServer((asked, answer) => {
      const { pathname } = new URL(asked.url ?? '/', 'http://127.0.0.1');
      if (pathname === '/' && body !== undefined) return answer.writeHead(200, { 'content-type': types['.html'] }).end(body);
      if (pathname === '/favicon.ico') return answer.writeHead(204).end();
      const file = fileIn(folders, pathname);
      if (!file) return answer.writeHead(404).end();
      return answer.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
    }),
  );

/** A page at `/`, with the files of a folder beside it. */
export const serveBeside = (folder: string, body: string) => serveFolders([folder], body);
