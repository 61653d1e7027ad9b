// Where the engine and the presets lie: in a checkout beside this folder, in the npm package under dist/node.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const checkout = existsSync(join(web, '..', 'engine', 'api.h'));

/** The folder of presets: models/, devices/, encodings/, optimizers/, runtimes/, trainers/. */
export const presetsFolder = checkout ? join(web, '..', 'presets') : join(web, 'dist', 'node', 'presets');

/** The folder of the conformance vectors, which the build makes. */
export const conformanceFolder = join(web, 'dist', 'conformance');

/** The folder that holds plimsoll-whole.mjs and its .wasm; PLIMSOLL_ENGINE names another build. */
export const engineFolder = process.env.PLIMSOLL_ENGINE ?? (checkout ? join(web, '..', 'build', 'wasm') : join(web, 'dist', 'node'));

/** The two files of an engine, or an explanation of how to get them. @param {'plimsoll-whole' | 'plimsoll' | 'plimsoll-logs'} [engine] the page's first one is only built in a checkout; `plimsoll-logs` reads what tools printed */
export function engineFiles(engine = 'plimsoll-whole') {
  const glue = join(engineFolder, `${engine}.mjs`);
  const binary = join(engineFolder, `${engine}.wasm`);
  if (!existsSync(glue) || !existsSync(binary)) {
    const remedy = checkout ? 'run ./dev build first' : 'this installation is not complete';
    throw new Error(`the engine is not at ${engineFolder}: ${remedy}`);
  }
  return { glue: pathToFileURL(glue).href, binary };
}
