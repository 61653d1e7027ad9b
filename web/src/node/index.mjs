// `import { load } from 'plimsoll'` under Node: the same door as the package has in a browser.

import { load as loadEngine } from './engine.mjs';
import { reconciler } from './logs.mjs';

/** @returns {Promise<import('./index.d.ts').Plimsoll>} */
export async function load() {
  const engine = await loadEngine();
  let asked;
  return {
    version: engine.version,
    estimate: async (request) => engine.estimate(request),
    sweep: async (question) => engine.sweep(question),
    solve: async (question) => engine.solve(question),
    plan: async (question) => engine.plan(question),
    inspect: (files, options) => engine.inspect(files, options),
    reconcile: async (text, request) => (await (asked ??= reconciler(() => engine)))(text, request),
  };
}
