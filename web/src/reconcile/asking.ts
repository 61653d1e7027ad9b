// What a tool printed, held against the estimate, in a browser: the module that reads comes with the first text.

import { against as pairs } from 'virtual:plimsoll-counters';
import type { Assets } from '../engine/assets.ts';
import type { ReconcileReply, Request } from '../engine/wire.d.ts';
import { parsedShown } from '../files/shown.mjs';
import { readOnly } from './reconciling.mjs';
import { taken } from './snapshot/taking.mjs';

/** Asks the engine; the caller has handed it the model. */
export type Estimate = (request: Request) => Promise<unknown>;

/** What each counter is held against. */
export const against: Map<string, string> = new Map(pairs);

/** What a text says by itself, with what cannot be seen written out. */
export async function readLog(text: string, from: Assets): Promise<ReconcileReply> {
  const [door, models, tables] = await Promise.all([from.logs(), from.models(), from.tables()]);
  const encodings = (JSON.parse(tables) as { encodings: { id: string }[] }).encodings.map(({ id }) => id);
  const catalog = { models: models.map(({ id, name, shape }) => ({ id, name, config: shape })), encodings };
  return readOnly(taken(text), { read: (pasted: string): unknown => parsedShown(door.reconcile(pasted)), catalog }) as ReconcileReply;
}
