// @ts-check
// Layers with a window beside layers without: as tokens come, the window slides, and what lies behind it is let go.

/** @typedef {import('../scene.mjs').Scene} Scene */

/** Each request has a longer context than the one before it. @param {Scene} _ @param {any[]} replies */
export function window(_, replies) {
  return replies.map((reply) => {
    const tokens = reply.request.inference.context;
    const kept = Math.min(tokens, reply.symbols.sliding_window.value);
    const bytes = reply.rows.find((/** @type {any} */ { id }) => id === 'kv_cache').bytes;
    const lane = (/** @type {string} */ id, /** @type {number} */ of) => ({
      id,
      stacks: [
        [
          { row: 'free', amount: tokens - of },
          { row: 'kv_cache', amount: of },
        ],
      ],
      tokens: of,
    });
    const values = { tokens: { count: tokens }, kept: { count: kept }, layers: { count: reply.symbols.sliding_layers.value }, bytes: { bytes } };
    return { say: { key: 'scene.window', values }, lanes: [lane('windowed', kept), lane('full', tokens)] };
  });
}
