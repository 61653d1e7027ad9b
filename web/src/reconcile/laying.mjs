// @ts-check
// What a text states, laid over a form: each field with the line that it came from, and the request of those that are taken.

/**
 * @typedef {{field: string, value: unknown, from: string}} Stated
 * @typedef {{counter: string, line: string}} Printed
 * @typedef {{fields?: readonly Stated[], stated?: Record<string, string>, settings: Record<string, unknown>, figures: readonly Printed[]}} Said
 */

/** The line that a field came from; of a version, and of the tool itself, there may be none. @param {Said} said @param {string} from */
export function lineOf({ stated = {}, figures }, from) {
  const counted = (/** @type {string} */ counter) => (from === 'device' ? counter.endsWith('_buffer') : counter === from);
  return stated[from] ?? figures.find(({ counter }) => counted(counter))?.line;
}

/** Fields with their lines. @param {Said} said @returns {(Stated & {line: string | undefined})[]} */
export const withLines = (said) => (said.fields ?? []).map((one) => ({ ...one, line: lineOf(said, one.from) }));

/** Settings that no field came from. @param {Said} said @returns {{name: string, value: unknown, line: string | undefined}[]} */
export function unused(said) {
  const used = new Set((said.fields ?? []).map(({ from }) => from));
  return Object.entries(said.settings)
    .filter(([name]) => !used.has(name))
    .map(([name, value]) => ({ name, value, line: said.stated?.[name] }));
}

/** A request of fields and their values. @param {readonly Pick<Stated, 'field' | 'value'>[]} taken @returns {Record<string, any>} */
export function requestOf(taken) {
  /** @type {Record<string, any>} */
  const made = {};
  for (const { field, value } of taken) {
    const names = field.split('.');
    const last = /** @type {string} */ (names.pop());
    let at = made;
    for (const name of names) at = at[name] ??= {};
    at[last] = value;
  }
  return made;
}
