// Which encodings fit: asked of the engine when the list of them opens, one after another, with pauses for the page.

import { encodingOf } from '../../answers/fits.mjs';
import { filled, Turns } from '../../answers/filling.ts';
import type { Engine } from '../../engine/engine.ts';
import { presetsOf, request } from '../../state/request.ts';
import type { State } from '../../state/state.ts';

/** The question about every encoding: the state without the one that is chosen. */
function questionOf(state: State): string {
  const values = { ...state.values };
  delete values['weights.encoding'];
  return request({ ...state, values }, 'none');
}

export class Verdicts {
  private question = '';
  /** By encoding; a new one for each portion, so that whoever holds one may compare it. */
  known: ReadonlyMap<string, string> = new Map();

  constructor(private changed: () => void) {}

  /** Asks for each encoding in turn. What was known of another question is forgotten at once. */
  async ask(loaded: Promise<Engine>, state: State, ids: readonly string[]): Promise<void> {
    const question = questionOf(state);
    if (this.question === question) return;
    this.question = question;
    this.known = new Map();
    try {
      await this.fill(await loaded, question, state, ids);
    } catch {
      if (this.question === question) this.question = ''; // without a network a model stays away: the next opening tries again
    }
  }

  private async fill(engine: Engine, question: string, state: State, ids: readonly string[]): Promise<void> {
    const asked = JSON.parse(question) as object;
    const turns = new Turns();
    const found = new Map<string, string>();
    await engine.becomeWhole();
    for (const preset of presetsOf(state)) if (!engine.holds(preset)) await engine.fetchModel(preset);
    for (const id of ids) {
      if (this.question !== question) return;
      const row = await filled(engine, encodingOf(asked, id, id), turns);
      if (row) found.set(id, row.verdict);
    }
    if (this.question !== question) return;
    this.known = found;
    this.changed();
  }
}
