// @ts-check
// Roofs over arithmetic intensity: a slope that bandwidth makes, and a level line that the rate makes.

/** @typedef {{bandwidth: number, rate: number | undefined}} Roof without a rate, the slope alone */

/** How high a roof is at an intensity. @param {Roof} roof @param {number} intensity */
export const roofAt = ({ bandwidth, rate = Infinity }, intensity) => Math.min(bandwidth * intensity, rate);

/** From and to which intensities: all points, and where the slope meets the level. @param {{points: readonly {intensity: number}[], peak: Roof}} roofline @returns {[number, number]} */
export function reach({ points, peak }) {
  const ridge = peak.rate === undefined ? [] : [peak.rate / peak.bandwidth];
  const all = [...points.map(({ intensity }) => intensity), ...ridge];
  return [Math.min(...all) / 3, Math.max(...all) * 5];
}
