// `plimsoll serve --stdio` and `plimsoll mcp`: questions on standard input, answers on standard output, until the input ends.

import { once as happens } from 'node:events';

import { shownJson } from '../../files/shown.mjs';
import { speak } from '../programs/protocol.mjs';
import { serve as answerLines } from '../programs/serving.mjs';
import { opened } from './printing.mjs';
import { UsageError } from './usage.mjs';

/** Waits where a reader is slower than the answers come. What cannot be seen is escaped, which says the same. */
async function write(line) {
  if (!process.stdout.write(`${shownJson(line)}\n`)) await happens(process.stdout, 'drain');
}

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function serve(argv) {
  const { files, flags, done } = opened('serve', argv);
  if (done) return 0;
  if (files.length > 0 || !flags.stdio) throw new UsageError('serve needs --stdio, and nothing else: it opens no port', 'serve');
  await answerLines(process.stdin, write);
  return 0;
}

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function mcp(argv) {
  const { files, done } = opened('mcp', argv);
  if (done) return 0;
  if (files.length > 0) throw new UsageError('mcp takes no file: requests come on standard input', 'mcp');
  await speak(process.stdin, write);
  return 0;
}
