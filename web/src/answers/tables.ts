// The tables of what fits: which request each asks, of what its places are, and what taking one sets.

import type { ModelEntry, Tables } from '../engine/assets.ts';
import type { Answer, Reply } from '../engine/reply.ts';
import { sizeOf } from '../languages/format.ts';
import type { Value } from '../state/fields.ts';
import { request } from '../state/request.ts';
import { withoutOthers } from '../state/runtimes.ts';
import type { State } from '../state/state.ts';
import type { Spot } from './filling.ts';
import { fits } from './possible.ts';
import { atContext, deviceFor, encodingOf, modelOn, type Row } from './fits.mjs';

export type Kind = 'encodings' | 'models' | 'devices';

/** Contexts in a table at most. */
const mostContexts = 12;

/** The contexts of a table: powers of two up to the model's limit, and the chosen one. */
export function contextsUpTo(limit: number, chosen: number | undefined): number[] {
  const all = new Set(chosen === undefined ? [limit] : [limit, chosen]);
  for (let context = 1024; context < limit; context *= 2) all.add(context);
  const sorted = [...all].filter((one) => one <= limit).sort((a, b) => a - b);
  return sorted.slice(-mostContexts);
}

/** The state that a table asks about: under another runtime, where one is chosen, and on one kind of device. */
export function stateFor(kind: Kind, state: State, tables: Tables | undefined, runtime: string): State {
  const values = runtime && state.task === 'inference' ? { ...state.values, 'inference.runtime': runtime } : state.values;
  const own: State = { ...state, values, ...(kind === 'devices' && { device: 'preset' as const }) };
  return runtime ? withoutOthers(tables, own) : own;
}

export const askedOf = (state: State): object => JSON.parse(request(state, 'none')) as object;

export const modelSpots = (asked: object, models: readonly ModelEntry[]): Spot<Row | undefined>[] =>
  models.map((model) => ({ key: model.id, cell: () => modelOn(asked, model), model: model.id }));

export const deviceSpots = (asked: object, devices: Tables['devices']): Spot<Row | undefined>[] =>
  devices.map((device) => ({ key: device.id, cell: () => deviceFor(asked, device) }));

/** Devices of one maker, the smallest first. */
export function byMemory(tables: Tables | undefined, maker: string | undefined): string[] {
  const alike = (tables?.devices ?? []).filter(({ vendor }) => vendor === maker);
  return alike.toSorted((a, b) => sizeOf(a.memory) - sizeOf(b.memory)).map(({ id }) => id);
}

/** Whether an answer says that it fits, on a device that its runtime runs on. */
export const holds = (reply: Reply): reply is Answer =>
  !('error' in reply) && fits(reply) && !(reply.notes ?? []).some(({ code }) => code === 'runtime_elsewhere');

export const placeOf = (encoding: string, context: number): string => `${encoding} ${context}`;

export const encodingSpots = (asked: object, encodings: readonly string[], contexts: readonly number[]): Spot<Row | undefined>[] =>
  encodings.flatMap((encoding) =>
    contexts.map((context) => ({ key: placeOf(encoding, context), cell: () => encodingOf(atContext(asked, context), encoding, encoding) })),
  );

/** The state with what a row says laid over it. */
export function taken(state: State, kind: Kind, id: string, row: Row): State {
  const values: Partial<Record<string, Value>> = { ...state.values };
  if (row.encoding !== undefined) values['weights.encoding'] = row.encoding;
  if (kind === 'devices') values['device.preset'] = id;
  if (kind === 'encodings') values['inference.context'] = row.context!;
  if (kind !== 'models') return { ...state, values };
  values['model.preset'] = id;
  return { ...state, model: 'preset', values };
}
