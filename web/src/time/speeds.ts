// Speed over many values of one field: an estimate for each, in portions that leave the page to its user.

import type { Engine } from '../engine/engine.ts';
import { timed, timedRequest } from '../answers/asking/timed.ts';
import { presetsOf } from '../state/request.ts';
import type { FieldId } from '../state/fields.ts';
import type { State } from '../state/state.ts';
import { type SpeedAt, speedIn } from './speeding.mjs';

/** Milliseconds after which the page has its turn. */
const portion = 8;

/** @param wanted whether the answer is still waited for */
export async function speedsOver(engine: Engine, state: State, field: FieldId, values: readonly number[], wanted: () => boolean): Promise<SpeedAt[]> {
  await timed(engine);
  for (const preset of presetsOf(state)) if (!engine.holds(preset)) await engine.fetchModel(preset);
  const points: SpeedAt[] = [];
  let began = -Infinity;
  for (const value of values) {
    if (performance.now() - began > portion) {
      await new Promise((done) => setTimeout(done));
      began = performance.now();
    }
    if (!wanted()) break;
    const point = speedIn(value, engine.estimate(timedRequest({ ...state, values: { ...state.values, [field]: value } }, 'none')));
    if (point) points.push(point);
  }
  return points;
}
