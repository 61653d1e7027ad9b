// The list of what the service worker keeps: everything beside the page that it may ask for, with its hash. The worker is built last, when
// all of that lies in dist.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const name = 'virtual:plimsoll-offline';

/** Whole in themselves and made for elsewhere, or cut out of another file by the worker. */
const notKept = [/^offline\.js$/, /^plimsoll(?!-engine\.js$)[^/]*\.(js|html)$/, /^(conformance|node)\//, /^presets\/[^/]+\/models\//];

export function keptFiles(dist: string): Record<string, string> {
  const all = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1));
  const kept = all.filter((path) => !notKept.some((one) => one.test(path))).sort();
  return Object.fromEntries(
    kept.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(dist, path)))
        .digest('hex'),
    ]),
  );
}

export const offline = (dist: string): Plugin => ({
  name: 'plimsoll-offline',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? `export const files = ${JSON.stringify(keptFiles(dist))};` : undefined),
});
