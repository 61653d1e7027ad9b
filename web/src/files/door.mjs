// @ts-check
// Bytes into WebAssembly: one buffer holds the first bytes of all files, and a text says which are whose.

import { FileError } from './source.mjs';

/** @typedef {{reserve(size: number): number, inspect(files: string): string, HEAPU8: Uint8Array}} Door */
/** Windows editors begin a text with a byte order mark, which JSON does not know. @param {Uint8Array} bytes */
const marked = (bytes) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** @param {Door} door @param {number} size */
function reserved(door, size) {
  try {
    return door.reserve(size);
  } catch (defect) {
    if (!(defect instanceof WebAssembly.RuntimeError)) throw defect;
    const hint = 'close other pages and programs, or give the config.json alone';
    throw new FileError({ code: 'file.no_memory', where: 'files', what: 'there is not enough memory to read these headers', hint });
  }
}

/**
 * Asks the engine what the files hold.
 * @param {Door} door
 * @param {readonly import('./reading.mjs').Held[]} files
 * @returns {import('./reading.mjs').Reply}
 */
export function inspectFiles(door, files) {
  const texts = files.map(({ bytes }) => (marked(bytes) ? bytes.subarray(3) : bytes));
  const address = reserved(
    door,
    texts.reduce((sum, { length }) => sum + length, 0),
  );
  const memory = door.HEAPU8; // taken after the call: growing the memory makes a new view of it
  let at = 0;
  const listed = files.map(({ name, size, bytes }, file) => {
    const text = texts[file] ?? bytes;
    memory.set(text, address + at);
    const entry = { name, size: size - bytes.length + text.length, at, length: text.length };
    at += text.length;
    return entry;
  });
  return JSON.parse(door.inspect(JSON.stringify({ files: listed })));
}
