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
  /** Where the place was last seen to be, by the browser's own count: to measure would lay the page out. */
  private below = false;
  private readonly watching = new IntersectionObserver((seen) => {
    const { isIntersecting, boundingClientRect } = seen.at(-1)!;
    this.below = !isIntersecting && boundingClientRect.top > 0;
  });

  /** What may be out of sight, each time that it is made. */
  readonly place = (element: Element | undefined): void => {
    this.watching.disconnect();
    this.below = false;
    if (element) this.watching.observe(element);
  };

  constructor(private host: LitElement & { asking: Asking }) {}

  /**
   * Whether what stands at the place keeps what it shows. Asked before the page changes.
   * @param may whether it may: an answer that is stale is grey at once
   */
  holds(may: boolean): boolean {
    const { answer, idle } = this.host.asking;
    clearTimeout(this.follows);
    const held = may && this.shown && (answer !== this.shown || !idle) && this.below;
    this.follows = held ? setTimeout(() => this.follow(), rest) : undefined;
    if (!held) this.shown = may ? answer : undefined;
    return !!held;
  }

  /** The next update draws all of the page. */
  private follow(): void {
    this.shown = this.follows = undefined;
    this.host.requestUpdate();
  }
}
