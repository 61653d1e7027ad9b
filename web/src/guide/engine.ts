// guide/engine.js: the whole engine with its presets, for figures that are answered as they are read.

import { inlinedAssets } from '../engine/assets-inlined.ts';
import { useAssets } from '../engine/assets.ts';
import { Engine } from '../engine/engine.ts';
import type { Answer, Row } from '../engine/reply.ts';
import { numeric, symbolic } from '../node/output/formula.mjs';
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

/** The rows that an expression names; of a place in the reply that is no row there is none. */
function rowsIn(answer: Answer, expression: string): { name: string; row: Row }[] {
  const paths = expression.split(/ [-+/] /).map((path) => path.split('@')[0]!);
  return paths.flatMap((name) => {
    let rows: readonly Row[] | undefined = answer.rows;
    let row: Row | undefined;
    for (const id of name.split('/')) [row, rows] = [rows?.find((one) => one.id === id), rows?.find((one) => one.id === id)?.rows];
    return row ? [{ name, row }] : [];
  });
}

async function explain(request: object, expression: string): Promise<string[]> {
  const answer = (await estimate({ ...request, explain: 'all' })) as Answer;
  return rowsIn(answer, expression).flatMap(({ name, row }) => {
    const { formula } = row;
    if (!formula) return [name];
    return [...new Set([name, `= ${symbolic(formula)}`, `= ${numeric(formula)}`])];
  });
}

window.plimsollGuide = { estimate, explain } satisfies Live;
