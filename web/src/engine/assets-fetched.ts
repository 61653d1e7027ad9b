// The site's assets: fetched from beside the page, each when it is needed first.

import factory from 'plimsoll-engine';
import wasmUrl from 'plimsoll-engine-wasm?url';
import logsWasmUrl from 'plimsoll-logs-wasm?url';
import wholeWasmUrl from 'plimsoll-whole-wasm?url';
import { base, ids } from 'virtual:plimsoll-presets';
import type { Assets, Machines, ModelEntry } from './assets.ts';
import { entryOf } from './entry.ts';
import type { LaunchText, ModelPreset, TrainerPreset } from './wire.d.ts';

const get = async (url: string): Promise<Response> => {
  const response = await fetch(new URL(url, document.baseURI));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
};

const bytes = (url: string): Promise<ArrayBuffer> => get(url).then((response) => response.arrayBuffer());
const text = (name: string): Promise<string> => get(base + name).then((response) => response.text());
const json = <T>(name: string): Promise<T> => get(base + name).then((response) => response.json() as Promise<T>);

/** Asks once and remembers the promise; a failure is forgotten, so that a later try may succeed. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= load().catch((error: unknown) => {
      promise = undefined;
      throw error;
    });
    return promise;
  };
}

const allModels = once(() => text('models-all.json'));
const list = once(() => json<ModelEntry[]>('models.json'));
const examples = once(() => json<[]>('examples.json'));
const launches = once(() => json<Record<string, LaunchText[]>>('launches.json'));
const bands = once(() => text('bands.json'));
const wholeParts = () => Promise.all([bytes(wholeWasmUrl), bands()]);
const machines = once(() => json<Machines>('machines.json'));
const trainers = once(() => json<TrainerPreset[]>('trainers.json'));
/** All models, read once somebody wants one: that takes a slow device a while. */
let everything: (() => Record<string, ModelPreset>) | undefined;

/** The engine and the form ask for the same model at the same time. */
const one = new Map(ids.map((id) => [id, once(() => text(`models/${id}.json`))]));

export const fetchedAssets: Assets = {
  first: async () => factory({ wasmBinary: await bytes(wasmUrl) }),
  whole: once(async () => {
    const [{ default: make }, [wasmBinary, itsBands]] = await Promise.all([import('plimsoll-whole'), wholeParts()]);
    const door = await make({ wasmBinary });
    door.provide(itsBands);
    return door;
  }),
  wholeParts,
  logs: once(async () => {
    const [{ default: make }, wasmBinary] = await Promise.all([import('plimsoll-logs'), bytes(logsWasmUrl)]);
    return make({ wasmBinary });
  }),
  tables: once(() => text('tables.json')),
  sources: once(() => text('sources.json')),
  rates: once(() => text('rates.json')),
  models: async () => (everything ? Object.values(everything()).map(entryOf) : list()),
  examples,
  launches,
  machines,
  trainers,
  async model(id) {
    const all = everything?.();
    return all && Object.hasOwn(all, id) ? JSON.stringify(all[id]) : one.get(id)?.();
  },
  async complete() {
    const kept = await allModels(); // all bands come with the whole engine
    let read: Record<string, ModelPreset> | undefined;
    everything = () => (read ??= JSON.parse(kept) as Record<string, ModelPreset>);
  },
};
