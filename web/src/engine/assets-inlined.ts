// Assets carried inside one file: no request is ever made.

import logsFactory, { type LogsDoor } from 'plimsoll-logs';
import factory, { type WholeDoor } from 'plimsoll-whole';
import { bands, examples, index, launches, logsWasm, machines, models, rates, tables, trainers, wasm } from 'virtual:plimsoll-inlined';
import { unpacked, unpackedText } from './data.ts';
import type { Assets, Machines, ModelEntry } from './assets.ts';
import type { Example, LaunchText, TrainerPreset } from './wire.d.ts';

let made: Promise<WholeDoor> | undefined;
let reading: Promise<LogsDoor> | undefined;
let parsed: Promise<Record<string, unknown>> | undefined;

const read = async (text: string): Promise<unknown> => JSON.parse(await unpackedText(text)) as unknown;

async function whole(): Promise<WholeDoor> {
  const [wasmBinary, allBands] = await Promise.all([unpacked(wasm), unpackedText(bands)]);
  const door = await factory({ wasmBinary });
  door.provide(allBands);
  return door;
}

export const inlinedAssets: Assets = {
  first: undefined,
  whole: () => (made ??= whole()),
  wholeParts: () => Promise.all([unpacked(wasm), unpackedText(bands)]),
  logs: () => (reading ??= unpacked(logsWasm).then((wasmBinary) => logsFactory({ wasmBinary }))),
  tables: () => unpackedText(tables),
  sources: undefined,
  rates: () => unpackedText(rates),
  models: async () => (await read(index)) as ModelEntry[],
  examples: async () => (await read(examples)) as Example[],
  launches: async () => (await read(launches)) as Record<string, LaunchText[]>,
  machines: async () => (await read(machines)) as Machines,
  trainers: async () => (await read(trainers)) as TrainerPreset[],
  async model(id) {
    const all = await (parsed ??= read(models) as Promise<Record<string, unknown>>);
    return Object.hasOwn(all, id) ? JSON.stringify(all[id]) : undefined;
  },
  complete: async () => undefined,
};
