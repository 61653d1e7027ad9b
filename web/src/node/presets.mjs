// Presets: in a checkout one JSON file per thing, the file's name being its id, in the package one list of each kind. They are read
// when asked for, never before.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { tables } from '../library/engine.mjs';
import { packed, presetsFolder, unpacked } from './places.mjs';

/** Everything that has ids; of what was found from measured cases nobody chooses one. */
export const kinds = ['models', ...tables.filter((kind) => !['bands', 'speeds'].includes(kind)), 'machines', 'others'];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @type {import('../library/engine.mjs').Store} */
const inFolder = {
  ids(kind) {
    const folder = join(presetsFolder, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort();
  },
  preset(kind, id) {
    const path = join(presetsFolder, kind, `${id}.json`);
    return existsSync(path) ? readJson(path) : undefined;
  },
  presets: (kind) => inFolder.ids(kind).map((id) => inFolder.preset(kind, id)),
};

/** @returns {import('../library/engine.mjs').Store} */
function inPackage({ presets: texts }) {
  const read = new Map();
  const of = (kind) => {
    if (!Object.hasOwn(texts, kind)) return new Map();
    if (!read.has(kind)) read.set(kind, new Map(JSON.parse(unpacked(texts[kind])).map((one) => [one.id, one])));
    return read.get(kind);
  };
  return { ids: (kind) => [...of(kind).keys()], preset: (kind, id) => of(kind).get(id), presets: (kind) => [...of(kind).values()] };
}

/** @type {import('../library/engine.mjs').Store} */
const from = packed ? inPackage(packed) : inFolder;

/** The ids of one kind, sorted. */
export const ids = (kind) => from.ids(kind);

/** One preset, or undefined where there is none of that id. */
export function preset(kind, id) {
  // An id is a file name, so nothing that could leave the folder is one.
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9._-]*$/i.test(id)) return undefined;
  return from.preset(kind, id);
}

/** The ids of one kind that people mostly mean, the most usual first. @param {string} kind @returns {string[]} */
export const common = (kind) => preset('common', kind)?.order.map(({ id }) => id) ?? [];

/** All presets of one kind, sorted by id. */
export const presets = (kind) => from.presets(kind);

/** @type {import('../library/engine.mjs').Store} */
export const store = { ids, preset, presets };

/** A description of what crosses the wire, by its file's name in presets/schema. @param {'request.json' | 'plan.json' | 'solve.json' | 'common.json' | 'reconcile_reply.json'} name */
export const schema = (name) => (packed ? JSON.parse(unpacked(packed.schemas))[name] : readJson(join(presetsFolder, 'schema', name)));
