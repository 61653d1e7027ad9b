// The schemas of presets/schema/ compiled, and every preset file read as it lies there.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Node looks for packages above the importing file, and they lie in web/.
const web = createRequire(new URL('../../web/package.json', import.meta.url));
const Ajv2020 = web('ajv/dist/2020').default;
const addFormats = web('ajv-formats').default;

export const folder = fileURLToPath(new URL('../../presets', import.meta.url));

/** The folders of presets, and the schema that each follows. */
export const kinds = {
  models: 'model',
  devices: 'device',
  machines: 'machine',
  others: 'others',
  encodings: 'encoding',
  optimizers: 'optimizer',
  runtimes: 'runtime',
  bands: 'bands',
  speeds: 'speed',
  trainers: 'trainer',
  examples: 'example',
  common: 'order',
};

const jsonFiles = (path) =>
  readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort();
const read = (...parts) => JSON.parse(readFileSync(join(...parts), 'utf8'));

export const schemas = () => jsonFiles(join(folder, 'schema')).map((name) => ({ name, schema: read(folder, 'schema', name) }));

/** All files of one kind: {file, preset}. */
export const filesOf = (kind) => jsonFiles(join(folder, kind)).map((file) => ({ file, preset: read(folder, kind, file) }));

// strictRequired is off: an anyOf may require what its siblings describe.
const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
// what is made of a field besides: engine/cmake/request_shape.cmake, web/src/node/described.mjs
ajv.addVocabulary(['enumeration', 'option', 'form', 'formOfTraining']);
ajv.addVocabulary(['against']); // what a counter is held against: web/src/reconcile/comparing.mjs
addFormats(ajv);
for (const { schema } of schemas()) ajv.addSchema(schema);

/** What is wrong with a value, as readable lines; none where it is valid. */
export function faults(schema, value) {
  const validate = ajv.getSchema(`${schema}.json`);
  if (validate(value)) return [];
  return validate.errors.map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`);
}

/** Visits every object inside a value, with its path. */
export function walk(value, visit, path = '') {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) visit(value, path);
  for (const [key, inner] of Object.entries(value)) walk(inner, visit, `${path}/${key}`);
}
