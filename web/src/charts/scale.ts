// Shared by the charts: which part has which colour, and how far the axis reaches.

import { colours, outside } from 'virtual:plimsoll-rows';
import type { Answer, Row } from '../engine/reply.ts';
import { headline } from '../engine/reply.ts';

/** Colour of a row, as a class that styles/charts.ts defines in both themes; rows without one of their own share the eighth. */
export const colourOf = (id: string): string => `c${colours[id] ?? 8}`;

/** Whether the allocator counts a row: all but its own slack and what only the driver sees. */
export const isAllocated = (id: string): boolean => !outside.includes(id);

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
