// The service worker: it keeps one version of the page beside the one before, and answers each page with the files of its own version.
// A new version waits until its reader asks for it, or until no page is open.

import { answer, bring, isOurs, pathOf, takeOver, tidy } from './versions.ts';

/** What the DOM's types do not have: a worker's side of it. */
interface Lasting extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface Asking extends Lasting {
  request: Request;
  clientId: string;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  clients: { claim(): Promise<void>; matchAll(options: { type: 'window' }): Promise<{ id: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener<E extends Event>(type: string, listen: (event: E) => void): void;
}

const scope = globalThis as unknown as Scope;

const openPages = async (): Promise<string[]> => (await scope.clients.matchAll({ type: 'window' })).map(({ id }) => id);

scope.addEventListener<Lasting>('install', (event) => event.waitUntil(bring()));
scope.addEventListener<Lasting>('activate', (event) => event.waitUntil(openPages().then(takeOver)));

scope.addEventListener<Asking>('fetch', (event) => {
  const { request } = event;
  const path = request.method === 'GET' ? pathOf(request.url) : undefined;
  if (path === undefined) return;
  const opens = request.mode === 'navigate';
  event.respondWith(answer(path, opens ? '' : event.clientId).then((kept) => kept ?? fetch(request)));
  if (opens) event.waitUntil(openPages().then(tidy));
});

/** What a page may ask of the worker. */
export type Wish = { take: 'over' } | { page: string };

scope.addEventListener<Lasting & MessageEvent<Wish>>('message', (event) => {
  const { data } = event;
  if ('take' in data) event.waitUntil(scope.skipWaiting());
  // A page that was there before the worker is taken in where both are of one version: its script is called by its content.
  else if (isOurs(data.page)) event.waitUntil(scope.clients.claim());
});
