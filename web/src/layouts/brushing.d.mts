import type { PlanAnswer, PlanLayout } from '../engine/wire.d.ts';
export type Measure = 'overhead' | 'between' | 'devices' | 'sequences';
export interface Point {
  key: string;
  layout: PlanLayout;
  front: boolean;
}
export interface Brush {
  bytes?: number;
  cost?: number;
}
export const measures: Readonly<Record<Measure, (layout: PlanLayout) => number>>;
export function pointsOf(reply: Pick<PlanAnswer, 'layouts' | 'front'>): Point[];
export function within(layout: PlanLayout, measure: Measure, brush: Brush): boolean;
export function spanOf(values: readonly number[]): { low: number; high: number };
