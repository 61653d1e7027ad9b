// The names of the form's fields in a link, which are the element's attributes, by the block of the request that they stand in: a loader of
// a few kilobytes does without the rest of the table.

import type { Plugin } from 'vite';
import { formFields } from '../scripts/described.mjs';

const name = 'virtual:plimsoll-keys';

export function keys(): Plugin {
  return {
    name: 'plimsoll-keys',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const blocks: Record<string, string> = {};
      for (const { id, key } of formFields() as { id: string; key: string }[]) {
        const block = id.split('.')[0]!;
        blocks[block] = blocks[block] ? `${blocks[block]} ${key}` : key;
      }
      return `export const blocks = ${JSON.stringify(blocks)};`;
    },
  };
}
