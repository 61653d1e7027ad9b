// The presets of one kind as the finder takes them.

import { deviceEntry, encodingEntry, modelEntry } from '../../../finding/entries.mjs';
import { presets } from '../../presets.mjs';

/** @typedef {import('../../../finding/meaning.mjs').Entry} Entry */

/** A machine has several names. */
function ofMachine({ name, ...machine }) {
  const [first, ...others] = name.split(', ');
  return deviceEntry({ ...machine, name: first, others });
}

const ofModel = ({ hugging_face_id: hub, nominal_parameters: nominal, ...model }) => modelEntry({ ...model, hub, nominal });

const makers = { models: ofModel, devices: deviceEntry, machines: ofMachine };

/** @type {Map<string, Entry[]>} */
const read = new Map();

/** @param {string} kind @returns {Entry[]} */
export function entries(kind) {
  if (!read.has(kind)) read.set(kind, presets(kind).map(makers[kind] ?? encodingEntry));
  return read.get(kind);
}
