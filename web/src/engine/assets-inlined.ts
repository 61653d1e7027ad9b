// Assets carried inside one file: no request is ever made.

import logsFactory, { type LogsDoor } from 'plimsoll-logs';
import factory, { type WholeDoor } from 'plimsoll-whole';
import { bands, examples, index, launches, logsWasm, machines, models, rates, tables, trainers, wasm } from 'virtual:plimsoll-inlined';
import type { Assets, Machines, ModelEntry } from './assets.ts';
import type { Example, LaunchText, TrainerPreset } from './wire.d.ts';

const bytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

let made: Promise<WholeDoor> | undefined;
let reading: Promise<LogsDoor> | undefined;
let parsed: Record<string, unknown> | undefined;

export const inlinedAssets: Assets = {
  first: undefined,
  whole: () =>
    (made ??= factory({ wasmBinary: bytes(wasm) }).then((door) => {
      door.provide(bands);
      return door;
    })),
  wholeParts: async () => [bytes(wasm), bands],
  logs: () => (reading ??= logsFactory({ wasmBinary: bytes(logsWasm) })),
  tables: async () => tables,
  sources: undefined,
  rates: async () => rates,
  models: async () => JSON.parse(index) as ModelEntry[],
  examples: async () => JSON.parse(examples) as Example[],
  launches: async () => JSON.parse(launches) as Record<string, LaunchText[]>,
  machines: async () => JSON.parse(machines) as Machines,
  trainers: async () => JSON.parse(trainers) as TrainerPreset[],
  async model(id) {
    parsed ??= JSON.parse(models) as Record<string, unknown>;
    return Object.hasOwn(parsed, id) ? JSON.stringify(parsed[id]) : undefined;
  },
  complete: async () => undefined,
};
