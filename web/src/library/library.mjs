// The door of the package: what a program may ask, over an engine and a store of presets.

import { withNeighbours } from '../answers/neighbours.mjs';
import { againstOf } from '../reconcile/comparing.mjs';
import { reconcile } from '../reconcile/reconciling.mjs';
import { listOf } from './listing.mjs';

/**
 * @param {import('./engine.mjs').Store} store
 * @param {{$defs: any}} schema of a reply about a log, which says what each counter is held against
 * @param {(text: string) => any} read figures and settings of a text
 * @param {(request: object) => any} estimate
 * @returns {(text: string | object, given?: object) => Promise<any>}
 */
export function reconcilerOf(store, schema, read, estimate) {
  const asks = { read, estimate, catalog: { models: store.presets('models'), encodings: store.ids('encodings') }, against: againstOf(schema) };
  return (text, given) => reconcile(text, asks, given);
}

/**
 * @param {import('./engine.mjs').Engine} engine @param {import('./engine.mjs').Store} store
 * @param {() => Promise<(text: string | object, given?: object) => Promise<any>>} reconciler what reads logs comes with the first one
 * @returns {import('./index.d.ts').Plimsoll}
 */
export function libraryOf(engine, store, reconciler) {
  let asked;
  return {
    version: engine.version,
    estimate: async (request) => engine.estimate(request),
    sweep: async (question) => engine.sweep(question),
    solve: async (question) => engine.solve(question),
    plan: async (question, { neighbours = false } = {}) => {
      const reply = await engine.plan(question);
      return neighbours ? withNeighbours(question, reply, engine) : reply;
    },
    inspect: async (files, options) => /** @type {any} */ (engine.inspect(files, options)),
    reconcile: async (text, request) => (await (asked ??= reconciler()))(text, request),
    list: async (kind, words) => /** @type {any} */ (listOf(store, kind, words)),
  };
}
