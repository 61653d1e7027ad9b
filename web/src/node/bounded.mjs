// Files, pipes and standard input as text, up to a limit: a device that never ends is refused, and so is a file that no
// engine would read.

import { closeSync, openSync, readSync } from 'node:fs';

import { FileError } from '../files/source.mjs';

const piece = 2 ** 20;

const mebibytes = (bytes) => `${bytes / 2 ** 20} MiB`;

/** @param {string} path @param {number} most */
function tooLong(path, most) {
  const what = `this is longer than the ${mebibytes(most)} that are read`;
  return new FileError({
    code: 'file.too_long',
    where: path,
    what,
    hint: 'a request has a few KiB; of weights give the file itself, whose header is read',
  });
}

/**
 * The text of a file, `-` being standard input, without a byte order mark.
 * @param {string} path
 * @param {number} most bytes
 * @throws {FileError} where it is longer
 * @throws what Node throws where it cannot be read
 */
export function textUpTo(path, most) {
  const file = path === '-' ? 0 : openSync(path);
  const buffer = Buffer.allocUnsafe(piece);
  const pieces = [];
  try {
    for (let held = 0, read = 1; read > 0; held += read) {
      read = readSync(file, buffer);
      if (held + read > most) throw tooLong(path, most);
      pieces.push(Buffer.from(buffer.subarray(0, read)));
    }
  } finally {
    if (file !== 0) closeSync(file);
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
