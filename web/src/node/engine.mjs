// The engine under Node: the same WebAssembly as the page's, with presets read from files.

import { Engine as AnyEngine } from '../library/engine.mjs';
import { parsed } from './output/json.mjs';
import { engineFiles } from './places.mjs';
import { store } from './presets.mjs';

/** An engine's module as Emscripten makes it, without any preset. @param {Parameters<typeof engineFiles>[0]} [name] */
export async function instantiated(name) {
  const { glue, wasmBinary } = await engineFiles(name);
  const { default: factory } = await import(glue);
  return factory({ wasmBinary });
}

export class Engine extends AnyEngine {
  /** @param {object} module the Emscripten module, instantiated */
  constructor(module) {
    super(module, store, parsed);
  }
}

/** Loads the engine. It stays in this process: no request leaves it. */
export const load = async () => new Engine(await instantiated());
