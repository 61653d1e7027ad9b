// Measured cases for the pages: what tests/score/published/evidence.mjs has written. All of them are text within their own page; those that an answer is
// held against are a file beside the site, or text within the single file.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const folder = join(import.meta.dirname, '..', '..', 'build', 'evidence');

function written(file: string): string {
  const path = join(folder, `${file}.json`);
  if (!existsSync(path)) throw new Error(`no ${path}: node tests/score/published/evidence.mjs writes it`);
  return readFileSync(path, 'utf8');
}

const modules: Record<string, () => string> = {
  'virtual:plimsoll-evidence': () => `export const board = ${JSON.stringify(written('board'))};`,
  'virtual:plimsoll-nearest': () => `export const url = ${JSON.stringify(fileName())};`,
  'virtual:plimsoll-nearest-inlined': () => `export const nearest = ${JSON.stringify(written('nearest'))};`,
};

/** Called by its content: another file has another name. */
const fileName = (): string => `evidence/${createHash('sha256').update(written('nearest')).digest('hex').slice(0, 10)}.json`;

export function evidence(beside = false): Plugin {
  return {
    name: 'plimsoll-evidence',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? modules[id.slice(1)]?.() : undefined),
    configureServer(server) {
      server.middlewares.use((asked, answer, next) => {
        if (asked.url !== `/${fileName()}`) return next();
        answer.setHeader('content-type', 'application/json');
        answer.end(written('nearest'));
      });
    },
    generateBundle() {
      if (beside) this.emitFile({ type: 'asset', fileName: fileName(), source: written('nearest') });
    },
  };
}
