// What a word of the command line means where no preset has it as its id.

import { meaning } from '../../../finding/meaning.mjs';
import { common, preset } from '../../presets.mjs';
import { entries } from './entries.mjs';

/**
 * The preset that a word means.
 * @param {'models' | 'devices' | 'machines' | 'others' | 'encodings' | 'optimizers' | 'runtimes'} kind
 * @param {string} written
 * @returns {{id: string, name: string, loosely: boolean} | undefined} `loosely`: something was left out, which has to be told
 */
export function meant(kind, written) {
  if (preset(kind, written)) return { id: written, name: written, loosely: false };
  const found = meaning(kind, written, entries(kind), common(kind));
  return found && { id: found.entry.id, name: found.entry.name, loosely: found.loosely };
}

/**
 * The id that an option's word means; the word itself where it means nothing.
 * @param {{name: string, kind: Parameters<typeof meant>[0]}} option @param {string} written
 * @param {(text: string) => void} tell says what was left out
 */
export function understood({ name, kind }, written, tell) {
  const found = typeof written === 'string' ? meant(kind, written) : undefined;
  if (found?.loosely) tell(`plimsoll: --${name} ${written} is taken as ${found.id} (${found.name})`);
  return found?.id ?? written;
}
