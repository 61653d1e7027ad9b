// @ts-check
// Figures of a log beside what an estimate has for the same thing: equal counters alone. Each part of a difference is the
// difference of two figures that count the same, of the log and of ours; what is left is named, and spread over nothing.

/**
 * @typedef {{counter: string, bytes?: number, value: number, low: number, high: number, device?: number | string, estimate: boolean, restated?: true}} Figure
 * @typedef {{of: string, bytes: number, low: number, high: number}} Ours
 * @typedef {{by: string, bytes: number}} Part
 * @typedef {{tool: string | null, settings: Record<string, unknown>}} Read
 * @typedef {{figure: number, with?: number[], ours: Ours, difference: number, within: boolean, explained: Part[], unexplained: number}} Compared
 */

/** The host's memory, as backends call it. @param {unknown} device */
export const onHost = (device) => typeof device === 'string' && /^(cpu|.*_host|cpu_.*|host)$/i.test(device);

/** What of an estimate counters of a device are held against: presets/schema/reconcile_reply.json. @param {any} schema @returns {Map<string, string>} */
export const againstOf = (schema) =>
  new Map(schema.$defs.counter.anyOf.flatMap((/** @type {any} */ one) => (one.against === undefined ? [] : [[one.const, one.against]])));

/** @param {any} range @param {string} of @returns {Ours | undefined} */
function ours(range, of) {
  if (range === undefined || range === null) return undefined;
  if (typeof range === 'number') return { of, bytes: range, low: range, high: range };
  return { of, bytes: range.bytes, low: range.low ?? range.bytes, high: range.high ?? range.bytes };
}

/** The row at a path of ids: `weights`, `weights.vision`. @param {readonly any[] | undefined} rows @param {string} path @returns {any} */
function rowOf(rows, path) {
  const [id, ...rest] = path.split('.');
  const found = rows?.find((/** @type {any} */ one) => one.id === id);
  return rest.length === 0 ? found : rowOf(found?.rows, rest.join('.'));
}

/** The bytes of a row, or of all that is allocated, on all devices together. @param {any} reply @param {string} [row] */
function onAll(reply, row) {
  let sum = 0;
  for (const { count = 1, bytes, rows } of reply.devices ?? []) sum += count * (row === undefined ? bytes : (rowOf(rows, row)?.bytes ?? 0));
  return sum;
}

/** What one device has, as all have it: the band is as wide in proportion. @param {Ours | undefined} one @param {number} bytes @returns {Ours | undefined} */
const widened = (one, bytes) =>
  one && {
    of: one.of,
    bytes,
    low: one.bytes > 0 ? (one.low * bytes) / one.bytes : bytes,
    high: one.bytes > 0 ? (one.high * bytes) / one.bytes : bytes,
  };

/** How a place begins that is of all devices together. */
export const onAllDevices = 'devices.';

/** A row on all devices, each with its own share; a total of one device as often as there are devices. @param {any} reply @param {string} path @returns {Ours | undefined} */
function together(reply, path) {
  const one = valueAt(reply, path);
  const row = /^rows\.([^.]+)$/.exec(path)?.[1]; // what a row is made of is told of the first device alone
  const count = (reply.devices ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ { count: of = 1 }) => sum + of, 0);
  const all = one && widened(one, row ? onAll(reply, row) : one.bytes * Math.max(count, 1));
  return all && { ...all, of: `${onAllDevices}${path}` };
}

/** @param {any} reply @param {string} path @param {boolean} [all] on all devices together @returns {Ours | undefined} */
export function valueAt(reply, path, all = false) {
  if (path.startsWith(onAllDevices)) return together(reply, path.slice(onAllDevices.length));
  const row = /(?:^|\.)rows\.(.+)$/.exec(path)?.[1];
  if (path.startsWith('host.rows.') && row) return ours(rowOf(reply.host?.rows, row), path);
  if (row) return all ? widened(ours(rowOf(reply.rows, row), path), onAll(reply, row)) : ours(rowOf(reply.rows, row), path);
  if (path === 'total' && all) return widened(ours(reply.total, path), onAll(reply));
  if (path === 'capacity.kv_tokens') return ours(reply.capacity?.kv_tokens, path);
  let at = reply;
  for (const name of path.split('.')) at = at?.[name];
  return ours(at, path);
}

/** Which other figures of the log a total is made of, and the rows that they are beside. */
const parts = {
  'total.process': [
    ['unallocated', 'rows.slack'],
    ['non_torch', 'rows.device_context'],
  ],
  capacity: [
    ['weights', 'rows.weights', -1],
    ['activations_peak', 'rows.activations', -1],
    ['non_torch', 'rows.device_context', -1],
  ],
  'devices.capacity': [
    ['budget_of_chips', 'devices.total.claimed'],
    ['weights_of_chips', 'devices.rows.weights', -1],
  ],
};

const memory = (/** @type {Figure} */ { bytes, value }) => bytes ?? value;

/** Servers whose cache takes what memory is left: its size is that, and not what the requests need. */
const pooled = ['vllm', 'sglang', 'tensorrt-llm'];

/** What of an estimate a counter of a tool is held against. @param {Map<string, string>} against @param {string | null} tool @param {string} counter */
const ofTool = (against, tool, counter) => (counter === 'kv_cache' && pooled.includes(tool ?? '') ? 'capacity' : against.get(counter));

/** Whether the text has the most of what a figure says of now: an estimate's total is the most. @param {readonly Figure[]} figures @param {Figure} now */
function isSurpassed(figures, now) {
  const peaks = now.counter === 'reserved' ? ['reserved_peak'] : ['allocated_peak', 'active_peak', 'tensors_peak'];
  if (!['reserved', 'allocated', 'active', 'tensors'].includes(now.counter)) return false;
  return figures.some(({ counter, device }) => peaks.includes(counter) && device === now.device);
}

/** Figures that say one thing together: buffers of one place, each on its own device. @param {readonly Figure[]} figures @param {(counter: string) => string | undefined} against */
function groups(figures, against) {
  /** @type {Map<string, {of: string, first: Figure, at: number, more: {at: number, figure: Figure}[]}>} */
  const found = new Map();
  for (const [at, figure] of figures.entries()) {
    const of = against(figure.counter);
    if (of === undefined || figure.restated || figure.estimate || isSurpassed(figures, figure)) continue;
    const host = onHost(figure.device) && of.startsWith('rows.');
    const key = /_buffer$/.test(figure.counter) ? `${figure.counter} ${host}` : String(at);
    const group = found.get(key);
    if (group) group.more.push({ at, figure });
    else found.set(key, { of: host ? `host.${of}` : of, first: figure, at, more: [] });
  }
  return [...found.values()];
}

/** @param {string} of @param {readonly Figure[]} figures @param {any} reply @param {Figure} figure @returns {Part[]} */
function explained(of, figures, reply, figure) {
  const same = (/** @type {Figure} */ other) => other.device === undefined || figure.device === undefined || other.device === figure.device;
  /** @type {Part[]} */
  const found = [];
  for (const [counter, path, sign = 1] of /** @type {[string, string, number?][]} */ (parts[/** @type {keyof typeof parts} */ (of)] ?? [])) {
    const theirs = figures.find((other) => other.counter === counter && !other.estimate && same(other));
    const mine = valueAt(reply, path);
    if (theirs?.bytes !== undefined && mine) found.push({ by: `${counter} less ${path}`, bytes: sign * (theirs.bytes - mine.bytes) });
  }
  if (figure.counter === 'device_used') {
    const others = figures.filter((other) => other.counter === 'other_process_used' && same(other)).reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    if (others > 0) found.push({ by: 'other_process_used', bytes: others });
  }
  return found.filter(({ bytes }) => bytes !== 0);
}

/**
 * Rows of ours that the tool's own account has no room for: they are in our total, and not in its figure.
 * @param {string} of @param {readonly Figure[]} figures @param {any} reply @param {Read} read @returns {Part[]}
 */
function absent(of, figures, reply, { tool, settings }) {
  // mlx-lm loads the language model alone (mlx_lm/models: what an image goes through is left out).
  if (of === 'total' && tool === 'mlx' && settings?.['mlx_lm'] !== undefined)
    return without(reply, ['weights.vision', 'weights.audio', 'weights.projector'], '');
  if (!of.endsWith('capacity')) return [];
  // Budget, weights and cache add up: nothing else was taken off.
  const [whole, weights, cache] = ['budget', 'weights', 'kv_cache_budget'].map((counter) =>
    figures.find((one) => one.counter === (of === 'capacity' ? counter : `${counter}_of_chips`) && !one.estimate),
  );
  if (!whole || !weights || !cache || whole.low - weights.high > cache.high || whole.high - weights.low < cache.low) return [];
  const taken = (reply.capacity?.beside ?? []).filter((/** @type {string} */ row) => !row.startsWith('weights'));
  return without(reply, taken, of === 'capacity' ? '' : onAllDevices).map(({ by, bytes }) => ({ by, bytes: -bytes }));
}

/** @param {any} reply @param {readonly string[]} rows @param {string} where @returns {Part[]} */
const without = (reply, rows, where) =>
  rows.flatMap((row) => {
    const mine = valueAt(reply, `${where}rows.${row}`);
    return mine ? [{ by: `no ${where}rows.${row}`, bytes: -mine.bytes }] : [];
  });

/** Rows that need as much wherever they lie. */
const wherever = ['rows.weights', 'rows.kv_cache', 'rows.state'];

/** What is less than a thousandth is the rounding of a printed figure, and explains nothing. @param {number} bytes @param {Ours} ours */
const isRounding = (bytes, ours) => Math.abs(bytes) <= Math.abs(ours.bytes) / 1000;

/**
 * What host and device hold together agrees, and one has as much more as the other has less: it lies there instead.
 * @param {Compared[]} all @param {readonly Figure[]} figures
 */
function moved(all, figures) {
  for (const one of all) {
    if (!wherever.includes(one.ours.of)) continue;
    const counter = figures[one.figure]?.counter;
    const others = all.filter((other) => other.ours.of === `host.${one.ours.of}` && figures[other.figure]?.counter === counter);
    const [other] = others;
    if (!other || others.length > 1 || one.unexplained * other.unexplained >= 0) continue;
    const bytes = Math.sign(one.unexplained) * Math.min(Math.abs(one.unexplained), Math.abs(other.unexplained));
    for (const [to, from, part] of /** @type {const} */ ([
      [one, other, bytes],
      [other, one, -bytes],
    ])) {
      if (to.within || isRounding(part, to.ours)) continue;
      to.explained.push({ by: `${counter} less ${from.ours.of}`, bytes: part });
      to.unexplained -= part;
    }
  }
}

/** Whether a counter is of all devices together: llama.cpp's buffers, each on its device, and its totals. @param {Figure} figure */
const ofAll = ({ counter, device }) => /_buffer$/.test(counter) || (device === undefined && ['weights', 'total', 'kv_cache'].includes(counter));

/** A file holds more or less than our mix of encodings: what all weights differ by. @param {readonly Figure[]} figures @param {any} reply @returns {Part[]} */
function byFile(figures, reply) {
  const file = figures.find(({ counter, estimate }) => counter === 'file_size' && !estimate);
  const mine = onAll(reply, 'weights') + (valueAt(reply, 'host.rows.weights')?.bytes ?? 0);
  if (file?.bytes === undefined || (file.low <= mine && mine <= file.high)) return [];
  return [{ by: 'file_size less our weights', bytes: file.bytes - mine }];
}

/**
 * @param {readonly Figure[]} figures @param {any} reply an answer of the engine @param {Map<string, string>} against
 * @param {string | null} [tool] of llama.cpp, figures without a device are of all of them
 * @param {Record<string, unknown>} [settings] that the text states
 * @returns {Compared[]}
 */
export function compared(figures, reply, against, tool = null, settings = {}) {
  const all = beside(figures, reply, against, { tool, settings });
  moved(all, figures);
  return all;
}

/** @param {readonly Figure[]} figures @param {any} reply @param {Map<string, string>} against @param {Read} read @returns {Compared[]} */
function beside(figures, reply, against, { tool, settings }) {
  return groups(figures, (counter) => ofTool(against, tool, counter)).flatMap(({ of, first, at, more }) => {
    const mine = valueAt(reply, of, tool === 'llama.cpp' && ofAll(first));
    if (!mine) return [];
    const all = [first, ...more.map(({ figure }) => figure)];
    const sum = (/** @type {(figure: Figure) => number} */ part) => all.reduce((total, one) => total + part(one), 0);
    const difference = sum(memory) - mine.bytes;
    const printed = [...explained(of, figures, reply, first), ...(of === 'rows.weights' && tool === 'llama.cpp' ? byFile(figures, reply) : [])];
    const why = [...printed.filter(({ bytes }) => !isRounding(bytes, mine)), ...absent(of, figures, reply, { tool, settings })];
    return [
      {
        figure: at,
        ...(more.length > 0 && { with: more.map((one) => one.at) }),
        ours: mine,
        difference,
        within: sum(({ high }) => high) >= mine.low && sum(({ low }) => low) <= mine.high,
        explained: why,
        unexplained: difference - why.reduce((total, { bytes }) => total + bytes, 0),
      },
    ];
  });
}
