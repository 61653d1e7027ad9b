// "Why is this so large?" beside an opened row: where the guide tells it, and what the glossary says that its name means. Rows that
// presets name (an optimizer's states) lead where the row leads that they are parts of.

import { html, nothing, type TemplateResult } from 'lit';
import { chapters, glossary } from './chapters.json';
import type { Calculator } from '../../app/calculator.ts';
import '../../languages/texts-later.ts';

type Places = Record<string, readonly string[]>;

const placeOf = (places: Places, id: string): string | undefined => Object.keys(places).find((place) => places[place]!.includes(id));

/** @param path ids of the row and of those that it is a part of, the outermost first */
export function placesOf(path: string): { chapter: string | undefined; term: string | undefined } {
  const ids = path.split('/').reverse();
  return { chapter: ids.map((id) => placeOf(chapters, id)).find(Boolean), term: placeOf(glossary, ids[0]!) };
}

export function whyView(c: Calculator, path: string): TemplateResult | typeof nothing {
  const { t, language } = c.texts;
  const { chapter, term } = placesOf(path);
  if (!chapter) return nothing;
  const [page, place] = chapter.split('#');
  const link = (to: string, text: string): TemplateResult => html`<a href=${`guide/${language}/${to}`} target="_blank">${text}</a>`;
  return html`<p class="to-guide">
    ${link(`${page}.html#${place}`, t('rows.why'))} ${term ? link(`glossary.html#${term}`, t('rows.glossary')) : nothing}
  </p>`;
}
