// What a change costs its reader: a table with a source for each line, weighed by what they would rather keep. It ranks
// ways that the engine has answered, and nothing else hangs on it.

import type { Tables } from '../../engine/assets.ts';
import type { FieldId, Value } from '../../state/fields.ts';
import table from './pain.json';

export type Kind = 'quality' | 'speed' | 'asked' | 'money';

interface Source {
  title: string;
  url: string;
}

/** How a cost grows: by bits of an encoding, by halvings, by layers moved, by how many times as much, or not at all. */
interface Line {
  loses: string;
  by: string;
  pain?: number;
  /** Of an encoding: from so many bits on, so much is lost. */
  steps?: number[][];
  sources: Source[];
}

const lines = table.changes as Partial<Record<FieldId, Line>>;

/** What is given up, that which is kept longest first; a reader may order them anew. */
export const usualOrder = table.kinds as Kind[];

export const losesOf = (id: FieldId): Kind | undefined => lines[id]?.loses as Kind | undefined;

/** Who says so, each once. */
export const painSources = (): Source[] => {
  const all = Object.values(lines).flatMap(({ sources }) => sources);
  return all.filter(({ title }, at) => all.findIndex((one) => one.title === title) === at);
};

/** What decides how much a value is another than the one before. */
export interface Facts {
  tables: Tables | undefined;
  layers: number;
}

const bitsOf = ({ tables }: Facts, id: unknown): number => tables?.encodings.find((one) => one.id === id)?.bits ?? 16;

const memoryOf = ({ tables }: Facts, id: unknown): number => tables?.devices.find((one) => one.id === id)?.memory.value ?? 0;

const lostAt = ({ steps = [] }: Line, bits: number): number => (bits >= 16 ? 0 : (steps.find(([from]) => bits >= from!)?.[1] ?? 0));

const growths: Record<string, (line: Line, from: unknown, to: unknown, facts: Facts) => number> = {
  bits: (line, from, to, facts) => Math.max(0, lostAt(line, bitsOf(facts, to)) - lostAt(line, from === undefined ? 16 : bitsOf(facts, from))),
  halvings: (line, from, to) => line.pain! * Math.log2(Math.max(1, Number(from ?? 1) / Math.max(1, Number(to)))),
  times: (line, from, to) => line.pain! * Math.max(0, Number(to) / Number(from ?? 1) - 1),
  memory: (line, from, to, facts) => line.pain! * Math.max(0.2, memoryOf(facts, to) / Math.max(1, memoryOf(facts, from)) - 1),
  layers: (line, from, to, { layers }) => (line.pain! * Math.max(0, Number(to) - Number(from ?? 0))) / layers,
  layers_left: (line, from, to, { layers }) => (line.pain! * Math.max(0, Number(from ?? layers) - Number(to))) / layers,
  once: (line) => line.pain!,
};

/** How much a place in the order weighs: each next one half as much. */
const weightOf = (order: readonly Kind[], kind: Kind): number => 2 ** -Math.max(0, order.indexOf(kind));

/** What it costs to go from one value of a field to another. */
export function painOf(id: FieldId, from: unknown, to: Value | undefined, facts: Facts, order: readonly Kind[]): number {
  const line = lines[id];
  if (!line) return 0;
  return weightOf(order, line.loses as Kind) * growths[line.by]!(line, from, to, facts);
}
