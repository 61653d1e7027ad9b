// What the page shows of rows by their id: read off the engine's own table of them, so that no second list can differ from it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const table = join(import.meta.dirname, '..', '..', 'engine', 'estimate', 'ledger', 'rows.inc');
const name = 'virtual:plimsoll-rows';

interface Entry {
  id: string;
  colour: number;
  traits: string[];
}

function entries(): Entry[] {
  const found = [...readFileSync(table, 'utf8').matchAll(/^ROW\(\w+,\s*"([^"]+)",\s*(\d+), (.*)\)$/gm)];
  if (found.length === 0) throw new Error(`no rows in ${table}`);
  return found.map(([, id, colour, traits]) => ({ id: id!, colour: Number(colour), traits: traits!.split(' | ') }));
}

export function rows(): Plugin {
  return {
    name: 'plimsoll-rows',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const all = entries();
      const colours = Object.fromEntries(all.flatMap(({ id, colour }) => (colour > 0 ? [[id, colour]] : [])));
      const outside = all.flatMap(({ id, traits }) => (traits.includes('outside') ? [id] : []));
      return `export const colours = ${JSON.stringify(colours)};\nexport const outside = ${JSON.stringify(outside)};`;
    },
  };
}
