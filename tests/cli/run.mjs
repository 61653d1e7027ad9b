// Runs the command line as a user does.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'web', 'bin', 'plimsoll.mjs');

/** @param {string[]} words @param {string} [input] standard input */
export function plimsoll(words, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', input });
  return { status, stdout, stderr, lines: stdout.split('\n').filter(Boolean) };
}

/** The replies that `--json` printed. */
export const replies = ({ lines }) => lines.map((line) => JSON.parse(line));
