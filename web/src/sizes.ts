// What the model's weights take in each encoding: asked of the engine when a list of encodings opens.

import type { Engine } from './engine.ts';
import { weightsRequest } from './request.ts';
import type { State } from './state.ts';
import type { ReplyParameters, SweepReply } from './wire.d.ts';

/** Encodings in one question. A model has its hundred in some milliseconds; between portions the page serves its user. */
const portion = 8;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** The answers to one question; a new model gets a new one, so that whoever holds one may compare it. */
export interface Known {
  question: string;
  /** Bytes by encoding; the model as published under ''. */
  bytes: Map<string, number>;
  parameters: ReplyParameters | undefined;
  complete: boolean;
}

export class Sizes {
  known: Known | undefined;

  constructor(private changed: () => void) {}

  get loading(): boolean {
    return this.known?.complete === false;
  }

  /** Asks for what is not known of this model; a model that the engine refuses has no sizes. */
  async ask(loaded: Promise<Engine>, state: State, ids: readonly string[]): Promise<void> {
    const question = weightsRequest(state);
    if (this.known?.question === question) return;
    const asked: Known = { question, bytes: new Map(), parameters: undefined, complete: false };
    this.known = asked;
    this.changed();
    const bytes = await this.answers(await loaded, asked, state, ids).catch(() => new Map<string, number>());
    if (this.known !== asked) return;
    this.known = { ...asked, bytes, complete: true };
    if (bytes.size === 0) this.known.question = ''; // the next opening tries again
    this.changed();
  }

  private async answers(engine: Engine, asked: Known, state: State, ids: readonly string[]): Promise<Map<string, number>> {
    const preset = state.model === 'preset' ? state.values['model.preset'] : undefined;
    if (typeof preset === 'string' && !engine.holds(preset)) await engine.fetchModel(preset);
    await engine.becomeWhole();
    const own = engine.estimate(asked.question);
    if ('error' in own) return new Map();
    asked.parameters = own.model?.parameters;
    const bytes = new Map([['', own.rows?.find(({ id }) => id === 'weights')?.bytes ?? 0]]);
    for (let from = 0; from < ids.length; from += portion) {
      await pause();
      if (this.known !== asked) break;
      const some = ids.slice(from, from + portion);
      const over = JSON.stringify([{ field: 'weights.encoding', values: some }]);
      const reply = engine.sweep(`{"request":${asked.question},"over":${over}}`) as SweepReply;
      if ('error' in reply) break;
      some.forEach((id, at) => bytes.set(id, reply.rows['weights']?.[at] ?? 0));
    }
    return bytes;
  }
}
