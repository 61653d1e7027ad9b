// What a view asks of the engine: each question once, when the hand rests, and anew where the view is shown again.

import { type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { notLoaded } from '../../state/arriving/reading.ts';
import { retryView } from '../retry.ts';

export class Question implements ReactiveController {
  /** The one that was put last; empty where none is under way. */
  text = '';
  /** Whether the last one failed, as without a network. */
  failed = false;
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

  /** Asks after `rest` milliseconds, if this is another question. What fails is tried again with the next change, or by hand. */
  put(text: string, rest: number, ask: (text: string) => Promise<void>): boolean {
    if (text === this.text) return false;
    this.text = text;
    this.failed = false;
    this.later(rest, () => ask(text));
    return true;
  }

  /** The same question once more. */
  again(): void {
    this.text = '';
    this.failed = false;
    this.host.requestUpdate();
  }

  /** That it failed, with a way to try again. */
  missedView(c: Calculator): TemplateResult | typeof nothing {
    return this.failed ? retryView(c, notLoaded, () => this.again()) : nothing;
  }

  /** Once more in a while, in place of what was to come. */
  later(rest: number, ask: () => Promise<void>): void {
    const { text } = this;
    const missed = (): void => {
      if (!this.wants(text)) return;
      this.failed = true;
      this.host.requestUpdate();
    };
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void ask().catch(missed), rest);
  }
}
