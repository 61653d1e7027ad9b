// Shared by the charts: which part has which colour, and how far the axis reaches.

import type { Answer, Row } from '../engine/reply.ts';
import { headline } from '../engine/reply.ts';

/** Colour of a row, as a class that styles/charts.ts defines in both themes. */
const colours: Record<string, string> = {
  weights: 'c1',
  master_weights: 'c2',
  adapters: 'c3',
  gradients: 'c4',
  kv_cache: 'c4',
  state: 'c3',
  optimizer: 'c5',
  activations: 'c6',
  logits: 'c7',
  reference: 'c3',
  teacher: 'c3',
  rollout: 'c11',
  reward: 'c12',
  critic: 'c13',
  communication: 'c2',
  workspace: 'c8',
  slack: 'c9',
  device_context: 'c10',
};

export const colourOf = (id: string): string => colours[id] ?? 'c8';

/** The axis holds both the load and the line that it must not pass. */
export const axis = (answer: Answer): number => Math.max(headline(answer).high ?? headline(answer).bytes, answer.fit?.usable_bytes ?? 0) * 1.04 || 1;

export const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(3)}%`;

export interface Segment {
  id: string;
  from: number;
  bytes: number;
}

/** Parts end to end, in the order of the rows. */
export function stack(rows: readonly Pick<Row, 'id' | 'bytes'>[]): Segment[] {
  let at = 0;
  return rows
    .filter(({ bytes }) => bytes > 0)
    .map(({ id, bytes }) => {
      const segment = { id, from: at, bytes };
      at += bytes;
      return segment;
    });
}
