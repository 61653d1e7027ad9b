// Runs the command line as a user does.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'web', 'bin', 'plimsoll.mjs');

/** What a program needs to run, and nothing of what decides about colours (CI, FORCE_COLOR, COLORTERM … of whoever runs the tests). */
export const bare = Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'LANG'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** @param {string[]} words @param {string} [input] standard input @param {object} [more] of the process, such as `cwd` */
export function plimsoll(words, input = '', more = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', input, env: bare, ...more });
  return { status, stdout, stderr, lines: stdout.split('\n').filter(Boolean) };
}

const together = join(dirname(fileURLToPath(import.meta.url)), '..', 'hostile', 'runs.mjs');

/** Many command lines in one process: starting one takes longer than most of them do. @param {string[][]} all */
export function plimsollEach(all) {
  const { stdout } = spawnSync(process.execPath, [together], { encoding: 'utf8', input: JSON.stringify(all), env: bare, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout).map((one) => ({ ...one, lines: one.stdout.split('\n').filter(Boolean) }));
}

/** The replies that `--json` printed. */
export const replies = ({ lines }) => lines.map((line) => JSON.parse(line));
