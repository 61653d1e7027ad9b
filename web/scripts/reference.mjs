// Makes the reference, dist/reference.html and one beside it for each other language: request, reply, row ids, command line, element and
// npm package, read off the schemas, the tables of options and fields, and the package's own types. Descriptions are the
// schemas' own, in English; everything around them is in the page's language.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { helpText } from '../src/node/commands/help.mjs';
import { formFields } from './described.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const text = (path) => readFileSync(join(web, path), 'utf8');
const schemas = Object.fromEntries(
  ['request', 'reply', 'sweep', 'solve', 'plan', 'common'].map((name) => [name, JSON.parse(text(`../presets/schema/${name}.json`))]),
);

const escaped = (raw) => String(raw).replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter]);
const code = (raw) => `<code>${escaped(raw)}</code>`;

/** What a node is, with the file in which references of it are looked up. */
function resolved(node, file) {
  const [other, pointer] = node.$ref?.split('#') ?? [];
  if (other === undefined) return { node, file };
  const from = other ? other.replace('.json', '') : file;
  const at = (pointer ?? '').split('/').filter(Boolean);
  const target = at.reduce((into, key) => into[key], schemas[from]);
  return resolved({ ...target, ...(node.description && { description: node.description }) }, from);
}

function rangeOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }) {
  const low = minimum ?? exclusiveMinimum;
  const high = maximum ?? exclusiveMaximum;
  return [
    low === undefined ? [] : `${minimum === undefined ? '>' : '≥'} ${low}`,
    high === undefined ? [] : `${maximum === undefined ? '<' : '≤'} ${high}`,
  ].flat();
}

/** A type in a few words. */
function typeOf(given, file) {
  const { node, file: at } = resolved(given, file);
  if (node.enum) return node.enum.map(code).join(' ');
  if ('const' in node) return code(JSON.stringify(node.const));
  const ways = node.anyOf ?? node.oneOf;
  if (ways) return [...new Set(ways.map((one) => typeOf(one, at)))].join(' | ');
  if (node.type === 'array') return `[${node.items ? typeOf(node.items, at) : ''}]`;
  return [escaped(node.type ?? ''), ...rangeOf(node).map(escaped)].join(' ');
}

/** A row for each field, depth first; a form that refers to itself is described once. */
function* fieldsOf(given, file, path = '', seen = []) {
  const { node, file: at } = resolved(given, file);
  const title = node.title ?? '';
  if (title && seen.includes(title)) return;
  const inside = title ? [...seen, title] : seen;
  for (const way of node.anyOf ?? node.oneOf ?? []) yield* fieldsOf(way, at, path, inside);
  if (node.type === 'array' && node.items) yield* fieldsOf(node.items, at, `${path}[]`, inside);
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    const place = path ? `${path}.${name}` : name;
    yield { path: place, type: typeOf(field, at), description: resolved(field, at).node.description ?? '', required: node.required?.includes(name) };
    yield* fieldsOf(field, at, place, inside);
  }
}

const table = (head, rows) =>
  `<table><thead><tr>${head.map((cell) => `<th>${escaped(cell)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n')}</tbody></table>`;

const fieldTable = (name, t) =>
  table(
    [t('reference.field'), t('reference.type'), t('reference.meaning')],
    [...fieldsOf(schemas[name], name)].map(({ path, type, description, required }) => [
      `<span id="${name}-${escaped(path)}">${code(path)}</span>${required ? ` ${escaped(t('reference.required'))}` : ''}`,
      type,
      escaped(description),
    ]),
  );

/** Ids of rows, from the engine's one table of them. */
export const rowIds = () => [...text('../engine/estimate/ledger/rows.inc').matchAll(/^ROW\(\w+,\s*"(\w+)"/gm)].map(([, id]) => id);

function rowTable(t, maybe) {
  const named = (id) => maybe(`row.${id}`) ?? maybe(`part.${id}`) ?? '';
  return table(
    [t('reference.id'), t('reference.meaning')],
    rowIds().map((id) => [code(id), escaped(named(id))]),
  );
}

function elementTable(t, maybe) {
  const own = [
    'task',
    'lang',
    'theme',
    'unit',
    'time',
    'reconcile',
    'locked',
    'size',
    'controls',
    'request',
    'requests',
    'kind',
    'show',
    'engine-src',
  ].map((name) => [code(name), '', escaped(t(`reference.attribute.${name}`))]);
  const fields = formFields().map(({ id, key, path }) => [
    code(key),
    code(path ?? id),
    escaped(maybe(`field.${path ?? id}`) ?? maybe(`field.${id}`) ?? ''),
  ]);
  return table([t('reference.attribute'), t('reference.field'), t('reference.meaning')], [...own, ...fields]);
}

const commands = ['estimate', 'solve', 'fit', 'compare', 'inspect', 'sweep', 'plan', 'reconcile', 'list', 'serve', 'mcp'];

const style = `html{color-scheme:light dark;font-family:system-ui,sans-serif;background:light-dark(#f5f3ee,#0d161d);color:light-dark(#13212c,#e7eef3)}
body{max-width:72rem;margin:0 auto;padding:1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid light-dark(#d8d3c8,#2a3a46);overflow-wrap:anywhere}
td:first-child{width:30%}pre{overflow-x:auto}nav a{display:inline-block;margin-inline-end:1rem}a{color:inherit}
@media(max-width:44rem){thead{display:none}tr,td{display:block}tr{padding:.45rem 0;border-bottom:1px solid light-dark(#d8d3c8,#2a3a46)}td,td:first-child{width:auto;padding:0;border:0}
td:first-child{font-weight:600}td:nth-child(2):not(:last-child){font-size:.875rem;color:light-dark(#526069,#a3b4c0)}}`;

const folders = readdirSync(join(web, 'src/languages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const languages = Object.fromEntries(folders.map(({ name }) => [name, name === 'en' ? 'reference.html' : `reference.${name}.html`]));
const nameOf = (language) => escaped(JSON.parse(text(`src/languages/${language}/language.json`)).name);

/** The page in one language. */
export function reference(language) {
  const words = Object.assign({}, ...['texts', 'later', 'reference'].map((file) => JSON.parse(text(`src/languages/${language}/${file}.json`))));
  const maybe = (key) => words[key];
  const t = (key) => {
    if (words[key] === undefined) throw new Error(`${language}: no text ${key}`);
    return words[key];
  };
  const sections = {
    request: fieldTable('request', t),
    reply: fieldTable('reply', t),
    sweep: fieldTable('sweep', t).replace(/<tr><td><span id="sweep-request\.[^\n]*\n/g, ''),
    solve: fieldTable('solve', t).replace(/<tr><td><span id="solve-request\.[^\n]*\n/g, ''),
    plan: fieldTable('plan', t).replace(/<tr><td><span id="plan-(?:request|cluster\.device)\.[^\n]*\n/g, ''),
    rows: rowTable(t, maybe),
    cli: [undefined, ...commands].map((command) => `<pre>${escaped(helpText(command))}</pre>`).join('\n'),
    element: `<pre>${escaped('<script src="plimsoll-calculator.js"></script>\n<plimsoll-calculator model="llama-3-8b" device="rtx-4090"></plimsoll-calculator>')}</pre>${elementTable(t, maybe)}`,
    npm: `<pre>${escaped(text('src/library/index.d.ts'))}</pre>`,
  };
  const hash = createHash('sha256').update(style).digest('base64');
  const others = Object.entries(languages)
    .filter(([code]) => code !== language)
    .map(([code, file]) => `<a href="${file}" lang="${code}" hreflang="${code}">${nameOf(code)}</a>`);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Plimsoll: ${escaped(t('reference.title'))}</title>
<style>${style}</style>
</head>
<body>
<header><p><a href="./">Plimsoll</a> · ${others.join(' · ')}</p>
<h1>${escaped(t('reference.title'))}</h1>
<p>${escaped(t('reference.about'))}</p>
<nav>${Object.keys(sections)
    .map((name) => `<a href="#${name}">${escaped(t(`reference.${name}`))}</a>`)
    .join('\n')}</nav></header>
<main>
${Object.entries(sections)
  .map(([name, body]) => `<section id="${name}"><h2>${escaped(t(`reference.${name}`))}</h2>\n${body}\n</section>`)
  .join('\n')}
</main>
</body>
</html>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(web, 'dist'), { recursive: true });
  for (const [language, file] of Object.entries(languages)) writeFileSync(join(web, 'dist', file), reference(language));
}
