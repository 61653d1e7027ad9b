// One engine for all tags of a page, carried inside the script.

import { inlinedAssets } from '../../engine/assets-inlined.ts';
import { useAssets } from '../../engine/assets.ts';
import { Engine } from '../../engine/engine.ts';
import type { Answer } from '../../engine/reply.ts';
import { formulas } from '../formulas.ts';
import { request } from '../../state/request.ts';
import type { Answers } from '../answers.ts';
import { stateOf } from './attributes.ts';

useAssets(inlinedAssets);

let loading: Promise<Engine> | undefined;

/** The engine, loaded when it is first asked. */
export const engine = (): Promise<Engine> => (loading ??= Engine.load());

/** The models that a request names, wherever in it they are. */
function modelsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { model } = node as { model?: { preset?: string } };
  return [...(model?.preset ? [model.preset] : []), ...Object.values(node).flatMap(modelsIn)];
}

async function estimate(asked: object): Promise<object> {
  const one = await engine();
  for (const id of modelsIn(asked)) if (!one.holds(id)) await one.fetchModel(id);
  return one.estimate(JSON.stringify(asked));
}

export const answers: Answers = {
  estimate,
  explain: async (asked, row) => formulas((await estimate({ ...asked, explain: 'all' })) as Answer, row),
  requestOf: (attributes) => JSON.parse(request(stateOf(attributes).state, 'rows')) as object,
};
