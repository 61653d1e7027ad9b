// Assets carried inside one file: no request is ever made.

import logsFactory, { type LogsDoor } from 'plimsoll-logs';
import factory, { type WholeDoor } from 'plimsoll-whole';
import { bands, examples, launches, logsWasm, machines, models, rates, tables, trainers, wasm } from 'virtual:plimsoll-inlined';
import { unpacked, unpackedText } from './data.ts';
import { entryOf } from './entry.ts';
import type { Assets, Machines } from './assets.ts';
import type { Example, LaunchText, ModelPreset, TrainerPreset } from './wire.d.ts';

let made: Promise<WholeDoor> | undefined;
let reading: Promise<LogsDoor> | undefined;
let parsed: Promise<Record<string, ModelPreset>> | undefined;

const read = async (text: string): Promise<unknown> => JSON.parse(await unpackedText(text)) as unknown;

const presets = (): Promise<Record<string, ModelPreset>> => (parsed ??= read(models) as Promise<Record<string, ModelPreset>>);

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
  models: async () => Object.values(await presets()).map(entryOf),
  examples: async () => (await read(examples)) as Example[],
  launches: async () => (await read(launches)) as Record<string, LaunchText[]>,
  machines: async () => (await read(machines)) as Machines,
  trainers: async () => (await read(trainers)) as TrainerPreset[],
  async model(id) {
    const all = await presets();
    return Object.hasOwn(all, id) ? JSON.stringify(all[id]) : undefined;
  },
  complete: async () => undefined,
};
