// A figure whose source does not name its counter: it may count what tensors take, all that the driver sees, or what lies between.

/**
 * @param {{bytes: number, low: number, process: {bytes: number, high: number}}} total of a reply
 * @param {number} truth @returns {{bytes: number, low: number, high: number}} what of our range is nearest to it, and how far the range may be off
 */
export function betweenCounters({ bytes, low, process }, truth) {
  return { bytes: Math.min(Math.max(truth, bytes), process.bytes), low, high: process.high };
}
