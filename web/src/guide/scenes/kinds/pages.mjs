// @ts-check
// A server's cache in pages: sequences take some as they grow, and wait when none is left.

/** @typedef {import('../scene.mjs').Scene} Scene */

const turns = 4;

/** Sequences come one after another, and each grows to the length that was asked for in a few turns. @param {Scene} _ @param {any[]} replies */
export function pages(_, [{ capacity, symbols, request }]) {
  const each = symbols.page_tokens.value;
  const all = Math.floor(capacity.kv_tokens / each);
  const length = request.inference.context;
  const needed = Math.ceil(length / each);
  const most = Math.floor(all / needed) + 1;
  const colours = ['kv_cache', 'optimizer', 'activations', 'logits', 'weights', 'adapters', 'rollout', 'reward', 'critic', 'master_weights'];
  const frames = [];
  const held = Array.from({ length: most }, () => 0);
  for (let sequence = 0; sequence < most; sequence += 1)
    for (let turn = 1; turn <= turns; turn += 1) {
      const wanted = Math.ceil((length * turn) / turns / each);
      const others = held.reduce((sum, count, at) => sum + (at === sequence ? 0 : count), 0);
      const waits = others + wanted > all;
      if (!waits) held[sequence] = wanted;
      const taken = held.reduce((sum, count) => sum + count, 0);
      const parts = held.map((count, at) => ({ row: colours[at % colours.length] ?? 'kv_cache', amount: count }));
      frames.push({
        say: {
          key: waits ? 'scene.pages.waits' : 'scene.pages.held',
          values: { sequence: { count: sequence + 1 }, taken: { count: taken }, free: { count: all - taken }, each: { count: each } },
        },
        lanes: [{ id: 'pages', stacks: [[...parts, { row: 'free', amount: all - taken }]], tokens: taken * each }],
      });
      if (waits) return frames;
    }
  return frames;
}
