// @ts-check
// Bytes over HTTP, no more than wanted: ranges, a server that ignores them, silence, answers cut short.

import { FileError } from './source.mjs';

/**
 * @typedef {object} Connection
 * @property {typeof fetch} fetch
 * @property {Record<string, string>} headers
 * @property {number} patience milliseconds of silence after which an answer is given up
 * @property {AbortSignal | undefined} signal
 * @property {(response: Response, where: string) => FileError} refused what an answer that is no success means
 */

/** @param {string} url */
const hostOf = (url) => new URL(url).host;

/** @param {string} code @param {string} where @param {string} what @param {string} hint @param {Record<string, string | number>} values */
const fault = (code, where, what, hint, values) => new FileError({ code, where, what, hint, values: { file: where, ...values } });

/** What a request that got no answer died of: Node tells, a page only that it did. @param {unknown} error @param {string} url @param {string} where */
function unreachable(error, url, where) {
  const host = hostOf(url);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const offline = globalThis.navigator?.onLine === false;
  if (offline) return fault('hub.offline', where, 'there is no network', 'connect, or drop the files', { host });
  const hint = 'no network, a host that this page may not ask, or one that the answer was redirected to';
  return fault('hub.unreachable', where, `${host} cannot be reached${cause}`, hint, { host, cause });
}

/** @param {string} url @param {string} where */
const brokenOff = (url, where) => fault('hub.broken', where, 'the answer breaks off', 'try again later', { host: hostOf(url) });

/** Ends a request that is silent for too long, or that nobody wants any more. @param {Connection} connection */
function watched({ patience, signal }) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let silent = false;
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort((silent = true)), patience);
  };
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    controller.abort(); // what the server still sends is not read
  };
  moved();
  return { signal: controller.signal, moved, end, silent: () => silent };
}

/**
 * Up to `wanted` bytes of a body after the first `skip`.
 * @param {Response} response @param {number} skip @param {number} wanted @param {() => void} moved
 */
async function bytesOf(response, skip, wanted, moved) {
  const chunks = [];
  let at = 0;
  const reader = response.body?.getReader();
  while (reader && at < skip + wanted) {
    const { done, value } = await reader.read();
    if (done) break;
    moved();
    const from = Math.max(0, skip - at);
    const to = Math.min(value.length, skip + wanted - at);
    if (from < to) chunks.push(value.subarray(from, to));
    at += value.length;
  }
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}

/**
 * @template T
 * @param {string} url @param {string} where @param {Connection} connection @param {Record<string, string>} headers
 * @param {(response: Response, moved: () => void) => Promise<T>} take
 * @returns {Promise<T>}
 */
async function asking(url, where, connection, headers, take) {
  const watch = watched(connection);
  let answered = false;
  try {
    const ask = connection.fetch;
    const init = { headers: { ...connection.headers, ...headers }, signal: watch.signal, credentials: /** @type {const} */ ('omit') };
    const response = await ask(url, { ...init, referrerPolicy: 'no-referrer' });
    watch.moved();
    answered = true;
    if (!response.ok) throw connection.refused(response, where);
    return await take(response, watch.moved);
  } catch (error) {
    connection.signal?.throwIfAborted();
    if (error instanceof FileError) throw error;
    if (!watch.silent()) throw answered ? brokenOff(url, where) : unreachable(error, url, where);
    const seconds = connection.patience / 1000;
    throw fault('hub.slow', where, `no answer for ${seconds} seconds`, 'try again later', { host: hostOf(url), seconds });
  } finally {
    watch.end();
  }
}

/** The whole body as text, at most `most` bytes. @param {string} url @param {string} where @param {Connection} connection @param {number} most */
export async function textAt(url, where, connection, most) {
  const bytes = await asking(url, where, connection, {}, (response, moved) => bytesOf(response, 0, most + 1, moved));
  if (bytes.length > most) throw fault('hub.broken', where, 'the answer is far too long', 'try again later', { host: hostOf(url) });
  return new TextDecoder().decode(bytes);
}

/**
 * The bytes from `from` up to but without `to`. A server that ignores ranges is read that far, and no further.
 * @param {string} url @param {string} where @param {number} from @param {number} to @param {Connection} connection
 */
export async function rangeAt(url, where, from, to, connection) {
  const headers = { range: `bytes=${from}-${to - 1}` };
  const bytes = await asking(url, where, connection, headers, (response, moved) =>
    bytesOf(response, response.status === 206 ? 0 : from, to - from, moved),
  );
  if (bytes.length === to - from) return bytes;
  throw fault('hub.broken', where, `the answer ends after ${bytes.length} of ${to - from} bytes`, 'try again later', { host: hostOf(url) });
}

/**
 * How many bytes a file has, by asking for the first of them.
 * @param {string} url @param {string} where @param {Connection} connection @returns {Promise<number>}
 */
export async function sizeAt(url, where, connection) {
  const size = await asking(url, where, connection, { range: 'bytes=0-0' }, async ({ status, headers }) => {
    const [, all] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
    return Number((status === 206 ? all : headers.get('content-length')) ?? NaN);
  });
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw fault('url.no_size', where, `${hostOf(url)} does not say how long the file is`, 'download it and give its path', { host: hostOf(url) });
}
