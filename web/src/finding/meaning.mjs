// @ts-check
// The one preset that a written word stands for: its id or name in any spelling, the repository that it was made from, or a
// name with what all of its kind have in common left out. Where several are left, the common one, if one of them is.

import { ranked } from './ranking.mjs';
import { repositoryIn } from './repositories.mjs';

/** @typedef {import('./ranking.mjs').Entry & {hub?: string | undefined}} Entry `hub`: the repository that it was made from */
/** @typedef {'models' | 'devices' | 'machines' | 'others' | 'encodings' | 'optimizers' | 'runtimes' | 'trainers'} Kind */

/** Spelling that tells nothing apart: case, and what stands between words. Of a model a point does: 3.1 is not 31. @param {Kind} kind @param {string} text */
const folded = (kind, text) =>
  text
    .toLowerCase()
    .replace(/(\d)_(?=\d)/g, kind === 'models' ? '$1.' : '$1')
    .replace(kind === 'models' ? /[^a-z0-9.]/g : /[^a-z0-9]/g, '');

/** What may be left out of a name of each kind; a chat model takes the memory of the model that it was tuned from. @type {Partial<Record<Kind, RegExp[]>>} */
const idle = {
  models: [/^meta-(?=llama)/g, /-(?:instruct|chat|it|base|pt|hf)(?=-|$)/g],
  devices: [/^(?:nvidia|geforce|amd|radeon|intel|apple)[- ]/g, /^(?:geforce|radeon)[- ]/g, /^(?:rtx|gtx|rx)[- ]?/g],
  encodings: [/^gguf-/g],
};

/** @param {Kind} kind @param {string} text */
function reduced(kind, text) {
  const plain = text.toLowerCase().replace(/[\s_]+/g, (all) => (kind === 'encodings' || /^_$/.test(all) ? '_' : '-'));
  return folded(
    kind,
    (idle[kind] ?? []).reduce((rest, pattern) => rest.replace(pattern, ''), plain),
  );
}

/** @param {Entry} entry @returns {string[]} */
const spellingsOf = ({ id, name, spellings = [], hub }) => [id, name, ...spellings, ...(hub ? [hub.split('/')[1] ?? ''] : [])];

/** A device may be written without its memory, though not with another's. @param {Kind} kind @param {string} spelling */
const shortened = (kind, spelling) => reduced(kind, kind === 'devices' ? spelling.replace(/[- ]\d+gb$/i, '') : spelling);

/** @typedef {{entry: Entry, loosely: boolean}} Meant `loosely`: something was left out, which has to be told */

/** @param {readonly Entry[]} near @param {readonly string[]} common @returns {Entry | undefined} */
function onlyOr(near, common) {
  if (near.length < 2) return near[0];
  const usual = near.filter(({ id }) => common.includes(id)).sort((a, b) => common.indexOf(a.id) - common.indexOf(b.id));
  return usual[0];
}

/**
 * @param {Kind} kind @param {string} word @param {readonly Entry[]} all @param {readonly string[]} common
 * @returns {Meant | undefined}
 */
function ofWord(kind, word, all, common) {
  const same = all.filter((one) => spellingsOf(one).some((spelling) => folded(kind, spelling) === folded(kind, word)));
  if (same[0] && same.length === 1) return { entry: same[0], loosely: false };
  const near = all.filter((one) =>
    spellingsOf(one).some((spelling) => [shortened(kind, spelling), reduced(kind, spelling)].includes(reduced(kind, word))),
  );
  const own = near.filter((one) => spellingsOf(one).some((spelling) => folded(kind, spelling) === reduced(kind, word)));
  const entry = own.length === 1 ? own[0] : onlyOr(near, common);
  if (entry) return { entry, loosely: true };
  const sure = near.length === 0 ? ranked(word, all, common).filter((hit) => hit.sure) : [];
  const usual = sure.length > 1 ? sure.filter((hit) => hit.common < Infinity) : sure;
  return usual[0] ? { entry: usual[0].entry, loosely: true } : undefined;
}

/** A tag of Ollama's library says size and quantization: qwen3:8b-q4_K_M. @param {string} name */
const withoutQuantization = (name) => name.replace(/[:-](?:latest|instruct|chat|text|(?:i?q\d|fp|bf|f)[\w]*)(?=[:-]|$)/gi, '').replace(':', '-');

/** @param {Entry} one @param {string} organization */
const isOf = (one, organization) => one.hub?.toLowerCase().startsWith(`${organization.toLowerCase()}/`) ?? false;

/**
 * The preset that was made from a repository; loosely where a preset of the same organization was made from what it was tuned from.
 * ModelScope and Ollama have other organizations: there the name decides.
 * @param {import('./repositories.mjs').Repository} repository @param {readonly Entry[]} all @param {readonly string[]} common
 * @returns {Meant | undefined}
 */
function ofRepository({ kind, organization, name }, all, common) {
  const whole = `${organization}/${name}`.toLowerCase();
  const exact = all.find(({ hub }) => hub?.toLowerCase() === whole);
  if (exact) return { entry: exact, loosely: false };
  const word = kind === 'ollama' ? withoutQuantization(name) : name;
  const found = ofWord('models', word, kind === 'hub' ? all.filter((one) => isOf(one, organization ?? '')) : all, common);
  return found && { entry: found.entry, loosely: found.loosely || kind !== 'hub' };
}

/**
 * The preset that a word means; undefined where it means none, or several of which none is the common one.
 * @param {Kind} kind @param {string} written @param {readonly Entry[]} all
 * @param {readonly string[]} [common] ids of what people mostly mean, the most usual first
 * @returns {Meant | undefined}
 */
export function meaning(kind, written, all, common = []) {
  const own = all.find(({ id }) => id === written);
  if (own) return { entry: own, loosely: false };
  const repository = kind === 'models' ? repositoryIn(written) : undefined;
  return repository ? ofRepository(repository, all, common) : ofWord(kind, written, all, common);
}

/**
 * What a list shows for a text: of a repository the preset made from it, of any other text all that have its words.
 * @param {Kind} kind @param {string} written @param {readonly Entry[]} all @param {readonly string[]} [common]
 * @returns {{entries: Entry[], fetch?: string}} `fetch`: the name by which its files may be fetched, where no preset is exactly it
 */
export function found(kind, written, all, common = []) {
  const repository = kind === 'models' ? repositoryIn(written) : undefined;
  if (!repository) return { entries: ranked(written, all, common).map(({ entry }) => entry) };
  const meant = ofRepository(repository, all, common);
  return { entries: meant ? [meant.entry] : [], ...(!(meant && !meant.loosely) && { fetch: repository.fetched }) };
}
