// What a request says and the form has no field for: the calculator answers without it, and says so.

import { request } from '../../state/request.ts';
import type { State } from '../../state/state.ts';

/** How a reply is written, not what it is of. */
const ofTheReply = ['schema', 'explain', 'timeline', 'time', 'allow_unknown', 'name'];

const isTree = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null && !Array.isArray(node);

/** Every value that is not null, with the names that lead to it. */
function leaves(node: unknown, path: readonly string[] = []): (readonly [readonly string[], unknown])[] {
  if (node === null || node === undefined) return [];
  return isTree(node) ? Object.entries(node).flatMap(([name, one]) => leaves(one, [...path, name])) : [[path, node]];
}

/** The value at a place; one text for all that stands below it is the value of each. */
const at = (tree: unknown, path: readonly string[]): unknown => path.reduce((node, name) => (isTree(node) ? node[name] : node), tree);

/** @return paths within the request, such as `inference.warmup` */
export function lostOf(asked: object, state: State): string[] {
  const made: unknown = JSON.parse(request(state, 'none'));
  return leaves(asked)
    .filter(([path]) => !ofTheReply.includes(path[0]!))
    .filter(([path, value]) => JSON.stringify(at(made, path)) !== JSON.stringify(value))
    .map(([path]) => path.join('.'));
}
