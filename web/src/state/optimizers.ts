// What the chosen optimizer has settings for, and which optimizers a method of training has.

import type { Tables } from '../engine/assets.ts';
import type { State } from './state.ts';

type Optimizer = Tables['optimizers'][number];

/** GaLore projects gradients: it has those optimizers alone that do. */
export const optimizersFor = (tables: Tables | undefined, { values }: State): Optimizer[] =>
  (tables?.optimizers ?? []).filter(({ rank }) => rank !== undefined || values['training.method'] !== 'galore');

/** The ways in which it walks the parameters in a step. */
export const waysOf = (optimizer: Optimizer | undefined): string[] =>
  Object.entries(optimizer?.step ?? {}).flatMap(([way, tensors]) => (Array.isArray(tensors) ? way : []));

/** A state without what belonged to the optimizer or the method chosen before. */
export function withoutOtherOptimizers(tables: Tables | undefined, state: State): State {
  const values = { ...state.values };
  delete values['training.optimizer_step'];
  delete values['training.galore.rank'];
  const chosen = values['training.optimizer'];
  if (chosen !== undefined && !optimizersFor(tables, state).some(({ id }) => id === chosen)) delete values['training.optimizer'];
  return { ...state, values };
}
