// The engine that tells times: the whole one, with what devices do in a second and what runtimes reach of it.

import { assets } from '../../engine/assets.ts';
import type { Engine } from '../../engine/engine.ts';
import { prepared } from './portions.ts';
import type { Answer, Explain } from '../../engine/reply.ts';
import { request } from '../../state/request.ts';
import type { State } from '../../state/state.ts';

const ready = new WeakMap<Engine, Promise<void>>();

/** Once for each engine; a failure is forgotten, so that a later try may succeed. */
export function timed(engine: Engine): Promise<void> {
  const before = ready.get(engine);
  if (before) return before;
  const made = Promise.all([engine.becomeWhole(), assets().rates()]).then(([, rates]) => engine.extend(rates));
  ready.set(engine, made);
  made.catch(() => ready.delete(engine));
  return made;
}

/** A request that asks for times as well. */
export const timedRequest = (state: State, explain: Explain): string => request(state, explain, undefined, { time: true });

/** The answer with its times; undefined where the engine refuses the request, which is said elsewhere. */
export async function answerWithTime(engine: Engine, state: State, explain: Explain): Promise<Answer | undefined> {
  await timed(engine);
  if (explain === 'all') await engine.learnSources().catch(() => undefined); // without a network nobody is named
  const reply = await prepared(engine, state, timedRequest(state, explain));
  return 'error' in reply ? undefined : reply;
}
