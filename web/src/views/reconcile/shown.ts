// What the box knows, as its parts show it.

import type { Calculator } from '../../app/calculator.ts';
import type { ReconcileReply, StatedField } from '../../engine/wire.d.ts';
import type { Held, Offer, Open } from '../../reconcile/holding.ts';
import type { State } from '../../state/state.ts';

export interface Shown {
  c: Calculator;
  log: ReconcileReply;
  /** The settings that its reader takes. */
  taken: readonly StatedField[];
  /** The form with these laid over it. */
  state: State;
  /** Whether it is known which model ran: the text says so, or its reader. */
  sure: boolean;
  /** Presets that might be the model, the likeliest first. */
  models: readonly string[];
  held: Held | undefined;
  offers: ReadonlyMap<Open, Offer>;
}
