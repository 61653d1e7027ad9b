// Tables of what fits: one row for each model on a device, for each device under a model, or for each encoding at a context.
// The engine answers each; nothing of memory is computed here. A row is a generator of questions: who has the engine answers
// them, one after another on the command line, in portions on the page.

/** @typedef {{value: number, low: number, high: number} | {at_most: number}} Speed tokens a second of all sequences */
/** @typedef {{request: any, name: string, verdict: string, bytes: number, free_bytes: number, encoding?: string, context?: number, tokens_per_second?: Speed}} Row */
/** @typedef {{command: 'estimate' | 'solve', question: object}} Question */
/** @typedef {(command: 'estimate' | 'solve', question: object) => any} Ask */

/** A request without words that nobody reads here. */
const plainly = (request) => ({ ...request, explain: 'none' });

const estimate = (request) => ({ command: 'estimate', question: plainly(request) });
const solve = (request, find) => ({ command: 'solve', question: { request: plainly(request), find } });

/** Of a reply that was asked for time: how fast, or the limit alone; undefined where neither is known. @returns {Speed | undefined} */
export function speedOf({ time }) {
  if (time?.tokens_per_second) return time.tokens_per_second;
  const most = time?.roof?.tokens_per_second;
  return most === undefined ? undefined : { at_most: most };
}

/** One row of a table, or undefined where the engine refuses the request. @returns {Row | undefined} */
function rowOf(name, request, reply) {
  if (reply.error || !reply.fit) return undefined;
  const speed = speedOf(reply);
  return {
    name,
    request,
    verdict: reply.fit.verdict,
    bytes: (reply.total.process ?? reply.total).bytes,
    free_bytes: reply.fit.free_bytes,
    ...(speed && { tokens_per_second: speed }),
  };
}

const elsewhere = (reply) => (reply.notes ?? []).some(({ code }) => code === 'runtime_elsewhere');
const runs = (reply) => !reply.error && ['fits', 'tight'].includes(reply.fit?.verdict) && reply.fit.free_bytes >= 0;

/** The request in the encoding that takes most of those that fit and take no more than the published one; as it is where that fits. */
function* inBestEncoding(request) {
  const reply = yield estimate(request);
  if (reply.error || runs(reply) || request.weights?.encoding || request.training) return { request, reply };
  const own = (reply.total.process ?? reply.total).bytes;
  const { order = [] } = yield solve(request, 'weights.encoding');
  const best = order.filter(({ bytes, fits }) => fits && bytes < own).at(-1)?.value;
  if (best === undefined) return { request, reply };
  const smaller = { ...request, weights: { ...request.weights, encoding: best } };
  return { request: smaller, reply: yield estimate(smaller) };
}

const lengthOf = (request) => (request.training ? 'training.sequence' : 'inference.context');

/** A model on the request's device: in its best encoding, with the longest context. @returns {Generator<Question, Row | undefined, any>} */
export function* modelOn(request, { id, name }) {
  const asked = yield* inBestEncoding({ ...request, model: { preset: id } });
  const row = rowOf(name, asked.request, asked.reply);
  if (!row) return undefined;
  const { value } = runs(asked.reply) ? yield solve(asked.request, lengthOf(asked.request)) : {};
  const encoding = asked.request.weights?.encoding;
  return { ...row, ...(encoding && { encoding }), ...(typeof value === 'number' && { context: value }) };
}

/** The request's model on a device; undefined where its runtime does not run there. @returns {Generator<Question, Row | undefined, any>} */
export function* deviceFor(request, { id, name }) {
  const own = { ...request, device: { ...request.device, preset: id } };
  const reply = yield estimate(own);
  return elsewhere(reply) ? undefined : rowOf(name, own, reply);
}

export const atContext = (request, context) => ({ ...request, inference: { ...request.inference, context } });

/** The encodings that the request's runtime loads, by what they take. @returns {Generator<Question, string[] | undefined, any>} */
export function* encodingsOf(request) {
  const { order = [], error } = yield solve(request, 'weights.encoding');
  return error ? undefined : order.map(({ value }) => value);
}

/** The request in one encoding. @returns {Generator<Question, Row | undefined, any>} */
export function* encodingOf(request, encoding, name) {
  const asked = { ...request, weights: { ...request.weights, encoding } };
  const row = rowOf(name, asked, yield estimate(asked));
  return row && { ...row, encoding, context: request.inference?.context };
}

/** What a generator of questions returns, each of them answered at once. @template T @param {Generator<Question, T, any>} cell @param {Ask} ask @returns {T} */
export function answered(cell, ask) {
  let step = cell.next();
  while (!step.done) step = cell.next(ask(step.value.command, step.value.question));
  return step.value;
}

/** What runs on the request's device: a row for each model. @param {Ask} ask @param {readonly {id: string, name: string}[]} models @returns {Generator<Row>} */
export function* modelsOn(ask, request, models) {
  for (const model of models) {
    const row = answered(modelOn(request, model), ask);
    if (row) yield row;
  }
}

/** What the request's model runs on: a row for each device that its runtime runs on. @returns {Generator<Row>} */
export function* devicesFor(ask, request, devices) {
  for (const device of devices) {
    const row = answered(deviceFor(request, device), ask);
    if (row) yield row;
  }
}

/** A model on a device: a row for each encoding that the runtime loads, a cell for each context. @returns {Generator<Row>} */
export function* encodingsAt(ask, request, contexts, nameOf) {
  for (const context of contexts) {
    const own = atContext(request, context);
    for (const encoding of answered(encodingsOf(own), ask) ?? []) {
      const row = answered(encodingOf(own, encoding, nameOf(encoding)), ask);
      if (row) yield row;
    }
  }
}
