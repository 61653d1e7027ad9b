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
 * @param {string} text @param {Asks} asks @param {object} [given] what the user says besides, laid over what the text states
 * @returns {Promise<any>} as presets/schema/reconcile_reply.json describes
 */
export async function reconcile(text, { read, estimate, catalog, against }, given) {
  const reply = read(text);
  const { request, stated, open } = requested(reply, catalog);
  const advice = advised(reply.figures, reply.tool);
  const whole = given ? merged(request, given) : request;
  const found = { ...reply, request: whole, fields: stated, open, ...(advice.length > 0 && { advice }) };
  if (!whole.model) return found;
  const answer = await estimate(whole);
  if (answer.error) return { ...found, refusal: answer.error };
  // How weights are stored decides nearly every total: where the text leaves it open, only the cache is held against ours.
  const sure = whole.weights ? against : new Map([...against].filter(([, of]) => /kv_cache|state/.test(of)));
  return { ...found, estimate: answer.total, assumptions: answer.assumptions ?? [], compared: compared(reply.figures, answer, sure, reply.tool) };
}

/** @param {any} under @param {any} over @returns {any} */
function merged(under, over) {
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return over;
  const all = { ...(typeof under === 'object' && under !== null ? under : {}) };
  for (const [name, value] of Object.entries(over)) all[name] = merged(all[name], value);
  return all;
}
