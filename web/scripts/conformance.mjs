// The package of conformance vectors: `node scripts/conformance.mjs FOLDER` puts it together in FOLDER, to be packed or published
// there. The vectors are those that the build has written (dist/conformance), and its version is that of this package.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { version as form } from '../src/library/conformance/index.mjs';
import { packageReadme } from './package-readme.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '..');
const text = (path) => readFileSync(join(root, path), 'utf8');

/** What is the same in both packages. */
function about() {
  const { version, license, repository, homepage, bugs, engines } = JSON.parse(text('web/package.json'));
  return Object.fromEntries(Object.entries({ version, license, repository, homepage, bugs, engines }).filter(([, value]) => value !== undefined));
}

/** @param {string} folder it is emptied first */
export function conformancePackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const vectors = `v${form}.jsonl`;
  const described = {
    name: 'plimsoll-conformance',
    description: 'Requests with figures that others printed, counted or published, to hold any calculator of GPU memory against',
    ...about(),
    keywords: ['llm', 'gpu', 'memory', 'vram', 'conformance'],
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.mts', default: './index.mjs' }, [`./${vectors}`]: `./${vectors}`, './package.json': './package.json' },
    files: ['index.mjs', 'index.d.mts', 'wire.d.ts', vectors],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), packageReadme(text('docs/conformance.md'), about()));
  const wired = (name) => text(`web/src/library/conformance/${name}`).replaceAll('../../engine/wire.js', './wire.js');
  for (const name of ['index.mjs', 'index.d.mts']) writeFileSync(join(folder, name), wired(name));
  cpSync(join(web, 'src/engine/wire.d.ts'), join(folder, 'wire.d.ts'));
  cpSync(join(web, 'dist/conformance', vectors), join(folder, vectors));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) conformancePackage(resolve(process.argv[2] ?? join(root, 'build/packages/conformance')));
