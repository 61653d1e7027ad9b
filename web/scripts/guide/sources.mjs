// @ts-check
// The guide as it lies in docs/guide: a Markdown file for each chapter and language, and one of figures for each chapter.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { changed } from '../../src/embed/figure.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
export const folder = join(root, 'docs', 'guide');

const text = (/** @type {string} */ path) => readFileSync(path, 'utf8');
const json = (/** @type {string} */ path) => JSON.parse(text(path));

/** The chapters in the order in which they are read; then what is looked up, and the quiz. */
export const chapters = () => /** @type {string[]} */ (json(join(folder, 'chapters.json')));
export const pages = () => [...chapters(), 'glossary', 'quiz'];

export const languages = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'figures')
    .map(({ name }) => name)
    .sort();

export const markdown = (/** @type {string} */ language, /** @type {string} */ page) => text(join(folder, language, `${page}.md`));

/** The guide's own words in a language, and the page's names of rows, parts, phases and verdicts. @param {string} language */
export function words(language) {
  const own = json(join(folder, language, 'words.json'));
  const of = ['texts', 'later'].map((file) => json(join(root, 'web', 'src', 'languages', language, `${file}.json`)));
  return /** @type {Record<string, string>} */ (Object.assign({}, ...of, own));
}

/** How each entry of the glossary is written in a text, by its place. @param {string} language @returns {Record<string, string[]>} */
export const terms = (language) => json(join(folder, language, 'terms.json'));

export const example = (/** @type {string} */ id) => json(join(root, 'presets', 'examples', `${id}.json`));

/**
 * A page's figures: `requests` by name (a text is the id of one in presets/examples), `figures`, the `example` that the
 * chapter ends in, its `picture`, its `scenes`, which move, and its `charts`, which a tag draws.
 * @param {string} page
 */
export function figuresOf(page) {
  const { requests = {}, figures = {}, example: last, picture, scenes = {}, charts = {} } = json(join(folder, 'figures', `${page}.json`));
  const request = (/** @type {string} */ name, /** @type {any} */ fields) => {
    const found = requests[name];
    if (found === undefined) throw new Error(`${page}: no request ${name}`);
    const whole = typeof found === 'string' ? example(found).request : { schema: 1, explain: 'rows', ...found };
    return changed(whole, fields);
  };
  const figure = (/** @type {string} */ name) => {
    const one = figures[name];
    if (one === undefined) throw new Error(`${page}: no figure ${name}`);
    const { request: of, with: fields, against, ...rest } = one;
    return { ...rest, request: request(of, fields), ...(against && { against: request(of, against) }) };
  };
  const scene = (/** @type {string} */ name, /** @type {string} */ language) => {
    const drawn = scenes[name];
    if (drawn === undefined) throw new Error(`${page}: no scene ${name}`);
    const { kind, rows, phase, rule, request: of, steps = [{}], caption, fields } = drawn;
    const requests = steps.map((/** @type {any} */ step) => request(step.request ?? of, { ...fields, ...step.with }));
    const names = steps.map((/** @type {any} */ step) => step[language] ?? '');
    const phases =
      drawn.phases ?? (steps.some((/** @type {any} */ step) => step.phase) ? steps.map((/** @type {any} */ step) => step.phase) : undefined);
    return { scene: { kind, rows, phase, rule, requests, names, ...(phases && { phases }) }, caption: caption[language], drawn };
  };
  const chart = (/** @type {string} */ name) => {
    const drawn = charts[name];
    if (drawn === undefined) throw new Error(`${page}: no chart ${name}`);
    return { ...drawn, request: request(drawn.request, drawn.with) };
  };
  return {
    names: Object.keys(figures),
    requests: Object.keys(requests),
    request,
    figure,
    example: last,
    picture,
    scenes: Object.keys(scenes),
    scene,
    charts: Object.keys(charts),
    chart,
  };
}

/** Colours of rows on the page, from the engine's one table of them. */
export function colours() {
  const table = text(join(root, 'engine', 'estimate', 'ledger', 'rows.inc'));
  return Object.fromEntries([...table.matchAll(/^ROW\(\w+,\s*"([^"]+)",\s*(\d+),/gm)].map(([, id, colour]) => [id, Number(colour)]));
}
