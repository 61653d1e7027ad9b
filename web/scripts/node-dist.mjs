// What the package needs besides what the build has written, put in place before packing: the engine's glue, minified, where
// src/node/places.mjs looks for it, README and LICENSE of the repository. `node node-dist.mjs --clear` takes the last two away.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { minifySync } from 'vite';
import { packageReadme } from './package-readme.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '..');
const target = join(web, 'dist', 'node');

/** Emscripten's glue with short names and without what its comments and blanks weigh: half of it. */
function minified(file) {
  const { code, errors } = minifySync(file, readFileSync(join(root, 'build', 'wasm', file), 'utf8'), { module: true });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}

function place() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  // The WebAssembly is in dist/plimsoll-data.js, for Node and for browsers alike.
  for (const file of ['plimsoll-whole.mjs', 'plimsoll-logs.mjs']) writeFileSync(join(target, file), minified(file));
  cpSync(join(root, 'LICENSE'), join(web, 'LICENSE'));
  const about = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  writeFileSync(join(web, 'README.md'), packageReadme(readFileSync(join(root, 'README.md'), 'utf8'), about));
}

if (process.argv[2] === '--clear') for (const name of ['README.md', 'LICENSE']) rmSync(join(web, name), { force: true });
else place();
