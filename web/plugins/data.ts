// Engine and presets as one module, dist/plimsoll-data.js: what the package needs to answer, once for Node and for browsers.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { packed, packedEach } from './packed.ts';

const folder = join(import.meta.dirname, '..', '..', 'presets');
const kinds = ['models', 'devices', 'machines', 'others', 'encodings', 'optimizers', 'runtimes', 'trainers', 'bands', 'speeds', 'common'];
const schemas = ['request.json', 'plan.json', 'solve.json', 'common.json', 'reconcile_reply.json'];

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as unknown;

/** How to measure it, with its texts: the command line prints them. */
const measuring = (): object => ({
  snippets: read('..', 'web', 'src', 'reconcile', 'measuring.json'),
  texts: read('..', 'web', 'src', 'languages', 'en', 'measuring.json'),
});

const all = (kind: string): unknown[] =>
  (existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
    .map((id) => read(kind, `${id}.json`));

/** @param engines files of WebAssembly by the engine's name */
export function packedData(engines: Record<string, string>): Plugin {
  const name = 'virtual:plimsoll-data';
  const made = async (): Promise<string> =>
    JSON.stringify({
      engines: await packedEach(Object.fromEntries(Object.entries(engines).map(([engine, file]) => [engine, readFileSync(file)]))),
      presets: await packedEach(Object.fromEntries(kinds.map((kind) => [kind, JSON.stringify(all(kind))]))),
      schemas: await packed(JSON.stringify({ ...Object.fromEntries(schemas.map((file) => [file, read('schema', file)])), measuring: measuring() })),
    });
  let text: Promise<string> | undefined;
  return {
    name: 'plimsoll-data',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: async (id) => (id === `\0${name}` ? `export const { engines, presets, schemas } = ${await (text ??= made())};` : undefined),
    // In one known form, which src/node/places.mjs reads as text: an import would have to be waited for.
    async generateBundle(_, bundle) {
      const chunk = bundle['plimsoll-data.js'];
      if (chunk?.type === 'chunk') chunk.code = `export const { engines, presets, schemas } = ${await (text ??= made())};\n`;
    },
  };
}
