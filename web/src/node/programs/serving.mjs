// JSON lines: {"id": …, "verb": "estimate", "request": {…}} is answered by {"id": …, "reply": {…}} or {"id": …, "error": {…}}, in order.

import { errorReply } from '../commands/requests.mjs';
import { nearest } from '../commands/usage.mjs';
import { parsed, whyUnread } from '../output/json.mjs';
import { linesOf, tooLong } from './lines.mjs';
import { answerTo, opened, verbs } from './verbs.mjs';

const failed = (id, code, where, what, hint) => ({ id, error: errorReply(code, where, what, hint).error });

function unknownVerb(id, verb) {
  const near = typeof verb === 'string' ? nearest(verb, verbs) : undefined;
  return failed(id, 'unknown_value', 'verb', 'there is no such verb', near ? `did you mean ${near}?` : verbs.join(', '));
}

/** @param {import('./verbs.mjs').Doors} doors @param {string} text a line @returns {Promise<object>} what answers it */
async function answered(doors, text) {
  const asked = parsed(text);
  if (asked === undefined) return failed(null, 'bad_json', '', whyUnread(text), 'one JSON object a line');
  if (asked === null || typeof asked !== 'object' || Array.isArray(asked))
    return failed(null, 'wrong_type', '', 'a line is an object', '{"id": 1, "verb": "estimate", "request": {…}}');
  const { id = null, verb, request } = asked;
  if (!verbs.includes(verb)) return unknownVerb(id, verb);
  const reply = await answerTo(doors, verb, request);
  return reply.error ? { id, error: reply.error } : { id, reply };
}

/**
 * Answers every line, until there are no more.
 * @param {AsyncIterable<Uint8Array>} input @param {(line: string) => void | Promise<void>} write
 */
export async function serve(input, write) {
  const doors = await opened();
  for await (const { text } of linesOf(input)) {
    const answer = text === undefined ? { id: null, error: tooLong } : await answered(doors, text);
    await write(JSON.stringify(answer));
  }
}
