// @ts-check
// A pasted text to figures, a request, and the two side by side.

import { advised } from './advising.mjs';
import { compared } from './comparing.mjs';
import { requested } from './requesting.mjs';

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
 * @param {string} text @param {Pick<Asks, 'read' | 'catalog'>} asks
 * @returns {any} as presets/schema/reconcile_reply.json describes, before anything is estimated
 */
export function readOnly(text, { read, catalog }) {
  const reply = read(text);
  const { request, stated, open } = requested(reply, catalog);
  const advice = advised(reply.figures, reply.tool);
  return { ...reply, request, fields: stated, open, ...(advice.length > 0 && { advice }) };
}

/** How weights are stored decides nearly every total: where that is open, only the cache is held against ours. @param {Map<string, string>} against */
export const withoutWeights = (against) => new Map([...against].filter(([, of]) => /kv_cache|state/.test(of)));

/**
 * @param {string} text @param {Asks} asks @param {object} [given] what the user says besides, laid over what the text states
 * @returns {Promise<any>} as presets/schema/reconcile_reply.json describes
 */
export async function reconcile(text, { read, estimate, catalog, against }, given) {
  const said = readOnly(text, { read, catalog });
  const whole = given ? merged(said.request, given) : said.request;
  const found = { ...said, request: whole };
  if (!whole.model) return found;
  const answer = await estimate(whole);
  if (answer.error) return { ...found, refusal: answer.error };
  const sure = whole.weights ? against : withoutWeights(against);
  return { ...found, estimate: answer.total, assumptions: answer.assumptions ?? [], compared: compared(said.figures, answer, sure, said.tool) };
}

/** @param {any} under @param {any} over @returns {any} */
function merged(under, over) {
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return over;
  const all = { ...(typeof under === 'object' && under !== null ? under : {}) };
  for (const [name, value] of Object.entries(over)) all[name] = merged(all[name], value);
  return all;
}
