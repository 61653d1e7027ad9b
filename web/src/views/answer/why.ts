// "Why is this so large?" beside an opened row: where the guide tells it, and what the glossary says of its name and of the names in its
// formula. Rows that presets name (an optimizer's states) lead where the row leads that they are parts of.

import { html, nothing, type TemplateResult } from 'lit';
import { chapters, glossary, symbols } from './chapters.json';
import type { Calculator } from '../../app/calculator.ts';
import type { Row } from '../../engine/reply.ts';
import { symbolsOf } from './explanation.ts';
import '../../languages/texts-later.ts';

type Places = Record<string, readonly string[]>;

const placeOf = (places: Places, id: string): string | undefined => Object.keys(places).find((place) => places[place]!.includes(id));

/** @param path ids of the row and of those that it is a part of, the outermost first */
export function placesOf(path: string): { chapter: string | undefined; term: string | undefined } {
  const ids = path.split('/').reverse();
  return { chapter: ids.map((id) => placeOf(chapters, id)).find(Boolean), term: placeOf(glossary, ids[0]!) };
}

/** The row at a path of ids. */
const rowAt = (rows: readonly Row[] | undefined, [id, ...below]: string[]): Row | undefined => {
  const row = rows?.find((one) => one.id === id);
  return below.length > 0 ? rowAt(row?.rows, below) : row;
};

/** Entries of the glossary for the names in a row's formula, each with the first name that means it. */
export function termsOf(c: Calculator, path: string): Map<string, string> {
  const { answer } = c.asking;
  const row = rowAt(answer?.rows, path.split('/'));
  const found = new Map<string, string>();
  for (const ref of answer && row?.formula ? symbolsOf(answer, row.formula) : []) {
    const entry = placeOf(symbols, ref);
    if (entry && !found.has(entry)) found.set(entry, ref);
  }
  return found;
}

export function whyView(c: Calculator, path: string): TemplateResult | typeof nothing {
  const { t, name, language } = c.texts;
  const { chapter, term } = placesOf(path);
  if (!chapter) return nothing;
  const [page, place] = chapter.split('#');
  const link = (to: string, text: string): TemplateResult => html`<a href=${`guide/${language}/${to}`} target="_blank">${text}</a>`;
  const terms = [...termsOf(c, path)].filter(([entry]) => entry !== term);
  return html`<p class="to-guide">
    ${link(`${page}.html#${place}`, t('rows.why'))} ${term ? link(`glossary.html#${term}`, t('rows.glossary')) : nothing}
    ${terms.map(([entry, ref]) => link(`glossary.html#${entry}`, name('symbols', ref)))}
  </p>`;
}
