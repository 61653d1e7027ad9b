// A worker with an engine of its own: it is handed what the engine is made of, and then questions, one after the other.

import make from 'plimsoll-whole';

/** What an engine is made of: its WebAssembly, and presets as texts. */
export interface Kit {
  wasm: ArrayBuffer | Uint8Array;
  presets: readonly string[];
}

let engine: ReturnType<typeof make> | undefined;

async function made({ wasm, presets }: Kit): ReturnType<typeof make> {
  const door = await make({ wasmBinary: wasm });
  for (const each of presets) door.provide(each);
  return door;
}

addEventListener('message', ({ data }: MessageEvent<Kit | string>) => {
  if (typeof data !== 'string') {
    engine = made(data);
    return;
  }
  void engine!.then((door) => postMessage(door.plan(data)));
});
