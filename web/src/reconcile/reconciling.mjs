// @ts-check
// A pasted text to figures, a request, and the two side by side.

import { advised } from './advising.mjs';
import { candidates } from './candidates.mjs';
import { compared } from './comparing.mjs';
import { requested } from './requesting.mjs';
import { trainers } from './training.mjs';

/**
 * @typedef {{
 *   read: (text: string) => any,
 *   estimate: (request: object) => any | Promise<any>,
 *   catalog: import('./requesting.mjs').Catalog,
 *   against: Map<string, string>,
 * }} Asks what reads, what answers, what presets there are, and what each counter is held against
 */

/**
 * What a text says by itself: figures, the request that its settings state, and what follows from memory that ran out.
 * @param {string | object} text what was read already, as of a snapshot of memory, is taken as it is
 * @param {Pick<Asks, 'read' | 'catalog'>} asks
 * @returns {any} as presets/schema/reconcile_reply.json describes, before anything is estimated
 */
export function readOnly(text, { read, catalog }) {
  const reply = typeof text === 'string' ? read(text) : text;
  const { request, stated, open } = requested(reply, catalog);
  const advice = advised(reply.figures, reply.tool);
  return { ...reply, request, fields: stated, open, ...(advice.length > 0 && { advice }) };
}

/** How weights are stored decides nearly every total: where that is open, only the cache is held against ours. @param {Map<string, string>} against */
export const withoutWeights = (against) => new Map([...against].filter(([, of]) => /kv_cache|state/.test(of)));

/** Figures beside an answer. @param {any} said @param {any} request @param {any} answer @param {Map<string, string>} against */
function besideAnswer({ figures, tool, settings }, { weights, task }, answer, against) {
  return compared(figures, answer, weights || task === 'training' ? against : withoutWeights(against), tool, settings);
}

/**
 * @param {string | object} text @param {Asks} asks @param {any} [given] what the user says besides, laid over what the text states
 * @returns {Promise<any>} as presets/schema/reconcile_reply.json describes
 */
export async function reconcile(text, { read, estimate, catalog, against }, given) {
  const said = readOnly(text, { read, catalog });
  const whole = given ? merged(said.request, given) : said.request;
  const found = { ...said, request: whole };
  // how it was trained decides every total, and no log of a trainer says it
  if (trainers.includes(said.tool) && given?.task !== 'training' && !given?.training) return found;
  if (!whole.model) {
    const might = await candidates(said.settings, catalog.models, async (preset) => {
      const answer = await estimate({ ...whole, explain: 'rows', model: { preset } });
      return answer.error ? undefined : besideAnswer(said, whole, answer, against);
    });
    return { ...found, ...(might.length > 0 && { candidates: might }) };
  }
  const answer = await estimate(whole);
  if (answer.error) return { ...found, refusal: answer.error };
  return { ...found, estimate: answer.total, assumptions: answer.assumptions ?? [], compared: besideAnswer(said, whole, answer, against) };
}

/** @param {any} under @param {any} over @returns {any} */
function merged(under, over) {
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return over;
  const all = { ...(typeof under === 'object' && under !== null ? under : {}) };
  for (const [name, value] of Object.entries(over)) all[name] = merged(all[name], value);
  return all;
}
