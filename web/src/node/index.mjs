// `import { load } from 'plimsoll'` under Node: the same door as the package has in a browser.

import { libraryOf } from '../library/library.mjs';
import { load as loadEngine } from './engine.mjs';
import { reconciler } from './logs.mjs';
import { store } from './presets.mjs';

/** @returns {Promise<import('../library/index.d.ts').Plimsoll>} */
export async function load() {
  const engine = await loadEngine();
  return libraryOf(engine, store, () => reconciler(() => engine));
}
