// What is built in, as `plimsoll list KIND --json` and the library's `list` tell it: a few fields of each preset, under the presets'
// own names and with their values.

import { encodingFamilies, families } from './families.mjs';

/** The fields that are told of each kind; the first ones are the columns of the command line's table. */
export const listed = {
  models: ['id', 'name', 'parameters', 'active_parameters', 'context', 'released', 'family', 'organization'],
  devices: ['id', 'name', 'memory', 'bandwidth', 'year'],
  machines: ['id', 'name', 'device', 'count', 'link', 'year'],
  encodings: ['id', 'name', 'bits', 'uses', 'family'],
  optimizers: ['id', 'name', 'states'],
  others: ['id', 'name', 'bytes', 'description'],
  runtimes: ['id', 'name', 'versions'],
  trainers: ['id', 'name', 'versions'],
};

export const kinds = Object.keys(listed);

/** Encodings by kind, in each those of more bits first. @param {any[]} encodings */
const byKind = (encodings) =>
  encodingFamilies.map((family) => ({
    family,
    models: encodings.filter((one) => one.family === family).sort((a, b) => b.bits - a.bits),
  }));

/** Models and encodings stand under their families, recent models first; of the other kinds there is no such order. @param {string} kind @param {any[]} all @returns {{family?: string, models: any[]}[]} */
export const groupsOf = (kind, all) =>
  ({ models: families, encodings: byKind })[kind]?.(all).filter(({ models }) => models.length > 0) ?? [{ models: all }];

/** @param {string} text */
export const folded = (text) => text.toLowerCase().replace(/[^a-z0-9.]/g, '');

/** Whether a preset has a word in its id or its name, however it is written. @param {string} word @returns {(preset: any) => boolean} */
export const isCalled = (word) => (preset) => folded(`${preset.id} ${preset.name}`).includes(folded(word));

/** @param {string} kind @param {readonly any[]} presets @returns {any[]} */
export const entriesOf = (kind, presets) => presets.map((preset) => Object.fromEntries(listed[kind].map((field) => [field, preset[field]])));

/**
 * @param {import('./engine.mjs').Store} store @param {string} kind
 * @param {string} [words] each word stands in the id or the name
 * @returns {any[]}
 * @throws {TypeError} where there is no such kind
 */
export function listOf(store, kind, words = '') {
  if (!Object.hasOwn(listed, kind)) throw new TypeError(`there is no list of ${String(kind)}; there are ${kinds.join(', ')}`);
  const tests = words.split(/\s+/).filter(Boolean).map(isCalled);
  const all = store.presets(kind).filter((preset) => tests.every((test) => test(preset)));
  return entriesOf(
    kind,
    groupsOf(kind, all).flatMap(({ models }) => models),
  );
}
