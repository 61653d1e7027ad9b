// What the engine's `inspect` replies, as far as the page shows it.

import type { Note, ReplyError, Request } from '../engine/wire.d.ts';

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

export interface Inspection {
  kind: string;
  files?: { name: string; kind: string }[];
  architecture?: string;
  parameters?: { total: number; active: number; by_part?: Record<string, number> };
  /** Of all tensors; `files` as an index lists them. */
  checkpoint?: Tensors & { files?: number };
  types?: (Tensors & { type: string })[];
  parts?: (Tensors & { part: string; purpose: string })[];
  /** Without a layer: what lies outside the layers. */
  per_layer?: (Tensors & { part: string; layer?: number })[];
  differences?: Difference[];
  adapter?: { kind: string; rank: number; alpha: number; targets: string[]; modules_to_save: string[]; use_dora: boolean; base_model?: string };
  notes?: Note[];
  /** What the files say, to be laid over a request. */
  request?: Partial<Request>;
}

export type InspectReply = Inspection | { error: ReplyError };
