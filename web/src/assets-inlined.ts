// Assets carried inside one file: no request is ever made.

import { examples, filesWasm, index, models, tables, wasm } from 'virtual:plimsoll-inlined';
import type { Assets, ModelEntry } from './assets.ts';
import type { Example } from './wire.d.ts';

const bytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

let parsed: Record<string, unknown> | undefined;

export const inlinedAssets: Assets = {
  wasm: async () => bytes(wasm),
  filesWasm: async () => bytes(filesWasm),
  tables: async () => tables,
  models: async () => JSON.parse(index) as ModelEntry[],
  examples: async () => JSON.parse(examples) as Example[],
  async model(id) {
    parsed ??= JSON.parse(models) as Record<string, unknown>;
    return Object.hasOwn(parsed, id) ? JSON.stringify(parsed[id]) : undefined;
  },
  complete: async () => undefined,
};
