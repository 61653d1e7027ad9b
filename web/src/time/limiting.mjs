// @ts-check
// What a limit of time asks of a search, and what the search's reply says of it.

/** @typedef {'latency' | 'speed'} Limit latency: seconds of a token at most; speed: tokens a second in all at least */
/** @typedef {import('../state/fields.ts').FieldId} FieldId */
/** @typedef {import('../engine/wire.d.ts').SolveReply} SolveReply */

const millisecond = 1e-3;

/** Which limits a task may be held to: a training step has no seconds of a token. @type {Record<'inference' | 'training', readonly Limit[]>} */
export const limitsOf = { inference: ['latency', 'speed'], training: ['speed'] };

/** The form's field that is looked for. @param {Limit} limit @param {'inference' | 'training'} task @returns {FieldId} */
export function soughtWithin(limit, task) {
  if (limit === 'latency') return 'inference.sequences';
  return task === 'training' ? 'training.devices' : 'devices';
}

/**
 * The question of a search.
 * @param {object} request @param {Limit} limit @param {number} value milliseconds of a token, or tokens a second
 */
export const limitedQuestion = (request, limit, value) =>
  limit === 'latency'
    ? { request, find: 'inference.sequences', limit: { token_seconds: value * millisecond } }
    : { request, find: 'devices', limit: { tokens_per_second: value } };

/**
 * @typedef {object} Within
 * @property {number | null} value what keeps the limit; null where nothing does
 * @property {{value: number, why: 'time' | 'memory'}} [next] the nearest that does not, and by what
 * @property {{first: number, last: number}} [untold] values between the two whose speed nobody knows
 */

/**
 * What a search found; undefined where the engine refuses it.
 * @param {SolveReply} reply @returns {Within | undefined}
 */
export function foundWithin(reply) {
  if (!('value' in reply) || typeof reply.value === 'string') return undefined;
  const { value, next, binds, untold } = /** @type {{value: number | null, next?: number | null, binds?: {limit?: string}, untold?: string}} */ (
    reply
  );
  if (typeof next !== 'number') return { value };
  const gap = typeof value === 'number' && untold !== undefined && next > value + 1 ? { untold: { first: value + 1, last: next - 1 } } : {};
  return { value, next: { value: next, why: binds?.limit ? 'time' : 'memory' }, ...gap };
}
