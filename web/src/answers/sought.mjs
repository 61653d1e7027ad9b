// @ts-check
// What is looked for beside what was asked: the same on the page and under the command line's table.

/** @typedef {{find: string, values?: string[], limit?: {devices: number}}} Sought a question of `solve`, without its request */

/** The fields, in the order in which they are told. */
export const fieldsSought = /** @type {const} */ ({
  inference: ['inference.context', 'inference.sequences', 'weights.encoding', 'devices', 'device.preset'],
  training: ['training.micro_batch', 'training.sequence', 'device.preset'],
});

/** The most devices that are offered without being asked for. */
const mostDevices = 16;

/** What is offered where nothing else helps: more devices, or another. @param {string} field */
export const isHardware = (field) => field === 'devices' || field === 'device.preset';

/** @param {{fit?: {verdict: string, free_bytes: number} | undefined}} answer */
export const fits = ({ fit }) => fit !== undefined && ['fits', 'tight'].includes(fit.verdict) && fit.free_bytes >= 0;

/**
 * The question about a field: devices are looked for among those of the same maker; a slice of one is no way out.
 * @param {string} field @param {unknown} device the id of the request's own
 * @param {readonly {id: string, vendor?: string, slice?: object | undefined}[]} devices
 * @returns {Sought}
 */
export function questionAbout(field, device, devices) {
  if (field === 'devices') return { find: field, limit: { devices: mostDevices } };
  const maker = devices.find(({ id }) => id === device)?.vendor;
  const alike = devices.filter(({ vendor, slice }) => vendor === maker && !slice).map(({ id }) => id);
  return field === 'device.preset' && alike.length > 0 ? { find: field, values: alike } : { find: field };
}

/** The greatest encoding that fits: a better one where what is asked for fits, else one that takes less. @param {any[]} order @param {any} answer */
function ofEncodings(order, answer) {
  const own = (answer.total.process ?? answer.total).bytes;
  return order.filter((one) => one.fits && (fits(answer) ? one.bytes > own : one.bytes < own)).at(-1)?.value;
}

/**
 * The value that a search offers, undefined where it offers nothing new.
 * @param {string} field @param {any} reply of `solve` @param {any} answer of what was asked @param {unknown} own what holds of the field: chosen, or assumed
 * @returns {string | number | undefined}
 */
export function offered(field, reply, answer, own) {
  if (reply.error) return undefined;
  const value = field === 'weights.encoding' ? ofEncodings(reply.order ?? [], answer) : reply.value;
  return value === null || value === own ? undefined : value;
}
