// The types of everything that crosses the wire, from presets/schema/ (described.mjs writes them).

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const schemas = join(here, '../../presets/schema');

const banner = `// Made from presets/schema/ by scripts/described.mjs: change the schema, not this file.`;

/** A reference with words of its own beside it would become a type of its own; the words stay in the schema. */
function plainReferences(node) {
  if (Array.isArray(node)) return node.map(plainReferences);
  if (node === null || typeof node !== 'object') return node;
  if ('$ref' in node) return { $ref: node.$ref };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, plainReferences(value)]));
}

/** Reads schema files for the compiler, so that every reference between them is seen in its plain form. */
const reader = {
  order: 1,
  canRead: /\.json$/,
  read: ({ url }) => JSON.stringify(plainReferences(JSON.parse(readFileSync(join(schemas, url.split('/').pop()), 'utf8')))),
};

export async function wireTypes() {
  const names = readdirSync(schemas).filter((name) => name.endsWith('.json') && name !== 'common.json');
  const wire = {
    title: 'Wire',
    description: 'Every form that crosses the wire or lies in presets/, by the name of its schema.',
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
    style: { singleQuote: true, printWidth: 150 },
    $refOptions: { resolve: { file: reader } },
  });
  // What is said in one line stands on one.
  return types.replaceAll(/\/\*\*\n\s*\* ([^\n]*)\n\s*\*\//g, '/** $1 */');
}
