// What the page finds wrong by itself, before anything is asked.

import type { Failure } from '../engine/reply.ts';
import { withoutPythonWords } from '../files/python-json.mjs';
import { shown } from '../files/shown.mjs';
import type { State } from './state.ts';

/** Text that is no JSON cannot be put into a request; the place of the first fault is told as the parser tells it. */
export function configMistake({ model, values }: State): Failure | undefined {
  if (model !== 'config') return undefined;
  const text = values['model.config'];
  if (text === undefined && values['model.tensors'] !== undefined) return undefined;
  if (text === undefined) return { code: 'empty_config', where: 'model.config', what: '' };
  try {
    // Python prints Infinity and NaN into fields that have no bearing on memory; the engine reads past them too
    JSON.parse(withoutPythonWords(String(text)));
    return undefined;
  } catch (error) {
    return { code: 'malformed_json', where: 'model.config', what: shown(error instanceof Error ? error.message : String(error)) };
  }
}
