// Replies of an engine that takes every device at its peaks.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** @param {string[]} ids runtimes or frameworks @param {object[]} requests @param {string[]} classes of devices */
export function atPeaks(ids, requests, classes) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-speed-'));
  try {
    for (const kind of readdirSync(join(root, 'presets'))) if (kind !== 'speeds') symlinkSync(join(root, 'presets', kind), join(folder, kind));
    mkdirSync(join(folder, 'speeds'));
    const whole = { low: 1, high: 1 };
    const bands = {
      token: whole,
      batch: whole,
      spread: whole,
      prefill: whole,
      step: whole,
      mixture_step: whole,
    };
    const reached = classes.map((devices) => ({
      devices,
      memory: 1,
      products: 1,
      packed: 1,
      ...bands,
    }));
    for (const id of ids) writeFileSync(join(folder, 'speeds', `${id}.json`), JSON.stringify({ id, reached, sources: {} }));
    const native = process.env.PLIMSOLL_NATIVE ?? join(root, 'build', 'native', 'plimsoll-native');
    const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
    const run = spawnSync(native, [folder, 'estimate'], {
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 31 - 1,
    });
    return run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
