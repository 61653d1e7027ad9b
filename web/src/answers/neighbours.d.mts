import type { Failure } from '../engine/reply.ts';
import type { Difference, LayoutChange, MeasureOfNeighbours, Plan, PlanLayout, PlanReply, Reply, Request } from '../engine/wire.d.ts';

export type Neighbour = { changes: readonly LayoutChange[] } & (
  | { kind: 'ahead' | 'behind'; layout: PlanLayout; worse: readonly Difference[]; better: readonly Difference[] }
  | { kind: 'unfit'; verdict?: string; process: number; over: number }
  | { kind: 'refused'; error: Failure }
);

export interface Asked {
  plan(question: Plan): PlanReply | Promise<PlanReply>;
  estimate(request: Request): Reply | Promise<Reply>;
}

export const kindOf: (measure: MeasureOfNeighbours) => 'time' | 'share' | 'bytes' | 'count';
export function neighboursOf(question: Plan, layout: PlanLayout): { changes: readonly LayoutChange[]; question: Plan }[];
export function whyNot(question: Plan, layout: PlanLayout, ask: Asked): Promise<Neighbour[]>;
export function withNeighbours(question: Plan, reply: PlanReply, ask: Asked): Promise<PlanReply>;
