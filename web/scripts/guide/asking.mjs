// @ts-check
// The engine, asked for each request of the guide once.

import { load as loadEngine } from '../../src/node/engine.mjs';

/** Each request is answered once, however many figures are read off it. @param {(request: any) => any} estimate */
export function once(estimate) {
  /** @type {Map<string, any>} */
  const replies = new Map();
  return (/** @type {any} */ request) => {
    const key = JSON.stringify(request);
    if (!replies.has(key)) replies.set(key, estimate(request));
    return replies.get(key);
  };
}

export async function load() {
  const engine = await loadEngine();
  return once((request) => engine.estimate(request));
}
