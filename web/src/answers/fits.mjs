// Tables of what fits: one row for each model on a device, for each device under a model, or for each encoding at a context.
// The engine answers each; nothing of memory is computed here.

/** @typedef {{request: any, name: string, verdict: string, bytes: number, free_bytes: number, encoding?: string, context?: number}} Row */
/** @typedef {(command: 'estimate' | 'solve', question: object) => any} Ask */

/** A request without words that nobody reads here. */
const plainly = (request) => ({ ...request, explain: 'none' });

/** One row of a table, or undefined where the engine refuses the request. @returns {Row | undefined} */
function rowOf(name, request, reply) {
  if (reply.error || !reply.fit) return undefined;
  return {
    name,
    request,
    verdict: reply.fit.verdict,
    bytes: (reply.total.process ?? reply.total).bytes,
    free_bytes: reply.fit.free_bytes,
  };
}

const elsewhere = (reply) => (reply.notes ?? []).some(({ code }) => code === 'runtime_elsewhere');
const runs = (reply) => !reply.error && ['fits', 'tight'].includes(reply.fit?.verdict) && reply.fit.free_bytes >= 0;

/** The request in the encoding that takes most of those that fit and take no more than the published one; as it is where that fits. */
function inBestEncoding(ask, request) {
  const reply = ask('estimate', plainly(request));
  if (reply.error || runs(reply) || request.weights?.encoding || request.training) return { request, reply };
  const own = (reply.total.process ?? reply.total).bytes;
  const { order = [] } = ask('solve', { request: plainly(request), find: 'weights.encoding' });
  const best = order.filter(({ bytes, fits }) => fits && bytes < own).at(-1)?.value;
  if (best === undefined) return { request, reply };
  const smaller = { ...request, weights: { ...request.weights, encoding: best } };
  return { request: smaller, reply: ask('estimate', plainly(smaller)) };
}

const lengthOf = (request) => (request.training ? 'training.sequence' : 'inference.context');

/** What runs on the request's device: a row for each model. @param {Ask} ask @param {readonly {id: string, name: string}[]} models @returns {Generator<Row>} */
export function* modelsOn(ask, request, models) {
  for (const { id, name } of models) {
    const asked = inBestEncoding(ask, { ...request, model: { preset: id } });
    const row = rowOf(name, asked.request, asked.reply);
    if (!row) continue;
    const { value } = runs(asked.reply) ? ask('solve', { request: plainly(asked.request), find: lengthOf(asked.request) }) : {};
    const encoding = asked.request.weights?.encoding;
    yield { ...row, ...(encoding && { encoding }), ...(typeof value === 'number' && { context: value }) };
  }
}

/** What the request's model runs on: a row for each device that its runtime runs on. @returns {Generator<Row>} */
export function* devicesFor(ask, request, devices) {
  for (const { id, name } of devices) {
    const own = { ...request, device: { ...request.device, preset: id } };
    const reply = ask('estimate', plainly(own));
    const row = elsewhere(reply) ? undefined : rowOf(name, own, reply);
    if (row) yield row;
  }
}

/** A model on a device: a row for each encoding that the runtime loads, a cell for each context. @returns {Generator<Row>} */
export function* encodingsAt(ask, request, contexts, nameOf) {
  for (const context of contexts) {
    const own = { ...request, inference: { ...request.inference, context } };
    const { order = [], error } = ask('solve', { request: plainly(own), find: 'weights.encoding' });
    if (error) continue;
    for (const { value } of order) {
      const asked = { ...own, weights: { ...own.weights, encoding: value } };
      const row = rowOf(nameOf(value), asked, ask('estimate', plainly(asked)));
      if (row) yield { ...row, encoding: value, context };
    }
  }
}
