// Configurations side by side: each is asked of the engine with its reasons, and what was asked once is remembered.

import type { Engine } from '../engine/engine.ts';
import { prepared } from './asking/portions.ts';
import { timed, timedRequest } from './asking/timed.ts';
import type { Answer, Failure, Reply } from '../engine/reply.ts';
import { request } from '../state/request.ts';
import type { State } from '../state/state.ts';
import { type Compared, compared } from './comparing.mjs';

/** One configuration with the engine's answer, or its refusal. */
export interface Asked {
  state: State;
  answer?: Answer;
  error?: Failure;
}

export interface SideBySide {
  all: readonly Asked[];
  /** Of those that have an answer, in their order; undefined where fewer than two have. */
  compared: Compared | undefined;
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

const asAsked = (state: State, reply: Reply): Asked => ('error' in reply ? { state, error: reply.error } : { state, answer: reply });

export class Comparing {
  /** Replies by their questions, of the last comparison alone. */
  private known = new Map<string, Reply>();

  /**
   * @param wanted whether the comparison is still waited for
   * @param withTime whether times are asked for as well
   */
  async ask(engine: Engine, states: readonly State[], wanted: () => boolean, withTime = false): Promise<SideBySide | undefined> {
    const asked = (state: State): string => (withTime ? timedRequest(state, 'all') : request(state, 'all'));
    if (withTime) await timed(engine);
    const known = new Map<string, Reply>();
    for (const state of states) {
      const question = asked(state);
      const before = this.known.get(question);
      if (!before) await pause();
      if (!wanted()) return undefined;
      known.set(question, before ?? (await prepared(engine, state, question)));
    }
    this.known = known;
    const all = states.map((state) => asAsked(state, known.get(asked(state))!));
    const answered = all.filter(({ answer }) => answer);
    const requests = answered.map(({ state }) => JSON.parse(request(state, 'all')) as object);
    return {
      all,
      compared:
        answered.length > 1
          ? compared(
              requests,
              answered.map(({ answer }) => answer!),
            )
          : undefined,
    };
  }
}
