// dist/plimsoll.js: `import { load } from 'plimsoll'` in a browser. Engine and presets come with the first call of `load`, from
// plimsoll-data.js beside it.

import logsFactory from 'plimsoll-logs';
import factory from 'plimsoll-whole';
import type { Plimsoll } from '../library/index.d.ts';
import { storeOf, unpacked, unpackedText } from '../engine/data.ts';
import { Engine } from '../library/engine.mjs';
import { libraryOf, reconcilerOf } from '../library/library.mjs';

/** The value, or undefined where text is no JSON: that is the engine's to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export async function load(): Promise<Plimsoll> {
  const { engines, presets, schemas } = await import('./library-data.ts');
  const read = async ([kind, text]: [string, string]): Promise<[string, { id: string }[]]> => [
    kind,
    JSON.parse(await unpackedText(text)) as { id: string }[],
  ];
  const store = storeOf(Object.fromEntries(await Promise.all(Object.entries(presets).map(read))));
  const engine = new Engine(await factory({ wasmBinary: await unpacked(engines['plimsoll-whole']!) }), store, parsed);
  return libraryOf(engine, store, async () => {
    const door = await logsFactory({ wasmBinary: await unpacked(engines['plimsoll-logs']!) });
    const schema = (JSON.parse(await unpackedText(schemas)) as Record<string, { $defs: object }>)['reconcile_reply.json']!;
    const reader = (text: string): unknown => JSON.parse(door.reconcile(text));
    return reconcilerOf(store, schema, reader, (request) => engine.estimate(request) as unknown);
  });
}
