// An answer as a tag for a page: its attributes ask for what was answered, and within it the answer stands as plain HTML, which reads
// without JavaScript and which the live reply takes the place of (docs/embedding/README.md).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashOf } from '../../library/stale.mjs';
import { shown } from '../../files/shown.mjs';
import { described } from '../described.mjs';
import { presetsFolder } from '../places.mjs';
import { parsed } from './json.mjs';
import { plainLook } from './look.mjs';
import { summary } from './report.mjs';
import { inUnit, share } from '../../library/units.mjs';

/** Beside what HTML needs, what Markdown and MDX would read as their own, and ends of lines. */
const unsafe = /[&<>"'`{}[\]*_~|$\\\r\n\t]/g;

/** Text that HTML, and HTML within Markdown or MDX, shows as it is. @param {string} text */
export const escaped = (text) => shown(text).replace(unsafe, (character) => `&#${character.charCodeAt(0)};`);

/** Attributes stand between double quotes; what is usual in names and JSON stays readable. @param {string} text */
const attributeText = (text) => shown(text).replace(/[&<>"'`{}\\]/g, (character) => `&#${character.charCodeAt(0)};`);

/** What no attribute says: how a request is answered, and not what it asks. */
const asides = ['schema', 'task', 'explain', 'time', 'timeline'];

/** The fields that a tag has attributes for, by their place in a request of the task. @param {string} task */
function fieldsOf(task) {
  const schema = JSON.parse(readFileSync(join(presetsFolder, 'schema', 'request.json'), 'utf8'));
  const all = task === 'training' ? [...described(schema, 'form'), ...described(schema, 'formOfTraining')] : described(schema, 'form');
  return new Map(all.map(({ path, note }) => [path, note]));
}

/** A value as its attribute is written; undefined where no attribute can say it. */
function written(value, { kind }) {
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'billions') return Math.round((value / 1e9) * 1e9) === value ? String(value / 1e9) : undefined;
  if (kind === 'presets') return undefined;
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' && !one.includes(',')) ? value.join(',') : undefined;
  return typeof value === 'object' || value === '' ? undefined : String(value);
}

/** Each field's attribute, in the request's order; undefined where one of them has none. */
function attributesIn(node, fields, above = '') {
  const found = [];
  for (const [name, value] of Object.entries(node)) {
    if (!above && asides.includes(name)) continue;
    const path = above ? `${above}.${name}` : name;
    const note = fields.get(path);
    const text = note && written(value, note);
    if (text !== undefined) found.push([note.key, text]);
    else if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    else {
      const below = attributesIn(value, fields, path);
      if (!below) return undefined;
      found.push(...below);
    }
  }
  return found;
}

/**
 * The attributes that ask for a request: a field each, or the request as it is where a field has none.
 * @param {any} request @returns {[string, string][]}
 */
export function attributesOf(request) {
  const task = request.task === 'training' ? [['task', 'training']] : [];
  const named = attributesIn(request, fieldsOf(request.task));
  // a tag without a device takes the usual one, which nobody asked for here
  if (named) return [...task, ...named, ...(request.device === undefined ? [['device', '']] : [])];
  return [['request', JSON.stringify({ ...request, explain: undefined })]];
}

const row = (cells, head) => {
  const [first, ...others] = cells.map(escaped);
  const cell = head ? 'th scope="col"' : 'td';
  return `<tr><th scope="${head ? 'col' : 'row'}">${first}</th>${others.map((text) => `<${cell}>${text}</${head ? 'th' : 'td'}>`).join('')}</tr>`;
};

function table({ rows = [], total }, unit) {
  if (rows.length === 0) return [];
  const whole = (total.process ?? total.reserved ?? total).bytes;
  const line = ({ id, bytes, basis }) => row([id.replaceAll('_', ' '), inUnit(bytes, unit), share(bytes, whole), basis ?? '']);
  return [
    '<table>',
    `<thead>${row(['part', unit, 'share', 'known as'], true)}</thead>`,
    '<tbody>',
    ...rows.map(line),
    row(['in all', inUnit(whole, unit), share(whole, whole), '']),
    '</tbody>',
    '</table>',
  ];
}

/**
 * An answer as a tag, in a <div> with no line that is empty or indented: so Markdown takes it as one block of HTML. Python-Markdown, as
 * in MkDocs, takes a tag that it does not know for one within a sentence, and would end it before its table.
 * @param {any} reply @param {string} text the request as it was asked @param {string} unit
 */
export function htmlOf(reply, text, unit) {
  const attributes = attributesOf(parsed(text));
  const marks = [
    ['data-version', reply.engine],
    ['data-request', hashOf(attributes)],
  ];
  const list = [...attributes, ...marks].map(([name, value]) => ` ${name}="${attributeText(value)}"`).join('');
  const [name, ...told] = summary(reply, { ...plainLook, unit }).map((line) => escaped(line.trim()));
  return [
    '<div>',
    `<plimsoll-calculator${list}>`,
    `<p><strong>${name}</strong></p>`,
    `<ul>${told.map((line) => `<li>${line}</li>`).join('')}</ul>`,
    ...table(reply, unit),
    '</plimsoll-calculator>',
    '</div>',
  ].join('\n');
}
