// How to measure it oneself, as text: lines to copy, what each shows of ours, and what it leaves out.

import { readFileSync } from 'node:fs';

import { packed } from './places.mjs';
import { preset, schema } from './presets.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** In a checkout two files, in the package among what is packed. */
const table = () => (packed ? schema('measuring') : { snippets: read('../reconcile/measuring.json'), texts: read('../languages/en/measuring.json') });

/** @typedef {{id: string, for: Record<string, string[]>, vendors?: string[], shows: string[], code: string[], source: {title: string, url: string}}} Snippet */

/** @returns {Snippet[]} */
export const snippets = () => table().snippets;

/** Words that choose among snippets: a task, what runs or trains, whose device it is, or a snippet by its id. @param {Snippet} snippet */
const wordsOf = ({ id, for: of, vendors = [] }) => [id, ...Object.keys(of), ...Object.values(of).flat(), ...vendors];

/** All words that choose one, sorted. */
export const words = () => [...new Set(snippets().flatMap(wordsOf))].sort();

/** Whether a snippet is for any runtime, and for devices that this one runs on. @param {Snippet} snippet @param {string} runtime */
function isForAny({ for: of, vendors }, runtime) {
  const found = preset('runtimes', runtime);
  const makers = found?.runs_on?.makers;
  return (
    found !== undefined &&
    of.inference?.length === 0 &&
    (makers === undefined || vendors === undefined || vendors.some((one) => makers.includes(one)))
  );
}

/** Whether a snippet is of use for a word; for a runtime those are, too, that are for any. @param {Snippet} snippet @param {string} word */
function suits(snippet, word) {
  return isForAny(snippet, word) || wordsOf(snippet).includes(word) || (snippet.vendors === undefined && allVendors().includes(word));
}

const allVendors = () => [...new Set(snippets().flatMap(({ vendors = [] }) => vendors))];

/** @param {readonly string[]} wanted words of `words()`, each of which a snippet suits @returns {Snippet[]} */
export function suiting(wanted) {
  return snippets().filter((one) => wanted.every((word) => suits(one, word)));
}

/** What a counter is, and what of an answer it is held against. */
function shown(counter) {
  const { description, against } = schema('reconcile_reply.json').$defs.counter.anyOf.find((one) => one.const === counter);
  return `    ${counter}: ${description}${against ? ` Ours: ${against}.` : ''}`;
}

/** @param {readonly Snippet[]} chosen @param {{style: (name: string, text: string) => string}} look */
export function measuringText(chosen, { style }) {
  const said = table().texts;
  return chosen
    .map(({ id, shows, code, source }) =>
      [
        style('bold', said[`measuring.${id}`]),
        ...code.map((line) => `    ${line}`),
        '  shows',
        ...shows.map(shown),
        `  leaves out: ${said[`measuring.${id}.leaves`]}`,
        `  source: ${source.title} <${source.url}>`,
      ].join('\n'),
    )
    .join('\n\n');
}
