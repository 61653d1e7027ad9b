// What presets are called on the Hugging Face hub: each is asked for once.

import { assets } from '../../engine/assets.ts';
import { counts, type State } from '../state.ts';

export class HubNames {
  private names = new Map<string, string | undefined>();

  constructor(private changed: () => void) {}

  /** The name of a chosen preset; undefined while it is on its way, and where there is none. */
  of(state: State, id: 'model.preset' | 'inference.draft.model.preset'): string | undefined {
    const preset = state.values[id];
    if (typeof preset !== 'string' || !counts(state, id)) return undefined;
    if (!this.names.has(preset)) void this.ask(preset);
    return this.names.get(preset);
  }

  private async ask(preset: string): Promise<void> {
    this.names.set(preset, undefined);
    const text = await assets()
      .model(preset)
      .catch(() => undefined);
    if (text === undefined) return void this.names.delete(preset);
    this.names.set(preset, (JSON.parse(text) as { hugging_face_id?: string }).hugging_face_id);
    this.changed();
  }
}
