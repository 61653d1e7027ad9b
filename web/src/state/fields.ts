// Every field of the form. `id` is the field's place in a request, and what an error's `where` names; `key` is its name in a
// link. A field without a value is left out, and the engine says what it assumed. The table is made of the schema, where each
// field says how the form shows it (scripts/described.mjs).

import { fields } from './described.ts';

export { fields };

export type Value = string | number | boolean;

export type Kind =
  | 'count' // whole number typed by hand
  | 'tokens' // count with a slider, 32k understood
  | 'billions' // shown in units of 1e9
  | 'memory' // bytes, shown in the chosen unit
  | 'fraction' // number between 0 and 1
  | 'percent' // 0 to 100, with a slider
  | 'choice' // one of a fixed list
  | 'encoding' // one of presets/encodings
  | 'base' // one of presets/encodings, for a draft model or for what adapters are trained beside
  | 'runtime' // one of presets/runtimes
  | 'optimizer' // one of presets/optimizers
  | 'switch'
  | 'preset' // searchable list
  | 'presets' // several of them, with commas
  | 'json';

export interface Field {
  id: string;
  key: string;
  kind: Kind;
  initial?: Value;
  options?: readonly string[];
  /** May stay empty: the engine's own default then holds. */
  optional?: true;
  /** It takes a list, written here with commas and sent as an array; `or-one`: one alone is sent as it is written. */
  list?: 'always' | 'or-one';
  /** Its place in a request, where that is not its id. */
  path?: string;
  /** Another field, and the values of it with which this one has a meaning. */
  with?: readonly [string, readonly string[]];
}

export type FieldId = (typeof fields)[number]['id'];

export const field = (id: FieldId): Field => fields.find((one) => one.id === id) as Field;

/** A field's place in a request. */
export const pathOf = ({ id, path = id }: Field): string => path;

/** The field that an error's `where` speaks of: the longest place it begins with, and of two at one place the task's own. */
export function fieldAt(path = '', task = 'inference'): FieldId | undefined {
  // degrees that do not go together are said where their product is
  const where = path === 'parallel' ? 'devices' : path;
  const taken = (fields as readonly Field[]).filter(({ id, path }) => !path || !id.startsWith('training.') || task === 'training');
  const hits = taken.filter((one) => ['', '.', '['].some((end) => (end ? where.startsWith(pathOf(one) + end) : where === pathOf(one))));
  return hits.sort((a, b) => pathOf(b).length - pathOf(a).length || Number(!a.path) - Number(!b.path))[0]?.id as FieldId | undefined;
}
