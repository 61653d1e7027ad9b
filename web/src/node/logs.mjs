// What a tool printed, held against the estimate, under Node: the module that reads, and presets from files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { againstOf } from '../reconcile/comparing.mjs';
import { reconcile } from '../reconcile/reconciling.mjs';
import { instantiated } from './engine.mjs';
import { presetsFolder } from './places.mjs';
import { ids, presets } from './presets.mjs';

const schema = () => JSON.parse(readFileSync(join(presetsFolder, 'schema', 'reconcile_reply.json'), 'utf8'));

/** The module, without an engine. @returns {Promise<(text: string) => any>} */
export async function reader() {
  const module = await instantiated('plimsoll-logs');
  return (text) => JSON.parse(module.reconcile(text));
}

/**
 * @param {() => import('./engine.mjs').Engine | Promise<import('./engine.mjs').Engine>} engine asked for where a text states a model
 * @returns {Promise<(text: string, given?: object) => Promise<any>>}
 */
export async function reconciler(engine) {
  let made;
  const asks = {
    read: await reader(),
    estimate: async (request) => (await (made ??= engine())).estimate(request),
    catalog: { models: presets('models'), encodings: ids('encodings') },
    against: againstOf(schema()),
  };
  return (text, given) => reconcile(text, asks, given);
}
