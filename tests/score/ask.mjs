// The built command line as everyone runs it: a batch of requests in, one reply a line out. While an estimate is being worked
// on, PLIMSOLL_NATIVE names a native program to ask in its stead, which is built and answers sooner, and says the same.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @param {string} file @returns {[string, string[]]} a program and its arguments, that answer a file of requests */
function answering(file) {
  const native = process.env.PLIMSOLL_NATIVE;
  if (native) return ['sh', ['-c', '"$0" "$1" estimate <"$2"', native, join(root, 'presets'), file]];
  return [process.execPath, [join(root, 'web', 'bin', 'plimsoll.mjs'), 'estimate', file, '--json']];
}

/** @param {object[]} requests @returns {object[]} their replies, in order */
export function ask(requests) {
  if (requests.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-score-'));
  try {
    const file = join(folder, 'requests.jsonl');
    writeFileSync(file, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
    const run = spawnSync(...answering(file), { encoding: 'utf8', maxBuffer: 2 ** 30 });
    // Status 1 says that some were refused; each reply says which.
    if (run.status !== 0 && run.status !== 1) throw new Error(`plimsoll: status ${run.status}: ${run.stderr}`);
    const replies = run.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    if (replies.length !== requests.length) throw new Error(`${requests.length} requests, ${replies.length} replies: ${run.stderr}`);
    return replies;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
