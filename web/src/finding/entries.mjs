// @ts-check
// Presets as the finder takes them: what each is called, and what else it is found by.

/** @typedef {import('./meaning.mjs').Entry} Entry */

/** @param {readonly (string | undefined)[]} all */
const joined = (all) => all.filter(Boolean).join(' ');

/**
 * @param {{id: string, name: string, family: string, organization: string, nominal: number, hub?: string | undefined}} model `nominal`: the rounded count of its parameters
 * @returns {Entry}
 */
export function modelEntry({ id, name, family, organization, nominal, hub }) {
  const sizes = [`${nominal / 1e9}b`, `${nominal / 1e6}m`];
  return { id, name, hub, spellings: hub ? [hub.split('/')[1] ?? ''] : [], words: joined([family, organization, ...sizes]) };
}

/**
 * @param {{id: string, name: string, vendor?: string | undefined, memory?: {value: number}, others?: readonly string[]}} device `others`: further names
 * @returns {Entry}
 */
export const deviceEntry = ({ id, name, vendor, memory, others = [] }) => ({
  id,
  name,
  spellings: others,
  words: joined([vendor, memory && `${memory.value}gb`]),
});

/** @param {{id: string, name: string, family?: string, aliases?: readonly string[]}} encoding @returns {Entry} */
export const encodingEntry = ({ id, name, family, aliases = [] }) => ({ id, name, spellings: aliases, words: joined([family]) });
