// Times the WebAssembly engine under this Node.

import { load } from '../../web/src/node/engine.mjs';

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

function timed(ask) {
  const start = performance.now();
  const reply = JSON.parse(ask());
  if (reply.error) throw new Error(`${reply.error.where}: ${reply.error.what}`);
  const once = performance.now() - start;
  // Enough runs for a steady median, but no more than about a second of them.
  const runs = Math.max(5, Math.min(1000, Math.round(1000 / Math.max(once, 0.1))));
  const times = Array.from({ length: runs }, () => {
    const begin = performance.now();
    ask();
    return performance.now() - begin;
  });
  return median(times);
}

export async function inWasm(questions) {
  const engine = await load();
  return questions.map(({ command, text }) => timed(() => engine.ask(command, text)));
}
