// Presets are one JSON file per thing, the file's name being its id. They are read when asked for, never before.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { presetsFolder } from './places.mjs';

/** The tables the engine needs for any request; models are handed over one by one, as requests name them. */
export const tables = ['devices', 'encodings', 'optimizers', 'runtimes', 'trainers', 'bands', 'speeds'];

/** Everything that has ids; of what was found from measured cases nobody chooses one. */
export const kinds = ['models', ...tables.filter((kind) => !['bands', 'speeds'].includes(kind)), 'machines', 'others'];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The ids of one kind, sorted. */
export function ids(kind) {
  const folder = join(presetsFolder, kind);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** One preset, or undefined where there is none of that id. */
export function preset(kind, id) {
  // An id is a file name, so nothing that could leave the folder is one.
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9._-]*$/i.test(id)) return undefined;
  const path = join(presetsFolder, kind, `${id}.json`);
  return existsSync(path) ? readJson(path) : undefined;
}

/** The ids of one kind that people mostly mean, the most usual first. @param {string} kind @returns {string[]} */
export const common = (kind) => preset('common', kind)?.order.map(({ id }) => id) ?? [];

/** All presets of one kind, sorted by id. */
export const presets = (kind) => ids(kind).map((id) => preset(kind, id));
