// Where the engine and the presets lie: in a checkout beside this folder, in the npm package within it: what scripts/node-dist.mjs has put there.

import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { fromBase85 } from '../files/base85.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const checkout = existsSync(join(web, '..', 'engine', 'api.h'));

/** The folder of presets in a checkout: models/, devices/, encodings/, optimizers/, runtimes/, trainers/. */
export const presetsFolder = join(web, '..', 'presets');

/** What a browser imports, read as text, so that nothing has to be waited for (plugins/data.ts writes its form). */
const dataOf = (file) => JSON.parse(/ = (\{.*\});$/m.exec(readFileSync(file, 'utf8'))[1]);

/** Outside a checkout, engine and presets as the package has them, compressed: for Node and for browsers alike. */
export const packed = checkout ? undefined : dataOf(join(web, 'dist', 'plimsoll-data.js'));

/** @param {string} text gzip in base85 */
export const unpacked = (text) => gunzipSync(fromBase85(text));

/** The folder that holds plimsoll-whole.mjs and its .wasm; PLIMSOLL_ENGINE names another build. */
export const engineFolder = process.env.PLIMSOLL_ENGINE ?? (checkout ? join(web, '..', 'build', 'wasm') : join(web, 'dist', 'node'));

/** Whether the WebAssembly is in the package's data and no file. */
const isPacked = packed !== undefined && process.env.PLIMSOLL_ENGINE === undefined;

/**
 * An engine's glue by its address, and its WebAssembly; throws an explanation of how to get them where they are not there.
 * @param {'plimsoll-whole' | 'plimsoll' | 'plimsoll-logs'} [engine] the page's first one is only built in a checkout; `plimsoll-logs` reads what tools printed
 */
export async function engineFiles(engine = 'plimsoll-whole') {
  const glue = join(engineFolder, `${engine}.mjs`);
  const binary = join(engineFolder, `${engine}.wasm`);
  if (!existsSync(glue) || (!isPacked && !existsSync(binary))) {
    const remedy = checkout ? 'run ./dev build first' : 'this installation is not complete';
    throw new Error(`the engine is not at ${engineFolder}: ${remedy}`);
  }
  return { glue: pathToFileURL(glue).href, wasmBinary: isPacked ? unpacked(packed.engines[engine]) : await readFile(binary) };
}
