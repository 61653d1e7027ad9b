// What a tool printed, held against the estimate, under Node: the module that reads, and presets from files.

import { reconcilerOf } from '../library/library.mjs';
import { taken } from '../reconcile/snapshot/taking.mjs';
import { instantiated } from './engine.mjs';
import { schema, store } from './presets.mjs';

/** The module, without an engine. @returns {Promise<(text: string) => any>} */
export async function reader() {
  const module = await instantiated('plimsoll-logs');
  return (text) => JSON.parse(module.reconcile(text));
}

/**
 * @param {() => import('./engine.mjs').Engine | Promise<import('./engine.mjs').Engine>} engine asked for where a text states a model
 * @returns {Promise<(text: string | Uint8Array | object, given?: object) => Promise<any>>}
 */
export async function reconciler(engine) {
  let made;
  const estimate = async (request) => (await (made ??= engine())).estimate(request);
  const asked = reconcilerOf(store, schema('reconcile_reply.json'), await reader(), estimate);
  const isFile = (from) => typeof from === 'string' || from instanceof Uint8Array;
  return async (from, given) => asked(isFile(from) ? taken(from) : from, given);
}
