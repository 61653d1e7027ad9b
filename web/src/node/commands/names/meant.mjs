// What a word of the command line means where no preset has it as its id: another spelling of an id or a name, or a name
// with what all of its kind have in common left out. One preset has to be left: of several none is taken.

import { preset, presets } from '../../presets.mjs';

/** Spelling that tells nothing apart: case, and what stands between words. Of a model a point does: 3.1 is not 31. */
const folded = (kind, text) => text.toLowerCase().replace(kind === 'models' ? /[^a-z0-9.]/g : /[^a-z0-9]/g, '');

/** What may be left out of a name of each kind; a chat model takes the memory of the model that it was tuned from. */
const idle = {
  models: [/-(?:instruct|chat|it|base|pt|hf)(?=-|$)/g],
  devices: [/^(?:nvidia|geforce|amd|radeon|intel|apple)[- ]/g, /^(?:geforce|radeon)[- ]/g, /^(?:rtx|gtx|rx)[- ]?/g, /-\d+gb$/g],
  encodings: [/^gguf-/g],
  machines: [],
  others: [],
  optimizers: [],
  runtimes: [],
};

const reduced = (kind, text) =>
  folded(
    kind,
    idle[kind].reduce((rest, pattern) => rest.replace(pattern, ''), text.toLowerCase().replace(/[\s_]+/g, kind === 'encodings' ? '_' : '-')),
  );

/** The spellings of a preset: its id, its name (a machine has several), and its last name on the Hugging Face hub. */
const spellings = ({ id, name, link, hugging_face_id: hub }) => [id, ...(link ? name.split(', ') : [name]), hub?.split('/')[1]].filter(Boolean);

/** A name on the hub means a model of that organization; any other word is one itself. */
function asWritten(kind, written) {
  const [organization, name] = kind === 'models' && /^[\w.-]+\/[\w.-]+$/.test(written) ? written.split('/') : [];
  const ofIt = ({ hugging_face_id: hub }) => organization === undefined || hub?.toLowerCase().startsWith(`${organization.toLowerCase()}/`);
  return { word: name ?? written, all: presets(kind).filter(ofIt) };
}

/**
 * The preset that a word means.
 * @param {'models' | 'devices' | 'machines' | 'others' | 'encodings' | 'optimizers' | 'runtimes'} kind
 * @param {string} written
 * @returns {{id: string, name: string, loosely: boolean} | undefined} `loosely`: something was left out, which has to be told
 */
export function meant(kind, written) {
  if (preset(kind, written)) return { id: written, name: written, loosely: false };
  const { word, all } = asWritten(kind, written);
  const same = all.filter((one) => spellings(one).some((spelling) => folded(kind, spelling) === folded(kind, word)));
  if (same.length === 1) return { id: same[0].id, name: same[0].name, loosely: false };
  const near = all.filter((one) => spellings(one).some((spelling) => reduced(kind, spelling) === reduced(kind, word)));
  const own = near.filter((one) => spellings(one).some((spelling) => folded(kind, spelling) === reduced(kind, word)));
  const [only, ...others] = near.length > 1 ? own : near;
  return only && others.length === 0 ? { id: only.id, name: only.name, loosely: true } : undefined;
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
