// The pieces of the page that come when they are first asked for: the chart of memory with its library and the commands
// that start a runtime; the form of training and what is told of it; a list of unequal devices; the user's own machine; how weights are
// stored; what dropped files hold.

import type { Later, Pieces } from './calculator.ts';
import { notLoaded } from '../state/arriving/reading.ts';
import type { Failure } from '../engine/reply.ts';

type Name = keyof Pieces;

const loaders: { [N in Name]-?: () => Promise<NonNullable<Pieces[N]>> } = {
  pieces: () => import('./pieces.ts'),
  training: () => import('./training.ts'),
  possible: () => import('../views/answer/possible.ts'),
  recent: () => import('../views/choosing/recent.ts'),
  fits: () => import('../views/choosing/fits.ts'),
  layouts: () => import('../views/layouts/layouts.ts'),
  ways: () => import('../views/choosing/ways.ts'),
  reconcile: () => import('../views/reconcile/box.ts'),
  time: () => import('../views/time/time.ts'),
  comparison: () => import('../views/choosing/comparison.ts'),
  encodings: () => import('../views/finding/encodings.ts'),
  devices: () => import('../views/form/device-list.ts'),
  own: () => import('../views/form/own-device.ts'),
  why: () => import('../views/answer/why.ts'),
  storage: () => import('../views/form/storage-body.ts'),
  inspection: () => import('../views/answer/inspection.ts'),
};

export class LaterPieces implements Later {
  readonly got: Pieces = {};
  private asked = new Set<Name>();
  private missing = new Set<Name>();

  constructor(private changed: () => void) {}

  async bring(name: Name): Promise<void> {
    if (this.asked.has(name)) return;
    this.asked.add(name);
    await loaders[name]().then(
      (piece) => {
        Object.assign(this.got, { [name]: piece });
        this.missing.delete(name);
      },
      () => {
        this.asked.delete(name);
        this.missing.add(name);
      },
    );
    this.changed();
  }

  want(name: Name): void {
    if (!this.missing.has(name)) void this.bring(name);
  }

  misses(name: Name): boolean {
    return this.missing.has(name);
  }

  get failure(): Failure | undefined {
    return this.missing.size > 0 ? notLoaded : undefined;
  }

  again(): void {
    for (const name of this.missing) void this.bring(name);
  }
}
