// What is out of sight follows when the hand rests: a slider on its way moves what its reader sees, and lays out nothing else.

import type { LitElement } from 'lit';
import type { Asking } from '../answers/asking/asking.ts';

/** Milliseconds without a change after which what is out of sight follows. */
const rest = 100;

export class OutOfSight {
  /** Set while what is out of sight has yet to follow. */
  follows: ReturnType<typeof setTimeout> | undefined;
  /** The answer that all of the page shows. */
  private shown: object | undefined;

  /** @param place of what may be out of sight, in the host's shadow tree */
  constructor(
    private host: LitElement & { asking: Asking },
    private place: string,
  ) {}

  /**
   * Whether what stands at the place keeps what it shows. Asked before the page changes, while its layout still holds.
   * @param may whether it may: an answer that is stale is grey at once
   */
  holds(may: boolean): boolean {
    const { answer, idle } = this.host.asking;
    clearTimeout(this.follows);
    const held = may && this.shown && (answer !== this.shown || !idle) && this.isBelow();
    this.follows = held ? setTimeout(() => this.follow(), rest) : undefined;
    if (!held) this.shown = may ? answer : undefined;
    return !!held;
  }

  /** The next update draws all of the page. */
  private follow(): void {
    this.shown = this.follows = undefined;
    this.host.requestUpdate();
  }

  private isBelow(): boolean {
    return this.host.renderRoot.querySelector(this.place)!.getBoundingClientRect().top > innerHeight;
  }
}
