// @ts-check
// A log as a measured case: a row of tests/measured with figures and settings, and no word of the text itself.

/**
 * @typedef {{counter: string, bytes?: number, value: number, device?: number | string, estimate: boolean, restated?: true}} Figure
 * @typedef {{tool: string | null, version: string | null, figures: readonly Figure[]}} Log
 */

/** Where a run's own totals stand in a row. */
const totals = { max_allocated: ['allocated_peak', 'allocated'], max_reserved: ['reserved_peak', 'reserved'], process: ['process_used'] };

/** A version, and nothing that only looks like one. @param {string | null} text */
const versionOf = (text) => (/^[\w.+-]{1,24}( \([0-9a-f]{4,12}\))?$/.test(text ?? '') ? text : '');

/** As tools number their devices. @param {number | string | undefined} device */
const numbered = (device) => (/^[A-Za-z_]{0,16}\d{0,3}$/.test(String(device ?? '')) ? device : undefined);

/** Without names and places: no text with a separator, and none under a name that holds one. @param {any} value @returns {any} */
function anonymous(value) {
  if (Array.isArray(value)) return value.map(anonymous).filter((one) => one !== undefined);
  if (typeof value === 'string') return /[\\/:@~\s]/.test(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !/name_or_path|(^|_)(name|path|file|user)$/.test(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, anonymous(one)]).filter(([, one]) => one !== undefined));
}

/** The most that the text says of a counter. @param {readonly Figure[]} figures @param {readonly string[]} counters */
function mostOf(figures, counters) {
  for (const counter of counters) {
    const found = figures.flatMap((one) => (one.counter === counter && one.bytes !== undefined && !one.estimate ? [one.bytes] : []));
    if (found.length > 0) return Math.max(...found);
  }
  return undefined;
}

/**
 * The row; source, address and device are left for its sender to fill in.
 * @param {Log} log @param {any} request that the figures were held against @param {object | undefined} config of its model @param {string} date
 * @returns {Record<string, unknown>}
 */
export function measuredCase({ tool, version, figures }, request, config, date) {
  const { model = {}, ...asked } = request;
  delete asked.explain; // how it was asked, and not what
  const measured = Object.entries(totals).flatMap(([name, counters]) => {
    const bytes = mostOf(figures, counters);
    return bytes === undefined ? [] : [[name, bytes]];
  });
  const printed = figures
    .filter(({ restated, estimate }) => !restated && !estimate)
    .map(({ counter, bytes, value, device }) => ({
      counter,
      ...(bytes === undefined ? { value } : { bytes }),
      ...(device !== undefined && numbered(device) !== undefined && { device }),
    }));
  return {
    id: '',
    source: '',
    url: '',
    device: '',
    date,
    versions: { [tool ?? 'unknown']: versionOf(version) },
    model: model.preset ?? '',
    task: asked.task,
    kind: 'measured',
    request: anonymous(asked),
    ...(config !== undefined && { config: anonymous(config) }),
    measured: Object.fromEntries(measured),
    phases: {},
    printed,
  };
}
