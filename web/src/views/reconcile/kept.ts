// What a box knows of its text, and keeps while its fold is closed.

import type { Calculator } from '../../app/calculator.ts';
import type { ReconcileReply, StatedField } from '../../engine/wire.d.ts';

export class Kept {
  log: ReconcileReply | undefined;
  /** Fields that its reader does not take. */
  left: ReadonlySet<string> = new Set();
  /** Presets of the shape that the text states, once they are asked about. */
  models: readonly string[] | undefined;
  /** Of a file that is read portion by portion, how much is read. */
  share: number | undefined;
  /** Whether its reader said that the form's model ran. */
  confirmed = false;

  constructor(readonly text = '') {}

  get taken(): readonly StatedField[] {
    return (this.log?.fields ?? []).filter(({ field }) => !this.left.has(field));
  }

  /** Whether it is known which model ran. */
  get sure(): boolean {
    return this.confirmed || this.taken.some(({ field }) => field.startsWith('model.'));
  }

  /** Takes a field, or leaves it. */
  toggle(field: string): void {
    const left = new Set(this.left);
    if (!left.delete(field)) left.add(field);
    this.left = left;
  }
}

const all = new WeakMap<Calculator, Kept>();

export const keptOf = (c: Calculator): Kept => all.get(c) ?? keep(c, new Kept());

/** Keeps a text in place of the one before. */
export function keep(c: Calculator, kept: Kept): Kept {
  all.set(c, kept);
  return kept;
}
