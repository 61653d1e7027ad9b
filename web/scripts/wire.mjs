// The types of everything that crosses the wire, from presets/schema/ (described.mjs writes them).

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const schemas = join(here, '../../presets/schema');

const banner = `// Made from presets/schema/ by scripts/described.mjs: change the schema, not this file.`;

/** Forms of presets, and what they share: who asks meets none of their fields, so that the package carries no words of theirs. */
const ofPresets = new Set(
  [
    'bands',
    'common',
    'device',
    'encoding',
    'example',
    'machine',
    'model',
    'optimizer',
    'order',
    'others',
    'runtime',
    'speed',
    'trainer',
    'vector',
  ].map((name) => `${name}.json`),
);

/** Of these, what no script reads by its type. */
const unread = new Set(['bands.json', 'order.json', 'speed.json']);

/**
 * A reference with words of its own beside it would become a type of its own; the words stay in the schema.
 * @param {unknown} node @param {boolean} worded whether descriptions stay
 */
function plainReferences(node, worded) {
  if (Array.isArray(node)) return node.map((each) => plainReferences(each, worded));
  if (node === null || typeof node !== 'object') return node;
  if ('$ref' in node) return { $ref: node.$ref };
  const kept = Object.entries(node).filter(([key, value]) => worded || key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, plainReferences(value, worded)]));
}

/** Reads schema files for the compiler, so that every reference between them is seen in its plain form. */
const reader = {
  order: 1,
  canRead: /\.json$/,
  read({ url }) {
    const name = url.split('/').pop();
    return JSON.stringify(plainReferences(JSON.parse(readFileSync(join(schemas, name), 'utf8')), !ofPresets.has(name)));
  },
};

export async function wireTypes() {
  const names = readdirSync(schemas).filter((name) => name.endsWith('.json') && name !== 'common.json' && !unread.has(name));
  const wire = {
    title: 'Wire',
    description: 'What crosses the wire, and what of presets/ scripts read, by the name of its schema.',
    type: 'object',
    additionalProperties: false,
    required: names.map((name) => name.replace('.json', '')),
    properties: Object.fromEntries(names.sort().map((name) => [name.replace('.json', ''), { $ref: name }])),
  };
  const types = await compile(wire, 'Wire', {
    cwd: schemas,
    bannerComment: banner,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, semi: false, printWidth: 320, useTabs: true }, // the package carries it, and has 3 MB
    $refOptions: { resolve: { file: reader } },
  });
  // The form that held them together is nobody's; and what is said in one line stands on one.
  return types
    .replace(/\/\*\*(?:(?!\*\/)[^])*\*\/\nexport interface Wire \{[^}]*\}\n/, '')
    .replaceAll(/\/\*\*\n\s*\* ([^\n]*)\n\s*\*\//g, '/** $1 */')
    .replaceAll('\n\n', '\n');
}
