// What a browser unpacks of dist/plimsoll-data.js and of the single files: engine and presets, compressed and written as text
// (plugins/data.ts, plugins/presets.ts).

import { fromBase85 } from '../files/base85.mjs';
import type { Store } from '../library/engine.mjs';

/** @param text gzip in base85 */
export function unpacked(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([fromBase85(text)]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export const unpackedText = async (text: string): Promise<string> => new TextDecoder().decode(await unpacked(text));

/** Presets that are held in memory. @param all of each kind, sorted by id */
export function storeOf(all: Record<string, { id: string }[]>): Store {
  const of = (kind: string): { id: string }[] => (Object.hasOwn(all, kind) ? all[kind]! : []);
  return {
    ids: (kind) => of(kind).map(({ id }) => id),
    preset: (kind, id) => of(kind).find((one) => one.id === id),
    presets: of,
  };
}
