// Versions of the page in the browser. A version is a list of files with their hashes, and one cache that holds exactly those. A page
// that was opened with a version gets files of that version for as long as it is open, whatever came after.

import { files } from 'virtual:plimsoll-offline';

/** The folder that the page is served from. */
export const folder = new URL('./', location.href);
const addressOf = (path: string): string => new URL(path, folder).href;

const hashOf = async (bytes: BufferSource): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

// Caches belong to the origin: a copy of the page in another folder has its own.
const prefix = `plimsoll ${folder.pathname} `;
const own = hashOf(new TextEncoder().encode(JSON.stringify(files))).then((hash) => prefix + hash.slice(0, 16));
const others = async (): Promise<string[]> => {
  const mine = await own;
  return (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== mine);
};

/** In each cache that was ever in use: the open pages that have its version, where a later one is in use. */
const pagesEntry = addressOf('?pages');

async function pagesOf(name: string): Promise<string[] | undefined> {
  const entry = await (await caches.open(name)).match(pagesEntry);
  return entry && ((await entry.json()) as string[]);
}

const setPages = async (name: string, ids: readonly string[]): Promise<void> =>
  (await caches.open(name)).put(pagesEntry, new Response(JSON.stringify(ids)));

/** One response, as it is kept: what was redirected or packed on its way is so no longer. */
async function asKept(path: string, response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined;
  const bytes = await response.arrayBuffer();
  if ((await hashOf(bytes)) !== files[path]) return undefined;
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  headers.set('etag', `"${files[path]}"`);
  return new Response(bytes, { headers });
}

/** A file of this version from the server. What has another content there is of another version, and an error. */
async function fetched(path: string): Promise<Response> {
  for (const cache of ['default', 'reload'] as const) {
    const kept = await asKept(path, await fetch(addressOf(path), { cache, priority: 'low' }));
    if (kept) return kept;
  }
  throw new Error(`${path} is not of this version`);
}

/** The same file of an earlier version. */
async function earlier(path: string): Promise<Response | undefined> {
  for (const name of await others()) {
    const one = await (await caches.open(name)).match(addressOf(path));
    if (one?.headers.get('etag') === `"${files[path]}"`) return one;
  }
  return undefined;
}

/** Files that are fetched side by side: few, so that the page itself does not wait. */
const atOnce = 4;

/** Brings all files of this version in. What has come stays where the rest fails, and the next try goes on from there. */
export async function bring(): Promise<void> {
  const cache = await caches.open(await own);
  const left = Object.keys(files);
  const work = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop())
      if (!(await cache.match(addressOf(path)))) await cache.put(addressOf(path), (await earlier(path)) ?? (await fetched(path)));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** @param open ids of the pages that are open: those of no other version have the one before */
export async function takeOver(open: readonly string[]): Promise<void> {
  const used: [string, string[]][] = [];
  for (const name of await others()) {
    const pages = await pagesOf(name);
    if (pages) used.push([name, pages]);
    else await caches.delete(name); // it was never in use
  }
  const known = new Set(used.flatMap(([, pages]) => pages));
  const before = used.at(-1);
  if (before) await setPages(before[0], [...before[1], ...open.filter((id) => !known.has(id))]);
  await setPages(await own, []);
  await tidy(open);
}

/** Versions that no open page has any longer go. */
export async function tidy(open: readonly string[]): Promise<void> {
  for (const name of await others()) {
    const pages = await pagesOf(name);
    if (pages && !pages.some((id) => open.includes(id))) await caches.delete(name); // without: it is being brought in
  }
}

async function versionOf(page: string): Promise<string> {
  if (page) for (const name of await others()) if ((await pagesOf(name))?.includes(page)) return name;
  return own;
}

/** The place of an address in the list; undefined outside of the folder. */
export function pathOf(address: string): string | undefined {
  const { origin, pathname } = new URL(address);
  if (origin !== folder.origin || !pathname.startsWith(folder.pathname)) return undefined;
  return pathname.slice(folder.pathname.length).replace(/(^|\/)$/, '$1index.html');
}

export const isOurs = (address: string): boolean => Object.hasOwn(files, pathOf(address) ?? '');

/** One model by itself is cut out of the file of all: some 300 files less to bring. */
async function model(cache: Cache, path: string): Promise<Response | undefined> {
  const [, presets, id] = /^(presets\/[^/]+\/)models\/([^/]+)\.json$/.exec(path) ?? [];
  const all = presets && (await cache.match(addressOf(`${presets}models-all.json`)));
  const found = all ? ((await all.json()) as Record<string, object>)[id!] : undefined;
  return found && new Response(JSON.stringify(found), { headers: { 'content-type': 'application/json' } });
}

/**
 * What a page gets of its version; undefined for what is in none.
 * @param page id of the page that asks; empty of one that is about to open, which gets this version
 */
export async function answer(path: string, page: string): Promise<Response | undefined> {
  const name = await versionOf(page);
  const cache = await caches.open(name);
  const kept = (await cache.match(addressOf(path))) ?? (await model(cache, path));
  if (kept || name !== (await own) || !Object.hasOwn(files, path)) return kept;
  const again = await fetched(path); // a browser may have thrown it away
  await cache.put(addressOf(path), again.clone());
  return again;
}
