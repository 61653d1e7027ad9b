// What the model's weights take in each encoding: asked of the engine when a list of encodings opens.

import type { Engine } from '../../engine/engine.ts';
import { prepared, sweepInPortions } from './portions.ts';
import { weightsRequest } from '../../state/request.ts';
import type { State } from '../../state/state.ts';
import type { ReplyParameters } from '../../engine/wire.d.ts';

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
    await engine.becomeWhole(); // the first one leaves GGUF's mixes to it
    const own = await prepared(engine, state, asked.question);
    if ('error' in own) return new Map();
    asked.parameters = own.model?.parameters;
    const bytes = new Map([['', own.rows?.find(({ id }) => id === 'weights')?.bytes ?? 0]]);
    const { rows } = await sweepInPortions(engine, asked.question, 'weights.encoding', ids, () => this.known === asked);
    ids.forEach((id, at) => bytes.set(id, rows['weights']?.[at] ?? 0));
    return bytes;
  }
}
