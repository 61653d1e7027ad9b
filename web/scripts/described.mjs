// Makes what the page takes from presets/schema/: src/engine/wire.d.ts, the types of everything that crosses the wire, and
// src/state/described.ts, the form's fields. Neither is committed; every npm script that reads them runs this first.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { described } from '../src/node/described.mjs';
import { wireTypes } from './wire.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const schema = JSON.parse(readFileSync(join(web, '../presets/schema/request.json'), 'utf8'));

/** A field's kind where its note says none: what its type is typed with. */
function kindOf(type) {
  if (type.enum) return 'choice';
  return type.type === 'boolean' ? 'switch' : 'count';
}

/** Lists are typed with commas. */
const listOf = (type) => (type.type === 'array' ? 'always' : 'or-one');

function field({ path, type, note }, ofTraining) {
  const {
    id = ofTraining ? `training.${path}` : path,
    key,
    kind = kindOf(type),
    initial,
    options = type.enum?.map(String),
    optional,
    with: only,
  } = note;
  return {
    id,
    key,
    ...(id !== path && { path }),
    kind,
    ...(initial !== undefined && { initial }),
    ...(options && { options }),
    ...((optional ?? initial === undefined) && { optional: true }),
    ...(kind !== 'json' && (type.type === 'array' || (type.oneOf && options)) && { list: listOf(type) }),
    ...(only && { with: Object.entries(only)[0] }),
  };
}

/** The form's fields. */
export const formFields = () => [
  ...described(schema, 'form').map((one) => field(one)),
  ...described(schema, 'formOfTraining').map((one) => field(one, true)),
];

/** The same as a module. */
export function fieldsModule() {
  const lines = formFields().map((one) => `  ${JSON.stringify(one)},`);
  return ['// Made of presets/schema/request.json by scripts/described.mjs.', 'export const fields = [', ...lines, '] as const;', ''].join('\n');
}

const write = (file, text) => {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  write(join(web, 'src/state/described.ts'), fieldsModule());
  write(join(web, 'src/engine/wire.d.ts'), await wireTypes());
}
