// What the package needs besides what the build has written, put in place before packing: the engine's glue where
// src/node/places.mjs looks for it, README and LICENSE of the repository. `node node-dist.mjs --clear` takes the last two away.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { packageReadme } from './package-readme.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '..');
const target = join(web, 'dist', 'node');

function place() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  // The WebAssembly is in dist/plimsoll-data.js, for Node and for browsers alike.
  for (const file of ['plimsoll-whole.mjs', 'plimsoll-logs.mjs']) cpSync(join(root, 'build', 'wasm', file), join(target, file));
  cpSync(join(root, 'LICENSE'), join(web, 'LICENSE'));
  const about = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  writeFileSync(join(web, 'README.md'), packageReadme(readFileSync(join(root, 'README.md'), 'utf8'), about));
}

if (process.argv[2] === '--clear') for (const name of ['README.md', 'LICENSE']) rmSync(join(web, name), { force: true });
else place();
