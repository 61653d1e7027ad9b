// @ts-check
// What tokens cost, from a price that somebody types and a speed that the engine told; and what they take of energy at most.

/** @typedef {import('../engine/wire.d.ts').ReplyTime} ReplyTime */

const secondsOfAnHour = 3600;
const million = 1e6;

/**
 * Tokens for one unit of currency, and what a million of them cost. `limit`: tokens are at most and the price is at least, since only
 * a limit of the speed is known.
 * @param {ReplyTime} time @param {number} hour the price of an hour
 * @returns {{tokens: number, low?: number, high?: number, price: number, limit: boolean} | undefined}
 */
export function priced({ tokens_per_second: told, roof }, hour) {
  const bought = (/** @type {number} */ rate) => (rate * secondsOfAnHour) / hour;
  const cost = (/** @type {number} */ rate) => (hour * million) / (rate * secondsOfAnHour);
  if (told) return { tokens: bought(told.value), low: bought(told.low), high: bought(told.high), price: cost(told.value), limit: false };
  const most = roof?.tokens_per_second;
  return most === undefined ? undefined : { tokens: bought(most), price: cost(most), limit: true };
}

/**
 * Kilowatt-hours of a million tokens at most: the slowest that is foretold, with the board at its full power. A limit of the speed
 * bounds no energy.
 * @param {ReplyTime} time @param {number} watts
 * @returns {number | undefined}
 */
export function energyAtMost({ tokens_per_second: told }, watts) {
  return told && told.low > 0 ? ((watts / 1000) * (million / told.low)) / secondsOfAnHour : undefined;
}
