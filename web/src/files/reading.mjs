// @ts-check
// The loop that reads what the engine wants to see: first bytes of every file, then what it asks for. Weights are never read.

import { inspectFiles } from './door.mjs';
import { FileError, isJson, sourceOf } from './source.mjs';

/** @typedef {import('./source.mjs').Source} Source */
/** @typedef {{name: string, size: number, bytes: Uint8Array}} Held a file's first bytes, as the engine takes them */
/** @typedef {{throwIfAborted(): void}} Stop an AbortSignal */
/** @typedef {{file: string, files: number, done: number, read: number, wanted: number}} Progress `read` of `wanted` bytes; `done` of `files` files */
/** @typedef {{schema: number, need?: {file: number, bytes: number}[], error?: import('./source.mjs').Failure}} Reply */

/** No JSON and no header may be larger: safetensors itself stops at 100 MB. */
export const limit = 128 * 2 ** 20;
/** All that is held at once: WebAssembly has to hold it again. */
const limitOfAll = 512 * 2 ** 20;
/** Nearly every header's length, and many a header, lie in the first 64 KiB. */
const firstBytes = 2 ** 16;
/** Large files are read in pieces, so that one may watch and stop. */
const piece = 2 ** 23;
const rounds = 12;
const atOnce = 4;

const mebibytes = (/** @type {number} */ bytes) => Math.round(bytes / 2 ** 20);

/** @param {{name: string}} source @param {number} bytes */
function refuseLarge({ name }, bytes) {
  if (bytes <= limit) return;
  const values = { file: name, size: mebibytes(bytes), limit: mebibytes(limit) };
  const what = `${values.size} MiB would have to be read, and no header or JSON of a model is larger than ${values.limit}`;
  throw new FileError({ code: 'file.too_large', where: name, what, hint: 'give the config.json, the index or the files of weights', values });
}

/** @param {readonly Source[]} sources */
function refuseUnreadable(sources) {
  if (sources.length === 0) {
    const what = 'none of these files describes a model';
    throw new FileError({
      code: 'file.none',
      where: 'files',
      what,
      hint: 'give a config.json, *.safetensors, its index, *.gguf, or an adapter_config.json',
    });
  }
  for (const source of sources) {
    const { name } = source;
    if (source.size === 0) {
      const hint = 'a download that was cut short, or a folder?';
      throw new FileError({ code: 'file.empty', where: name, what: 'this file is empty', hint, values: { file: name } });
    }
    if (isJson(name)) refuseLarge(source, source.size);
  }
}

/**
 * Reads on from what is held up to `wanted` bytes.
 * @param {Source} source @param {Held} held @param {number} wanted @param {(bytes: number) => void} moved @param {Stop | undefined} signal
 */
async function readOn(source, held, wanted, moved, signal) {
  const bytes = new Uint8Array(wanted);
  bytes.set(held.bytes);
  for (let at = held.bytes.length; at < wanted;) {
    signal?.throwIfAborted();
    const to = Math.min(at + piece, wanted);
    const more = await source.read(at, to);
    if (more.length !== to - at) {
      const what = `${source.size} bytes were promised, and reading ends at ${at + more.length}`;
      throw new FileError({ code: 'file.shorter', where: source.name, what, hint: 'copy or download it again', values: { file: source.name } });
    }
    bytes.set(more, at);
    at = to;
    moved(more.length);
  }
  held.bytes = bytes;
}

/** What the engine asks for, file by file; an answer that asks for nothing new would go on for ever. @param {Reply} reply @param {Held[]} held */
function asked(reply, held) {
  const wanted = held.map(({ bytes }) => bytes.length);
  for (const { file, bytes } of reply.need ?? []) wanted[file] = Math.min(bytes, held[file]?.size ?? 0);
  if (wanted.some((bytes, file) => bytes > (held[file]?.bytes.length ?? 0))) return wanted;
  throw new Error('the engine asks for bytes that it has');
}

/** @param {readonly Source[]} sources @param {Held[]} held @param {number[]} wanted @param {{progress?: ((p: Progress) => void) | undefined, signal?: Stop | undefined}} options */
async function readAll(sources, held, wanted, { progress, signal }) {
  sources.forEach((source, file) => refuseLarge(source, wanted[file] ?? 0));
  const sum = wanted.reduce((all, bytes) => all + bytes, 0);
  if (sum > limitOfAll) refuseLarge({ name: 'files' }, sum);
  const state = { file: '', files: sources.length, done: 0, read: held.reduce((all, { bytes }) => all + bytes.length, 0), wanted: sum };
  const queue = sources.map((source, file) => ({ source, file }));
  /** @param {Source} source @param {number} file */
  const one = async (source, file) => {
    const moved = (/** @type {number} */ bytes) => {
      state.read += bytes;
      progress?.({ ...state, file: source.name });
    };
    await readOn(source, /** @type {Held} */ (held[file]), wanted[file] ?? 0, moved, signal);
    state.done++;
  };
  const worker = async () => {
    try {
      for (let next = queue.shift(); next; next = queue.shift()) await one(next.source, next.file);
    } finally {
      queue.length = 0; // after a failure the others stop too
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, sources.length) }, worker));
}

/** @typedef {{progress?: ((progress: Progress) => void) | undefined, signal?: Stop | undefined}} Options */

/** @param {(files: Held[]) => Reply} ask @param {readonly Source[]} sources @param {Options} options @returns {Promise<Reply>} */
async function answered(ask, sources, options) {
  refuseUnreadable(sources);
  const held = sources.map(({ name, size }) => ({ name, size, bytes: new Uint8Array() }));
  let wanted = sources.map(({ name, size }) => (isJson(name) ? size : Math.min(size, firstBytes)));
  for (let round = 0; round < rounds; ++round) {
    await readAll(sources, held, wanted, options);
    options.signal?.throwIfAborted();
    const reply = ask(held);
    if (!reply.need) return reply;
    wanted = asked(reply, held);
  }
  throw new Error('the engine asks for ever more of these files');
}

/**
 * What the files hold, as the engine replies it. A file that cannot be read is an error reply like the engine's own.
 * @param {import('./door.mjs').Door} door the engine
 * @param {readonly import('./source.mjs').Readable[]} files files of one model
 * @param {Options} [options]
 * @returns {Promise<Reply>}
 * @throws what `signal` was aborted with
 */
export async function inspect(door, files, options = {}) {
  try {
    return await answered((held) => inspectFiles(door, held), files.map(sourceOf), options);
  } catch (error) {
    if (error instanceof FileError) return { schema: 1, error: error.failure };
    options.signal?.throwIfAborted();
    throw error;
  }
}
