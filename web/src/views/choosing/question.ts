// What a view asks of the engine: each question once, when the hand rests, and anew where the view is shown again.

import type { LitElement, ReactiveController } from 'lit';

export class Question implements ReactiveController {
  /** The one that was put last; empty where none is under way. */
  text = '';
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private readonly host: LitElement;

  constructor(host: LitElement) {
    this.host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    clearTimeout(this.waiting);
    this.text = ''; // what was under way has stopped
  }

  /** Whether somebody still waits for its answer. */
  wants(text: string): boolean {
    return this.text === text && this.host.isConnected;
  }

  /** Asks after `rest` milliseconds, if this is another question. What fails, as without a network, the next change tries again. */
  put(text: string, rest: number, ask: (text: string) => Promise<void>): boolean {
    if (text === this.text) return false;
    this.text = text;
    this.later(rest, () => ask(text).catch(() => void (this.text = '')));
    return true;
  }

  /** Once more in a while, in place of what was to come. */
  later(rest: number, ask: () => Promise<void>): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void ask(), rest);
  }
}
