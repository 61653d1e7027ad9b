// The site's assets: fetched from beside the page, each when it is needed first.

import wasmUrl from 'plimsoll-engine-wasm?url';
import filesWasmUrl from 'plimsoll-files-wasm?url';
import { base } from 'virtual:plimsoll-presets';
import type { Assets } from './assets.ts';

const get = async (url: string): Promise<Response> => {
  const response = await fetch(new URL(url, document.baseURI));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
};

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

const allModels = once(() => json<Record<string, unknown>>('models-all.json'));
const examples = once(() => json<[]>('examples.json'));
let everything: Record<string, unknown> | undefined;

export const fetchedAssets: Assets = {
  wasm: once(() => get(wasmUrl).then((response) => response.arrayBuffer())),
  filesWasm: once(() => get(filesWasmUrl).then((response) => response.arrayBuffer())),
  tables: once(() => text('tables.json')),
  models: once(() => json('models.json')),
  examples,
  async model(id) {
    if (everything) return id in everything ? JSON.stringify(everything[id]) : undefined;
    const known = await this.models();
    return known.some((model) => model.id === id) ? text(`models/${id}.json`) : undefined;
  },
  async complete() {
    [everything] = await Promise.all([allModels(), examples()]);
  },
};
