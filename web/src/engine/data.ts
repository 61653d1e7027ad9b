// What a browser unpacks of dist/plimsoll-data.js and of the single files: engine and presets, compressed and written as text
// (plugins/data.ts, plugins/presets.ts).

import type { Store } from '../library/engine.mjs';

/** @param text base64 of gzip */
export function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
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
