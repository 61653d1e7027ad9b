// What else would fit: questions that the page asks by itself, one after another, with pauses in which it serves its user.

import type { Tables } from '../engine/assets.ts';
import type { Engine } from '../engine/engine.ts';
import { type Answer, headline } from '../engine/reply.ts';
import type { SolveAnswer, SolveReply } from '../engine/wire.d.ts';
import type { FieldId, Value } from '../state/fields.ts';
import { request } from '../state/request.ts';
import type { State } from '../state/state.ts';

/** One answer: the field that it is of, the value to take, and whether it is a way out of what does not fit. */
export interface Possible {
  id: FieldId;
  value: Value;
  /** Larger than what was asked for, or as large; else smaller. */
  more: boolean;
}

/** What is looked for, in the order in which it is told. */
const sought: Record<'inference' | 'training', readonly { id: FieldId; find: string }[]> = {
  inference: [
    { id: 'inference.context', find: 'inference.context' },
    { id: 'inference.sequences', find: 'inference.sequences' },
    { id: 'weights.encoding', find: 'weights.encoding' },
    { id: 'devices', find: 'devices' },
    { id: 'device.preset', find: 'device.preset' },
  ],
  training: [
    { id: 'training.micro_batch', find: 'training.micro_batch' },
    { id: 'training.sequence', find: 'training.sequence' },
    { id: 'device.preset', find: 'device.preset' },
  ],
};

/** The most devices that the page offers by itself. */
const mostDevices = 16;

/** What is offered where nothing else helps: more devices, or another. */
const isHardware = (id: FieldId): boolean => id === 'devices' || id === 'device.preset';

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

export const fits = ({ fit }: Answer): boolean => fit !== undefined && ['fits', 'tight'].includes(fit.verdict) && fit.free_bytes >= 0;

/** What a question says beside the request and the field: the most devices, or the devices of the same maker. */
function bounds(id: FieldId, state: State, tables: Tables | undefined): object {
  if (id === 'devices') return { limit: { devices: mostDevices } };
  const all = tables?.devices ?? [];
  const maker = all.find((device) => device.id === state.values['device.preset'])?.vendor;
  const alike = all.filter(({ vendor }) => vendor === maker);
  return id === 'device.preset' && alike.length > 0 ? { values: alike.map((device) => device.id) } : {};
}

/** The greatest encoding that fits: a better one where what is asked for fits, else one that takes less. */
function ofEncodings({ order = [] }: SolveAnswer, answer: Answer): string | undefined {
  const own = headline(answer).bytes;
  const wanted = order.filter((one) => one.fits && (fits(answer) ? one.bytes > own : one.bytes < own));
  return wanted.at(-1)?.value;
}

function possible(id: FieldId, reply: SolveReply, answer: Answer, own: unknown): Possible | undefined {
  if (!('value' in reply)) return undefined;
  const value = id === 'weights.encoding' ? ofEncodings(reply, answer) : reply.value;
  if (value === null || value === undefined || value === own) return undefined;
  return { id, value, more: isHardware(id) || fits(answer) };
}

/**
 * Asks what would fit, field by field; each answer is handed over as it comes.
 * @param own what holds of a field: the chosen value, or what the engine assumed
 * @param wanted whether the answers are still waited for
 */
export async function findPossible(
  engine: Engine,
  tables: Tables | undefined,
  state: State,
  answer: Answer,
  own: (id: FieldId) => unknown,
  wanted: () => boolean,
): Promise<Possible[]> {
  const found: Possible[] = [];
  if (!answer.fit) return found;
  const text = request(state, 'none');
  for (const { id, find } of sought[state.task]) {
    if (isHardware(id) && (fits(answer) || state.device === 'list')) continue;
    await pause();
    if (!wanted()) return found;
    const question = `{"request":${text},${JSON.stringify({ find, ...bounds(id, state, tables) }).slice(1)}`;
    let reply = engine.solve(question) as SolveReply;
    if ('error' in reply && engine.mayKnowMore(reply)) {
      await engine.becomeWhole();
      reply = engine.solve(question) as SolveReply;
    }
    const one = possible(id, reply, answer, own(id));
    if (one) found.push(one);
  }
  return found;
}
