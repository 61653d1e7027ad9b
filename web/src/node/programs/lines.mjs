// Lines of a stream, up to a limit: one that is longer is told and dropped, and the next one is read.

import { longestJson } from '../output/json.mjs';

const newline = 10;

/**
 * @param {AsyncIterable<Uint8Array>} stream
 * @param {number} [most] bytes of a line
 * @returns {AsyncGenerator<{text: string} | {tooLong: true}>} lines that are not empty
 */
export async function* linesOf(stream, most = longestJson) {
  let pieces = [];
  let held = 0;
  const finished = () => {
    const line =
      held > most
        ? { tooLong: true }
        : {
            text: Buffer.concat(pieces)
              .toString('utf8')
              .replace(/^\uFEFF/, '')
              .trim(),
          };
    pieces = [];
    held = 0;
    return line;
  };
  const take = (bytes) => {
    held += bytes.length;
    if (held <= most) pieces.push(bytes);
    else pieces = []; // nothing of it is kept, however long it goes on
  };
  for await (const bytes of stream) {
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      take(bytes.subarray(from, end));
      from = end + 1;
      const line = finished();
      if (line.text !== '') yield line;
    }
    take(bytes.subarray(from));
  }
  const last = finished();
  if (last.text !== '') yield last;
}

/** What is said of a line that is longer. */
export const tooLong = {
  code: 'line.too_long',
  where: '',
  what: `this line is longer than the ${longestJson / 2 ** 20} MiB that are read`,
  hint: 'a request has a few KiB; of weights name the file, whose header is read',
};
