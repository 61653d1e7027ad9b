// What the page needs besides its own code. The site fetches these piece by piece; the single file and the
// embedded element carry them inside (assets-fetched.ts, assets-inlined.ts).

import type { Door } from 'plimsoll-engine';
import type { LogsDoor } from 'plimsoll-logs';
import type { WholeDoor } from 'plimsoll-whole';
import type { DevicePreset, EncodingPreset, Example, LaunchText, OptimizerPreset, RuntimePreset, TrainerPreset } from './wire.d.ts';

export interface ModelEntry {
  id: string;
  name: string;
  family: string;
  organization: string;
  /** The repository on the Hugging Face hub that it was made from. */
  hub?: string;
  /** Year and month. */
  released?: string;
  context?: number;
  parameters: number;
  /** Parameters that one token visits, where it does not visit all. */
  active?: number;
  /** The rounded count that people call it by. */
  nominal: number;
  /** Shape of the model under the names that a hand-typed model uses. */
  shape: Record<string, number>;
}

/** The tables as the build has cut them: without what nobody reads here (plugins/presets.ts). */
export interface Tables {
  devices: Pick<DevicePreset, 'id' | 'name' | 'vendor' | 'memory' | 'slice' | 'year'>[];
  encodings: EncodingPreset[];
  optimizers: Pick<OptimizerPreset, 'id' | 'name' | 'rank' | 'step'>[];
  runtimes: Runtime[];
}

/** What people have beside a device, as the build has cut it. */
export interface Machines {
  machines: { id: string; name: string; device: string; count: number }[];
  others: { id: string; bytes: { value: number; unit: string } }[];
}

export type Runtime = Pick<RuntimePreset, 'id' | 'name' | 'weights' | 'cache' | 'options'>;

export interface Assets {
  /** The engine that a visitor waits for, where the whole one would be much to wait for. */
  first: (() => Promise<Door>) | undefined;
  /** The whole engine: every family of models, and the readers of files; it has all bands already. */
  whole(): Promise<WholeDoor>;
  /** What the whole engine is made of elsewhere, as in a worker: its WebAssembly, and all bands. */
  wholeParts(): Promise<readonly [ArrayBuffer | Uint8Array, string]>;
  /** What reads the texts that tools print, and no engine. */
  logs(): Promise<LogsDoor>;
  /** The tables as text: the engine takes them as they are. */
  tables(): Promise<string>;
  /** Who says so, of the tables, by kind and id: an explanation names it. Where the tables have it within, there is none. */
  sources: (() => Promise<string>) | undefined;
  /** What devices do in a second and what runtimes reach of it, as text: the whole engine tells times with it. */
  rates(): Promise<string>;
  /** The list of models, as the build has ordered it. */
  models(): Promise<ModelEntry[]>;
  /** One model preset as text, or undefined where there is none of that id. */
  model(id: string): Promise<string | undefined>;
  examples(): Promise<Example[]>;
  /** How runtimes are started, by their ids. */
  launches(): Promise<Record<string, LaunchText[]>>;
  /** Whole machines, and what other programs usually hold. */
  machines(): Promise<Machines>;
  /** How trainers are told what was estimated. */
  trainers(): Promise<TrainerPreset[]>;
  /** Brings in what was not needed yet, so that nothing is missing when the network is gone. */
  complete(): Promise<void>;
}

let current: Assets | undefined;

export const useAssets = (assets: Assets): void => {
  current = assets;
};

export const assets = (): Assets => {
  if (!current) throw new Error('no assets were chosen');
  return current;
};
