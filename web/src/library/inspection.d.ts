// What `inspect` replies.

import type { Note, ReplyError, Request } from '../engine/wire.js';

/** Sums over tensors; without types (an index alone) there are neither parameters nor bytes. */
export interface Tensors {
  count: number;
  parameters: number;
  bytes: number;
}

export interface Difference {
  /** `layer 3`, `layers 0-31`, `outside the layers` … */
  where: string;
  /** Parameters as the config has them, and as the files do. */
  config: number;
  file: number;
  why?: string;
}

/** Layers that are the same, with every weight of one. */
export interface Layers {
  name: string;
  /** Repetitions. */
  count: number;
  weights: { name: string; part: string; shape: number[]; copies: number; parameters: number }[];
}

export interface Adapter {
  kind: string;
  rank: number;
  alpha: number;
  /** Of OFT: inputs that are turned together. */
  block_size?: number;
  dropout?: number;
  targets: string[];
  targets_are_pattern?: boolean;
  modules_to_save: string[];
  use_dora: boolean;
  use_rslora?: boolean;
  bias?: string;
  base_model?: string;
}

export interface Gguf {
  version: number;
  big_endian: boolean;
  architecture: string;
  name?: string;
  type?: string;
  size_label?: string;
  file_type?: number;
  [split: string]: string | number | boolean | undefined;
}

export interface Inspection {
  schema?: 1;
  /** config, gguf, …; `files` where several were given. */
  kind: string;
  name?: string;
  files?: { name: string; kind: string }[];
  architecture?: string;
  parameters?: { total: number; active: number; mtp?: number; by_part?: Record<string, number> };
  /** The head is the embedding again. */
  tied_head?: boolean;
  layers?: Layers[];
  gguf?: Gguf;
  /** Of all tensors; `files` as an index lists them. */
  checkpoint?: Tensors & { files?: number };
  types?: (Tensors & { type: string })[];
  parts?: (Tensors & { part: string; purpose: string })[];
  /** Without a layer: what lies outside the layers. */
  per_layer?: (Tensors & { part: string; layer?: number })[];
  differences?: Difference[];
  adapter?: Adapter;
  notes?: Note[];
  assumptions?: { field: string; value: unknown; why: string }[];
  /** What the files say, to be laid over a request. */
  request?: Partial<Request>;
}

export type InspectReply = Inspection | { schema?: 1; error: ReplyError };
