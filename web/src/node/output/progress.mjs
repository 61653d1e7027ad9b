// How far a long reading has come: one line that overwrites itself, on a terminal and nowhere else.

import { shown } from '../../files/shown.mjs';

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {{show: ((progress: import('../../files/reading.mjs').Progress) => void) | undefined, clear: () => void}}
 */
export function progressOn(stream) {
  if (!stream.isTTY) return { show: undefined, clear: () => undefined };
  const show = ({ done, files, read, wanted, file }) =>
    stream.write(`\r${done} of ${files} files, ${mebibytes(read)} of ${mebibytes(wanted)} MiB  ${shown(file)}\u001b[K`);
  return { show, clear: () => stream.write('\r\u001b[K') };
}

/** Which share of a search is done. @param {NodeJS.WriteStream} stream */
export function searching(stream) {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return { show: (share) => stream.write(`\r${Math.round(100 * share)} % searched\u001b[K`), clear: () => stream.write('\r\u001b[K') };
}

/** How many answers a long table has so far. @param {NodeJS.WriteStream} stream */
export function counting(stream) {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return { show: (done) => stream.write(`\r${done} answered\u001b[K`), clear: () => stream.write('\r\u001b[K') };
}
