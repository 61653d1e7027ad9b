// The pieces of the page that come when they are first asked for: the chart of memory with its library, and the
// commands that start a runtime.

import { notLoaded } from './reading.ts';
import type { Failure } from './reply.ts';

const loadPieces = (): Promise<unknown> => import('./pieces.ts');

export class Later {
  here = false;
  failure: Failure | undefined;
  private asked = false;

  constructor(private changed: () => void) {}

  /** Brings them in. Without a network they stay away, and the next opening tries again. */
  async bring(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    this.failure = undefined;
    await loadPieces().then(
      () => (this.here = true),
      () => {
        this.asked = false;
        this.failure = notLoaded;
      },
    );
    this.changed();
  }
}
