// @ts-check
// A figure of the guide: a row or total of a reply, read by a short expression and written in a language. The build writes
// it into the page, the page writes the live one over it, and the tests hold both to the engine.

/**
 * @typedef {object} Figure
 * @property {any} request what the engine is asked
 * @property {string} row what is read off the reply: see `read`
 * @property {string} unit one of `units`
 * @property {any} [against] another request: the figure is how many times its own is of that one's
 * @property {number} [digits] significant digits; 3 where none is said
 */

/** What a unit's name divides by; `%` and `×` are of ratios, `count` is written whole, `parameters` in words. */
const divisors = { GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, GB: 1e9, MB: 1e6, bytes: 1, count: 1, parameters: 1, number: 1, '×': 1, '%': 0.01 };
export const units = Object.keys(divisors);

/** The request with some of its fields, named by path, set to other values; null takes a field away. @param {any} request @param {Record<string, any>} [fields] */
export function changed(request, fields = {}) {
  const copy = JSON.parse(JSON.stringify(request));
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = /** @type {string} */ (names.pop());
    const parent = names.reduce((node, name) => (node[name] ??= {}), copy);
    if (value === null) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

/** The entry of a list with this id or phase. @param {any} node @param {string} name */
const step = (node, name) => (Array.isArray(node) ? node.find(({ id, phase }) => id === name || phase === name) : node?.[name]);

/** @param {any} reply @param {string} path */
function place(reply, path) {
  // what the device holds in all, as the rows sum to
  if (path === 'total/device') return (reply.total.process ?? reply.total.reserved ?? reply.total).bytes;
  const [names, phase] = path.split('@');
  const steps = /** @type {string} */ (names).split('/');
  // what is not a place of the reply is a row, whose parts are its rows
  const raw = Object.hasOwn(reply, /** @type {string} */ (steps[0]));
  const node = raw ? steps.reduce(step, reply) : steps.reduce((row, name) => step(row?.rows, name), reply);
  const found = phase ? node?.by_phase?.[phase] : (node?.bytes ?? node);
  if (typeof found !== 'number') throw new Error(`the reply has no ${path}`);
  return found;
}

/** @param {any} reply @param {string} text */
const sum = (reply, text) =>
  text.split(/ (?=[+-] )/).reduce((total, term) => {
    const [, sign, path] = /** @type {RegExpExecArray} */ (/^(?:([+-]) )?(\S+)$/.exec(term));
    const value = Number.isNaN(Number(path)) ? place(reply, /** @type {string} */ (path)) : Number(path);
    return sign === '-' ? total - value : total + value;
  }, 0);

/**
 * What an expression reads off a reply: `kv_cache`, `weights/attention`, `activations@loss` (a row in a phase),
 * `total/process` (a place of the reply), `request/inference/context`; sums and differences of those, and one ratio:
 * `weights + gradients@step / model/parameters/total`.
 * @param {any} reply @param {string} row
 */
export function read(reply, row) {
  const [upper, lower] = row.split(' / ');
  return sum(reply, /** @type {string} */ (upper)) / (lower === undefined ? 1 : sum(reply, lower));
}

/** @param {any} request @param {any} reply */
export function answered(request, reply) {
  if (reply.error) throw new Error(`${reply.error.where}: ${reply.error.what}`);
  return { ...reply, request };
}

/** Its value, in bytes or as a number. @param {Figure} figure @param {(request: any) => any} estimate */
export function valueOf({ request, row, against }, estimate) {
  const value = read(answered(request, estimate(request)), row);
  return against ? value / read(answered(against, estimate(against)), row) : value;
}

/** As a reader of the language writes it. @param {Figure} figure @param {number} value @param {string} language */
export function written({ unit, digits = 3 }, value, language) {
  const amount = value / divisors[/** @type {keyof typeof divisors} */ (unit)];
  const write = (/** @type {Intl.NumberFormatOptions} */ options) => new Intl.NumberFormat(language, options).format(amount);
  if (unit === 'count') return write({ maximumFractionDigits: 0 });
  if (unit === 'parameters') return write({ notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: digits });
  const number = write({ maximumSignificantDigits: digits });
  if (unit === 'number') return number;
  if (unit === 'bytes') return language.startsWith('zh') ? `${number} 字节` : `${number} ${amount === 1 ? 'byte' : 'bytes'}`;
  if (unit === '×') return language.startsWith('zh') ? `${number} 倍` : `${number} times`;
  return `${number} ${unit}`;
}
