// Two to four requests side by side, as a tag has them: `requests`, JSON text of a list of requests, each with a name if it wants one.

import { fromRequest } from '../../state/request.ts';
import { mostCompared, type State } from '../../state/state.ts';
import { type Column, Comparison } from '../../views/choosing/comparison.ts';
import type { Request } from '../../engine/wire.d.ts';
import { shown } from '../../files/shown.mjs';
import type { Attributes } from '../answers.ts';
import type { LiveCalculator } from './calculator.ts';
import { stateOf } from './attributes.ts';
import { lostOf } from './lost.ts';

type Named = Request & { name?: unknown };

const few = `requests must be JSON text of a list of two to ${mostCompared} requests`;

function listIn(text: string | undefined): Named[] | undefined {
  try {
    const list = JSON.parse(text ?? '') as unknown;
    const right = Array.isArray(list) && list.length >= 2 && list.length <= mostCompared && list.every((one) => typeof one === 'object' && one);
    return right ? (list as Named[]) : undefined;
  } catch {
    return undefined;
  }
}

/** What is said of each request besides is said of all by the tag's own attributes. */
export function comparedStates(attributes: Attributes): { states: State[]; names: string[]; lost: string[]; fault?: string } {
  const list = listIn(attributes['requests']);
  if (!list) return { states: [], names: [], lost: [], fault: few };
  const common = { ...attributes };
  delete common['request'];
  return {
    lost: [...new Set(list.flatMap((one) => (one.model ? lostOf(one, fromRequest(one)) : [])))],
    states: list.map((one) => (one.model ? fromRequest(one) : stateOf({ ...common, request: '' }).state)),
    names: list.map(({ name }, at) => (typeof name === 'string' && name ? shown(name) : String.fromCharCode(65 + at))),
  };
}

/** The page's comparison, whose columns nobody renames or takes away. */
export class ShownComparison extends Comparison {
  override get columns(): Column[] {
    const { names } = this.calculator as LiveCalculator;
    return [...this.pins.map(({ state }) => state), this.state].map((state, at) => ({ name: names[at] ?? '', state }));
  }
}
