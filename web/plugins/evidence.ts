// Measured cases for the pages: what tests/score/evidence.mjs has written, as JSON text.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const folder = join(import.meta.dirname, '..', '..', 'build', 'evidence');
const name = 'virtual:plimsoll-evidence';

export function evidence(): Plugin {
  const text = (file: string): string => {
    const path = join(folder, `${file}.json`);
    if (!existsSync(path)) throw new Error(`no ${path}: node tests/score/evidence.mjs writes it`);
    return JSON.stringify(readFileSync(path, 'utf8'));
  };
  return {
    name: 'plimsoll-evidence',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const board = ${text('board')};` : undefined),
  };
}
