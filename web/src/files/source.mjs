// @ts-check
// Files that a model is made of, wherever they lie: a File in the page, a path under Node, an address on the hub.

/**
 * @typedef {object} Source
 * @property {string} name the file's name, without its folder
 * @property {number} size bytes of the whole file
 * @property {(from: number, to: number) => Promise<Uint8Array>} read the bytes from `from` up to but without `to`
 */

/**
 * @typedef {object} Failure an error as the engine's replies carry it; `values` fill a translated sentence
 * @property {string} code
 * @property {string} where
 * @property {string} what
 * @property {string} [hint]
 * @property {Record<string, string | number>} [values]
 */

/** A file that cannot be read, with what to do about it. */
export class FileError extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(`${failure.where}: ${failure.what}`);
    this.failure = failure;
  }
}

/** What went wrong, as an error of a reply: also where something threw that nobody foresaw. */
export function failureOf(/** @type {unknown} */ error, where = '') {
  if (error instanceof FileError) return error.failure;
  return { code: 'file.unreadable', where, what: error instanceof Error ? error.message : String(error) };
}

/** @typedef {{name: string, size: number, slice(from: number, to: number): {arrayBuffer(): Promise<ArrayBuffer>}}} FileLike a File */

/** A File, as dropped, picked, or made by Node. @param {FileLike} file @returns {Source} */
export const fileSource = (file) => ({
  name: file.name,
  size: file.size,
  read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
});

/** Text as a file. @param {string} name @param {string} text @returns {Source} */
export function textSource(name, text) {
  const bytes = new TextEncoder().encode(text);
  return { name, size: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
}

/** @param {string} name */
export const isJson = (name) => /\.json$/i.test(name);

/** @typedef {Source | FileLike | {name: string, text: string}} Readable whatever may be given as a file */

/** @param {Readable} file @returns {Source} */
export function sourceOf(file) {
  if ('read' in file) return file;
  return 'slice' in file ? fileSource(file) : textSource(file.name, file.text);
}
