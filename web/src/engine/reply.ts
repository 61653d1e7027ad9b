// What the page reads of the engine's replies: the types made from presets/schema/, under the names used here.

import type { Answer, ReplyError, TimelinePhase } from './wire.d.ts';

export type { Answer, Note, Reply, Row, Token } from './wire.d.ts';
export type Failure = ReplyError;
export type Phase = TimelinePhase;
export type Explain = 'none' | 'rows' | 'all';

export interface Range {
  bytes: number;
  low?: number;
  high?: number;
}

/** What the rows sum to: the process as the driver sees it, where the engine tells it. */
export const headline = (answer: Answer): Range => answer.total.process ?? answer.total.reserved ?? answer.total;

/** What one place holds: what its rows sum to, where it has rows. */
export const bytesOf = ({ rows, bytes }: { rows?: readonly Range[]; bytes: number }): number =>
  rows?.reduce((sum, row) => sum + row.bytes, 0) ?? bytes;
