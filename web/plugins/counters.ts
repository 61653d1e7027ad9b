// What each counter of a log is held against, read off the schema: the page has its own words for what they mean.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const schema = join(import.meta.dirname, '..', '..', 'presets', 'schema', 'reconcile_reply.json');
const name = 'virtual:plimsoll-counters';

interface Counter {
  const: string;
  against?: string;
}

export function counters(): Plugin {
  return {
    name: 'plimsoll-counters',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const { $defs } = JSON.parse(readFileSync(schema, 'utf8')) as { $defs: { counter: { anyOf: Counter[] } } };
      const all = $defs.counter.anyOf.flatMap(({ const: counter, against }) => (against === undefined ? [] : [[counter, against]]));
      return `export const against = ${JSON.stringify(all)};`;
    },
  };
}
