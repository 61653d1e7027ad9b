// What else would fit: questions that the page asks by itself, one after another, with pauses in which it serves its user.

import type { Tables } from '../engine/assets.ts';
import type { Engine } from '../engine/engine.ts';
import type { Answer } from '../engine/reply.ts';
import type { SolveReply } from '../engine/wire.d.ts';
import type { FieldId, Value } from '../state/fields.ts';
import { request } from '../state/request.ts';
import type { State } from '../state/state.ts';
import { fieldsSought, fits, isHardware, offered, questionAbout } from './sought.mjs';

export { fits };

/** One answer: the field that it is of, the value to take, and whether it is a way out of what does not fit. */
export interface Possible {
  id: FieldId;
  value: Value;
  /** Larger than what was asked for, or as large; else smaller. */
  more: boolean;
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

function possible(id: FieldId, reply: SolveReply, answer: Answer, own: unknown): Possible | undefined {
  const value = offered(id, reply, answer, own);
  return value === undefined ? undefined : { id, value, more: isHardware(id) || fits(answer) };
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
  for (const id of fieldsSought[state.task]) {
    if (isHardware(id) && (fits(answer) || state.device === 'list')) continue;
    await pause();
    if (!wanted()) return found;
    const question = `{"request":${text},${JSON.stringify(questionAbout(id, state.values['device.preset'], tables?.devices ?? [])).slice(1)}`;
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
