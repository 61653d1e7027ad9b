// What a browser unpacks of dist/plimsoll-data.js: engine and presets, compressed and written as text (plugins/data.ts).

/** @param {string} text base64 of gzip @returns {Promise<ArrayBuffer>} */
export const unpacked = (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
};

/** @param {string} text @returns {Promise<string>} */
export const unpackedText = async (text) => new TextDecoder().decode(await unpacked(text));

/** Presets that are held in memory. @param {Record<string, any[]>} all sorted by id @returns {import('./engine.mjs').Store} */
export function storeOf(all) {
  const of = (kind) => (Object.hasOwn(all, kind) ? all[kind] : []);
  return {
    ids: (kind) => of(kind).map(({ id }) => id),
    preset: (kind, id) => of(kind).find((one) => one.id === id),
    presets: of,
  };
}
