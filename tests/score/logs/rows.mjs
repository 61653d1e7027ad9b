// Logs of others become rows of tests/measured/logs.jsonl: of each whose text states a model of ours what was read of it, figures and
// settings, and no line of the text. `./dev score FIXTURES.jsonl --write` makes them anew.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { store } from '../../../web/src/node/presets.mjs';
import { requested } from '../../../web/src/reconcile/requesting.mjs';

export const rowsFile = fileURLToPath(new URL('../../measured/logs.jsonl', import.meta.url));

/** The run that an article prints, phase by phase: its figures stand in presets/examples. */
const articles = [
  {
    id: 'twelve-linear-layers',
    source: 'presets/examples/twelve-linear-layers.json',
    model: 'Twelve linear layers',
    example: 'twelve-linear-layers',
  },
];

/** A place on somebody's machine is no setting; what it ends in names the model. */
function withoutPlaces(value) {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  const isPlace = typeof value === 'string' && (/^[/.~\\]/.test(value) || value.split('/').length > 2);
  return isPlace ? value.split(/[/\\]/).filter(Boolean).pop() : value;
}

/** Where a log was read: a public file by its address, or by the number under which the search of public files has it. */
function sourceOf({ source_url: text }) {
  const [, number] = /^github-file-index:(\d+)/.exec(text) ?? [];
  if (number) return { source: `public GitHub file, #${number}` };
  const [, name, path] = /github\.com\/([\w.-]+\/[\w.-]+)\/blob\/[^/]+\/([^#]+)/.exec(text) ?? [];
  return { source: name ? `${name} ${decodeURIComponent(path)}` : text, url: text };
}

/** What stands beside a log in its source: a word, without what was noted of it; what is only of some class is not known. */
function besideOf({ settings_context: context = {} }) {
  const words = Object.entries(context).map(([name, value]) => {
    const word = typeof value === 'string' ? value.replace(/ \(.*$/, '') : value;
    return [name, /^\d+$/.test(String(word)) ? Number(word) : word];
  });
  return Object.fromEntries(words.filter(([name, value]) => name !== 'device' && !/ class$| then |\s\d+B$/.test(String(value))));
}

const figureOf = ({ line, device, ...figure }) => ({ ...figure, ...(device !== undefined && { device: withoutPlaces(device) }) });

/**
 * @param {{id: string, source_url: string}[]} fixtures @param {(text: string) => any} read @param {(row: object) => string} textOf
 * @returns {object[]} rows, articles first
 */
export function rowsOf(fixtures, read, textOf) {
  const catalog = { models: store.presets('models'), encodings: store.ids('encodings') };
  const rows = fixtures.flatMap((fixture) => {
    const { tool, version, settings, figures } = read(textOf(fixture));
    const beside = Object.entries(besideOf(fixture)).filter(([name]) => settings[name] === undefined);
    const plain = Object.fromEntries([...Object.entries(settings), ...beside].map(([name, value]) => [name, withoutPlaces(value)]));
    const { request } = requested({ tool, version, settings: plain, figures }, catalog);
    if (!request.model || !request.inference?.runtime) return [];
    return [
      {
        id: `log-${fixture.id}`,
        ...sourceOf(fixture),
        model: request.model.preset,
        tool,
        version,
        settings: plain,
        beside: beside.map(([name]) => name),
        figures: figures.map(figureOf),
      },
    ];
  });
  return [...articles, ...rows];
}

/** @param {object[]} rows */
export const textOfRows = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** @param {object[]} rows */
export const writeRows = (rows) => writeFileSync(rowsFile, textOfRows(rows));
