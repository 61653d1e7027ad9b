import type { Failure } from '../engine/reply.ts';
import type { MeasureOfNeighbours, Plan, PlanLayout, PlanReply, Reply } from '../engine/wire.d.ts';

export interface Change {
  /** Such as `parallel.tensor`. */
  field: string;
  from: string | number | undefined;
  to: string | number;
}

export interface Difference {
  measure: MeasureOfNeighbours;
  from: number;
  to: number;
  worse: boolean;
}

export type Neighbour = { changes: readonly Change[] } & (
  | { kind: 'ahead' | 'behind'; layout: PlanLayout; worse: readonly Difference[]; better: readonly Difference[] }
  | { kind: 'unfit'; verdict?: string; process: number; over: number }
  | { kind: 'refused'; error: Failure }
);

export interface Asked {
  plan(text: string): PlanReply | Promise<PlanReply>;
  estimate(text: string): Reply | Promise<Reply>;
}

export const kindOfMeasure: Readonly<Record<MeasureOfNeighbours, 'time' | 'share' | 'bytes' | 'count'>>;
export function neighboursOf(question: Plan, layout: PlanLayout): { changes: readonly Change[]; question: Plan }[];
export function whyNot(question: Plan, layout: PlanLayout, ask: Asked): Promise<Neighbour[]>;
export function withNeighbours(question: Plan, reply: PlanReply, ask: Asked): Promise<PlanReply>;
