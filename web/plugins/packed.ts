// What stands in a script: gzip in base85, since every engine of JavaScript unpacks that without a file beside the script. Zopfli
// looks longer for the same format than zlib does, and finds a twentieth less.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipAsync } from '@gfx/zopfli';
import { toBase85 } from '../src/files/base85.mjs';

/** Rounds of the search: more than these save a thousandth. */
const rounds = 5;

/** Several builds, a process each, pack the same engine: each of them takes seconds. */
const kept = join(import.meta.dirname, '..', '..', 'build', 'packed');

/** Bytes or a text, packed. */
export async function packed(bytes: string | Uint8Array): Promise<string> {
  const file = join(kept, createHash('sha256').update(`${rounds} `).update(bytes).digest('hex'));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = toBase85(await gzipAsync(Buffer.from(bytes), { numiterations: rounds }));
  mkdirSync(kept, { recursive: true });
  const own = `${file}.${process.pid}`; // whole or not at all, for who reads meanwhile
  writeFileSync(own, text);
  renameSync(own, file);
  return text;
}

/** Each value packed, under its own name. */
export async function packedEach(values: Record<string, string | Uint8Array>): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) all[key] = await packed(value);
  return all;
}
