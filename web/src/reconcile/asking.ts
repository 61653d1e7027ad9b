// What a tool printed, held against the estimate, in a browser: the module that reads comes with the first text.

import { $defs } from '../../../presets/schema/reconcile_reply.json';
import type { Assets } from '../engine/assets.ts';
import type { ReconcileReply, Request } from '../engine/wire.d.ts';
import { againstOf } from './comparing.mjs';
import { reconcile } from './reconciling.mjs';

/** Asks the engine; the caller has handed it the model. */
export type Estimate = (request: Request) => Promise<unknown>;

export async function reconciled(text: string, from: Assets, estimate: Estimate, given?: object): Promise<ReconcileReply> {
  const [door, models, tables] = await Promise.all([from.logs(), from.models(), from.tables()]);
  const encodings = (JSON.parse(tables) as { encodings: { id: string }[] }).encodings.map(({ id }) => id);
  const catalog = { models: models.map(({ id, name, shape }) => ({ id, name, config: shape })), encodings };
  const read = (pasted: string): unknown => JSON.parse(door.reconcile(pasted));
  return (await reconcile(
    text,
    { read, estimate: (request) => estimate(request as Request), catalog, against: againstOf({ $defs }) },
    given,
  )) as ReconcileReply;
}
