// What was before: each change of the state can be taken back and made again. Changes of one field that follow each
// other closely are one change, as a slider on its way or a number that is being typed.

import type { Texts } from '../languages/i18n.ts';
import type { FieldId } from './fields.ts';
import type { State } from './state.ts';

/** Changes that are remembered. */
const most = 200;

/** Milliseconds within which a further change of the same field belongs to the one before. */
const together = 1000;

type Part = FieldId | 'task' | 'model' | 'device';

/** What two states do not have in common. */
export function changedParts(before: State, after: State): Part[] {
  const parts = (['task', 'model', 'device'] as const).filter((part) => before[part] !== after[part]);
  const ids = new Set([...Object.keys(before.values), ...Object.keys(after.values)]) as Set<FieldId>;
  return [...parts, ...[...ids].filter((id) => before.values[id] !== after.values[id])];
}

export class History {
  private past: State[] = [];
  private future: State[] = [];
  private current: State | undefined;
  private last: { parts: string; at: number } | undefined;
  /** Counts changes, those that were taken back or made again among them: what belongs to the one before is none. */
  changes = 0;

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /**
   * Takes note of the state that holds now.
   * @param at milliseconds of any clock that goes forwards
   */
  record(state: State, at: number): void {
    const before = this.current;
    if (!before || state === before) return void (this.current = state);
    const parts = changedParts(before, state);
    this.current = state;
    if (parts.length === 0) return;
    const name = parts.join();
    const continued = parts.length === 1 && this.last?.parts === name && at - this.last.at < together;
    if (!continued) {
      this.past = [...this.past.slice(1 - most), before];
      this.changes++;
    }
    this.future = [];
    this.last = { parts: name, at };
  }

  /** What comes next is a change of its own. */
  part(): void {
    this.last = undefined;
  }

  /** The state before the last change, which holds from now on. */
  undo(): State | undefined {
    return this.move(this.past, this.future);
  }

  /** The state that was taken back last. */
  redo(): State | undefined {
    return this.move(this.future, this.past);
  }

  private move(from: State[], to: State[]): State | undefined {
    const state = from.pop();
    if (!state || !this.current) return undefined;
    to.push(this.current);
    this.changes++;
    this.current = state;
    this.last = undefined;
    return state;
  }
}

/** What a key asks for: Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, or with Command. */
function wayOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): Way | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' && !shiftKey ? 'redo' : undefined;
}

/** Whether what has the focus takes back its own letters: longer texts, and a search that is being typed. */
function undoesItself(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement) || !['text', 'password', 'search'].includes(target.type)) return false;
  return target.getAttribute('aria-expanded') === 'true' || !target.closest('[data-field]');
}

type Way = 'undo' | 'redo';

export interface Traveller {
  state: State;
  mistakes: ReadonlyMap<FieldId, string>;
  /** Said to a screen reader. */
  announced: string;
  readonly texts: Texts;
}

/** The history of one calculator, and the keys that ask for it. */
export class Travelling {
  private history = new History();

  constructor(private host: Traveller) {}

  record(state: State, at: number): void {
    this.history.record(state, at);
  }

  part(): void {
    this.history.part();
  }

  get changes(): number {
    return this.history.changes;
  }

  can(way: Way): boolean {
    return way === 'undo' ? this.history.canUndo || this.host.mistakes.size > 0 : this.history.canRedo;
  }

  /** Goes back, or forth again. Text that is no number is the first thing to take back. */
  go(way: Way): boolean {
    const { host } = this;
    const state = way === 'undo' && host.mistakes.size > 0 ? { ...host.state } : this.history[way]();
    if (!state) return false;
    host.mistakes = new Map();
    host.state = state;
    host.announced = host.texts.t(`tools.${way}.done`);
    return true;
  }

  /** Ctrl+Z and its kin, wherever in the page; what takes back its own letters is left to itself. */
  keyed(event: KeyboardEvent): void {
    const way = wayOf(event);
    if (!way || event.defaultPrevented || undoesItself(event.composedPath()[0])) return;
    if (this.go(way)) event.preventDefault();
  }
}
