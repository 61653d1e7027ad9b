// The package's own types, for Node and for the browser. What crosses is typed by the wire.

import type {
  DevicePreset,
  EncodingPreset,
  MachinePreset,
  ModelPreset,
  OptimizerPreset,
  OthersPreset,
  RuntimePreset,
  TrainerPreset,
} from '../engine/wire.js';
import type { InspectReply } from './inspection.js';
import type { Plan, PlanReply, ReconcileReply, Reply, Request, Solve, SolveReply, Sweep, SweepReply } from '../engine/wire.js';

export type { Plan, PlanReply, ReconcileReply, Reply, Request, Solve, SolveReply, Sweep, SweepReply } from '../engine/wire.js';
export type { Inspection, InspectReply } from './inspection.js';

/** What `list` tells of each kind: fields of the presets, with their values. */
export interface Listed {
  models: Pick<ModelPreset, 'id' | 'name' | 'parameters' | 'active_parameters' | 'context' | 'released' | 'family' | 'organization'>;
  devices: Pick<DevicePreset, 'id' | 'name' | 'memory' | 'bandwidth' | 'year'>;
  machines: Pick<MachinePreset, 'id' | 'name' | 'device' | 'count' | 'link' | 'year'>;
  encodings: Pick<EncodingPreset, 'id' | 'name' | 'bits' | 'uses' | 'family'>;
  optimizers: Pick<OptimizerPreset, 'id' | 'name' | 'states'>;
  others: Pick<OthersPreset, 'id' | 'name' | 'bytes' | 'description'>;
  runtimes: Pick<RuntimePreset, 'id' | 'name' | 'versions'>;
  trainers: Pick<TrainerPreset, 'id' | 'name' | 'versions'>;
}

/** A file, wherever it lies: bytes are asked for from `from` up to but without `to`. */
export interface Source {
  name: string;
  size: number;
  read(from: number, to: number): Promise<Uint8Array>;
}

/** A browser's or Node's File is one; so is what behaves like it. */
export interface FileLike {
  name: string;
  size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export type ModelFile = Source | FileLike | { name: string; text: string };

export interface InspectOptions {
  progress?: (progress: { file: string; files: number; done: number; read: number; wanted: number }) => void;
  /** An AbortSignal. */
  signal?: { throwIfAborted(): void };
}

export interface Plimsoll {
  /** The engine's version, as in a reply's `engine`. */
  readonly version: string;
  /** Answers one request; an error is a reply too. */
  estimate(request: Request): Promise<Reply>;
  /** One request over many values of its fields. */
  sweep(question: Sweep): Promise<SweepReply>;
  /** Which value of a field fits: the last that does, the first that does not, and what stands in its way. */
  solve(question: Solve): Promise<SolveReply>;
  /**
   * Every way to spread a model over a cluster: the best layouts, those that none beats, and how many there are. `neighbours`: with why the
   * layouts one step from the best are no better, some twenty searches more.
   */
  plan(question: Plan, options?: { neighbours?: boolean }): Promise<PlanReply>;
  /** What a model's files hold: config.json, *.safetensors, an index, *.gguf, adapter_config.json. Headers alone are read. */
  inspect(files: readonly ModelFile[], options?: InspectOptions): Promise<InspectReply>;
  /**
   * What a tool printed about memory, beside what is answered for the request that it states; `request` is laid over that. Under Node,
   * bytes may be a snapshot of PyTorch's allocator, a pickle or JSON; a damaged one, and a pickle that would run something, rejects.
   */
  reconcile(text: string | Uint8Array, request?: Partial<Request>): Promise<ReconcileReply>;
  /** What is built in of a kind: all, or what has each of `words` in its id or name. Throws a TypeError where there is no such kind. */
  list<Kind extends keyof Listed>(kind: Kind, words?: string): Promise<Listed[Kind][]>;
}

/** Loads the engine into this process or page. Nothing that is asked leaves it. */
export function load(): Promise<Plimsoll>;
