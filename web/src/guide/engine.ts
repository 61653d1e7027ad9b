// guide/engine.js: the whole engine with its presets, for figures that are answered as they are read.

import { inlinedAssets } from '../engine/assets-inlined.ts';
import { useAssets } from '../engine/assets.ts';
import { Engine } from '../engine/engine.ts';
import type { Answer } from '../engine/reply.ts';
import { formulas } from './formulas.ts';
import type { Live } from './live.ts';

useAssets(inlinedAssets);

const engine = Engine.load(undefined, JSON.parse);

/** The models that a request names, wherever in it they are. */
function modelsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { model } = node as { model?: { preset?: string } };
  return [...(model?.preset ? [model.preset] : []), ...Object.values(node).flatMap(modelsIn)];
}

async function estimate(request: object): Promise<object> {
  const one = await engine;
  for (const id of modelsIn(request)) if (!one.holds(id)) await one.fetchModel(id);
  return one.estimate(JSON.stringify(request));
}

const explain = async (request: object, row: string): Promise<string[]> => formulas((await estimate({ ...request, explain: 'all' })) as Answer, row);

window.plimsollGuide = { estimate, explain } satisfies Live;
