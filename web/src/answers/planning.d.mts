import type { PlanLayout, PlanReply, Plan } from '../engine/wire.d.ts';
export const degreeNames: Readonly<Record<'data' | 'tensor' | 'pipeline' | 'context' | 'expert', string>>;
export function partsOf(question: Plan, of: number): Plan[];
export function joined(replies: readonly PlanReply[], keep?: number): PlanReply;
export function degreesText(layout: PlanLayout): string;
export function shardingText(layout: PlanLayout): string;
export function furtherText(layout: PlanLayout): string;
