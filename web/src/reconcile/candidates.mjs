// @ts-check
// A text that states a shape and no name: the presets of that shape, those first under which its figures and ours agree best.

import { apart } from './agreeing.mjs';
import { enough, modelsShaped } from './naming.mjs';

/** Presets that are asked about at most, and offered at most. */
const [mostAsked, mostOffered] = [48, 3];

/** A share of the figures beyond which a preset is another model. */
const near = 0.1;

/** @typedef {{model: string, apart?: number}} Candidate */

/**
 * @param {Record<string, unknown>} settings of a text @param {readonly import('./naming.mjs').Named[]} models
 * @param {(id: string) => Promise<readonly import('./agreeing.mjs').Beside[] | undefined>} held figures beside the answer for a preset
 * @returns {Promise<Candidate[]>} three at most, the nearest first; none where the shape says too little, or no preset agrees
 */
export async function candidates(settings, models, held) {
  const { ids, given } = modelsShaped(settings, models);
  if (ids.length === 0 || ids.length > mostAsked) return [];
  /** @type {Candidate[]} */
  const tried = [];
  for (const model of ids) {
    const far = apart((await held(model)) ?? []);
    if (far === undefined ? given >= enough : far <= near) tried.push({ model, ...(far !== undefined && { apart: far }) });
  }
  // Of models alike in memory the shortest name is the one that the others are made of.
  return tried.sort((a, b) => (a.apart ?? near) - (b.apart ?? near) || a.model.length - b.model.length).slice(0, mostOffered);
}
