// What stands in a script: gzip in base85, since every engine of JavaScript unpacks that without a file beside the script. Zopfli
// looks longer for the same format than zlib does, and finds a twentieth less.

import { gzipAsync } from '@gfx/zopfli';
import { toBase85 } from '../src/files/base85.mjs';

/** Rounds of the search: more than these save a thousandth. */
const rounds = 5;

/** Bytes or a text, packed. */
export async function packed(bytes: string | Uint8Array): Promise<string> {
  return toBase85(await gzipAsync(Buffer.from(bytes), { numiterations: rounds }));
}

/** Each value packed, under its own name. */
export async function packedEach(values: Record<string, string | Uint8Array>): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) all[key] = await packed(value);
  return all;
}
