// @ts-check
// A pasted text to figures, a request, and the two side by side.

import { advised } from './advising.mjs';
import { candidates } from './candidates.mjs';
import { compared } from './comparing.mjs';
import { requested, trainers } from './requesting.mjs';
import { snapshotIn } from './snapshot/reading.mjs';
import { snapshotKind } from './snapshot/telling.mjs';

/**
 * @typedef {{
 *   read: (text: string) => any,
 *   estimate: (request: object) => any | Promise<any>,
 *   catalog: import('./requesting.mjs').Catalog,
 *   against: Map<string, string>,
 * }} Asks what reads, what answers, what presets there are, and what each counter is held against
 */

/** What a file's bytes say: of a snapshot of memory, or of a text. @param {Uint8Array} bytes @param {(text: string) => any} read */
function readBytes(bytes, read) {
  return snapshotKind(bytes) ? snapshotIn(bytes) : read(new TextDecoder().decode(bytes));
}

/** The bytes of a text that is a snapshot as JSON. @param {string} text */
const asBytes = (text) =>
  /^\s*[{[]/.test(text) && snapshotKind(new TextEncoder().encode(text.slice(0, 4096))) ? new TextEncoder().encode(text) : undefined;

/** What was read already, of a text or of a file's bytes. @param {string | Uint8Array | object} from @param {(text: string) => any} read */
function readOf(from, read) {
  if (typeof from === 'string') {
    const bytes = asBytes(from);
    return bytes ? readBytes(bytes, read) : read(from);
  }
  return from instanceof Uint8Array ? readBytes(from, read) : from;
}

/**
 * What a text says by itself: figures, the request that its settings state, and what follows from memory that ran out.
 * @param {string | Uint8Array | object} text a file's bytes may be a snapshot of memory; one that was read already is taken as it is
 * @param {Pick<Asks, 'read' | 'catalog'>} asks
 * @returns {any} as presets/schema/reconcile_reply.json describes, before anything is estimated
 */
export function readOnly(text, { read, catalog }) {
  const reply = readOf(text, read);
  const { request, stated, open } = requested(reply, catalog);
  const advice = advised(reply.figures, reply.tool);
  return { ...reply, request, fields: stated, open, ...(advice.length > 0 && { advice }) };
}

/** How weights are stored decides nearly every total: where that is open, only the cache is held against ours. @param {Map<string, string>} against */
export const withoutWeights = (against) => new Map([...against].filter(([, of]) => /kv_cache|state/.test(of)));

/** Figures beside an answer. @param {any} said @param {any} request @param {any} answer @param {Map<string, string>} against */
function besideAnswer({ figures, tool }, { weights, task }, answer, against) {
  return compared(figures, answer, weights || task === 'training' ? against : withoutWeights(against), tool);
}

/**
 * @param {string | Uint8Array | object} text @param {Asks} asks @param {object} [given] what the user says besides, laid over what the text states
 * @returns {Promise<any>} as presets/schema/reconcile_reply.json describes
 */
export async function reconcile(text, { read, estimate, catalog, against }, given) {
  const said = readOnly(text, { read, catalog });
  const whole = given ? merged(said.request, given) : said.request;
  const found = { ...said, request: whole };
  if (trainers.includes(said.tool) && whole.task !== 'training') return found;
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
