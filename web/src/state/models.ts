// The models that the form offers: the chosen one at once, the whole list when it is first opened.

import { assets, type ModelEntry } from '../engine/assets.ts';
import { entryOf } from '../engine/entry.ts';
import type { ModelPreset } from '../engine/wire.d.ts';

export class Models {
  /** All of them once they are listed, until then the chosen one. */
  entries: readonly ModelEntry[] = [];
  listed = false;
  /** Whether the list did not come. */
  failed = false;
  private wanted: string | undefined;

  constructor(private changed: () => void) {}

  find(id: unknown): ModelEntry | undefined {
    return this.entries.find((model) => model.id === id);
  }

  /** Brings in one model's own entry: it has a name before the list is here. */
  async choose(id: unknown): Promise<void> {
    if (this.listed || typeof id !== 'string' || id === this.wanted) return;
    this.wanted = id;
    const text = await assets()
      .model(id)
      .catch(() => undefined); // The engine's own asking for it says what is wrong.
    if (this.listed || this.wanted !== id) return;
    if (text === undefined) this.wanted = undefined;
    this.entries = text === undefined ? [] : [entryOf(JSON.parse(text) as ModelPreset)];
    this.changed();
  }

  /** Brings in the list. Without a network it stays away, which is said, and the next opening tries again. */
  async list(): Promise<void> {
    if (this.listed) return;
    const entries = await assets()
      .models()
      .catch(() => undefined);
    this.failed = !entries;
    if (entries) {
      this.entries = entries;
      this.listed = true;
    }
    this.changed();
  }
}
