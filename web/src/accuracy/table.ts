// The cases as a table of pages, worst first until a column's head is pressed.

import { html, nothing, type TemplateResult } from 'lit';
import { type Choice, type Sort, sorted, subjectOf } from './choosing.ts';
import { type Case, type Figure, isUnexplained } from './evidence.ts';
import type { Page } from './page.ts';
import { nameOf, signedOf, sizeOf } from './words.ts';

export const perPage = 25;

/** What is known of why a figure is off, in its row's own words. */
export function whyView(page: Page, figure: Figure): TemplateResult | typeof nothing {
  if (figure.status === 'exact') return nothing;
  const { t } = page.texts;
  const { unexplained, open, assumed } = figure.of;
  const said = [
    [t('accuracy.why.unexplained'), unexplained],
    [t('accuracy.why.open'), open],
    [t('accuracy.why.assumed'), assumed],
  ].filter(([, text]) => text !== undefined);
  if (said.length === 0) return isUnexplained(figure) ? html`<p class="why">${t('accuracy.why.none')}</p>` : nothing;
  return html`${said.map(([head, text]) => html`<p class="why">${head} <span lang="en">${text}</span></p>`)}`;
}

/** Who says so, what ran, when and on what. */
function sourceView({ texts: { t } }: Page, { source, url, version, date, device, quoted, vector }: Case): TemplateResult {
  const where = url ? html`<a href=${url} rel="noreferrer">${source}</a>` : source;
  return html`<p class="source" lang="en">
      ${where}${[version, date, device].filter(Boolean).map((text) => html` · ${text}`)}${vector ? html` · <a href=${`conformance/v1/${vector}.json`} lang="">${t('accuracy.vector')}</a>` : nothing}
    </p>
    ${
      quoted
        ? html`<details class="quoted">
            <summary>${t('accuracy.quoted')}</summary>
            <q lang="en">${quoted}</q>
          </details>`
        : nothing
    }`;
}

export function caseView(page: Page, figure: Figure): TemplateResult {
  const { model, name, family } = figure.of;
  const more = [family, name].filter((text) => text && text !== model).join(' · ');
  return html`<p class="model">${model} <span class="more">${more}</span></p>
    ${sourceView(page, figure.of)} ${whyView(page, figure)}`;
}

function row(page: Page, figure: Figure): TemplateResult {
  const { format, texts } = page;
  const { of, metric, said, ours, low, high, status } = figure;
  const banded = low !== undefined && high !== undefined && high > low;
  return html`<tr data-status=${status}>
    <th scope="row">${caseView(page, figure)}</th>
    <td class="metric">
      ${of.of === undefined ? nameOf(texts, 'kind', of.kind) : nameOf(texts, 'of', subjectOf(of))}: ${nameOf(texts, 'metric', metric)}
    </td>
    <td data-name=${texts.t('accuracy.said')}>${sizeOf(format, figure, said)}</td>
    <td data-name=${texts.t('accuracy.ours')}>${sizeOf(format, figure, ours)}</td>
    <td data-name=${texts.t('accuracy.error')}>
      ${signedOf(format, figure)} ${status === 'banded' ? nothing : html`<span class="mark ${status}">${texts.t(`accuracy.status.${status}`)}</span>`}
    </td>
    <td data-name=${texts.t('accuracy.band')}>${banded ? html`${sizeOf(format, figure, low)} …<br />${sizeOf(format, figure, high)}` : '–'}</td>
  </tr>`;
}

function head(page: Page, choice: Choice, sort: Sort, title: string): TemplateResult {
  const own = choice.sort === sort;
  const turn = () => page.choose({ sort, up: own ? !choice.up : sort === 'case' || sort === 'metric' });
  return html`<th scope="col" aria-sort=${own ? (choice.up ? 'ascending' : 'descending') : 'none'}>
    <button type="button" class="plain" @click=${turn}>${title}<span aria-hidden="true">${own ? (choice.up ? ' ↑' : ' ↓') : ''}</span></button>
  </th>`;
}

function pagesView(page: Page, at: number, count: number): TemplateResult {
  const { t } = page.texts;
  const { format } = page;
  const last = Math.max(0, Math.ceil(count / perPage) - 1);
  const said = { from: format.count(at * perPage + 1), to: format.count(Math.min(count, (at + 1) * perPage)), all: format.count(count) };
  return html`<nav class="pages" aria-label=${t('accuracy.pages')}>
    <button type="button" ?disabled=${at === 0} @click=${() => page.turnTo(at - 1)}>${t('accuracy.before')}</button>
    <span>${t('accuracy.page', said)}</span>
    <button type="button" ?disabled=${at >= last} @click=${() => page.turnTo(at + 1)}>${t('accuracy.next')}</button>
  </nav>`;
}

export function casesView(page: Page, figures: readonly Figure[], choice: Choice): TemplateResult {
  const { t } = page.texts;
  const at = Math.min(choice.page, Math.max(0, Math.ceil(figures.length / perPage) - 1));
  const shown = sorted(figures, choice).slice(at * perPage, (at + 1) * perPage);
  const worstFirst = choice.sort === 'error' && !choice.up;
  const title = t(worstFirst ? 'accuracy.cases' : 'accuracy.cases_sorted');
  const heads: [Sort, string][] = [
    ['case', t('accuracy.case')],
    ['metric', t('accuracy.metric')],
    ['said', t('accuracy.said')],
    ['ours', t('accuracy.ours')],
    ['error', t('accuracy.error')],
  ];
  return html`<section class="card" aria-labelledby="cases">
    <h2 id="cases" tabindex="-1">${title}</h2>
    <div class="scroll" tabindex="0" role="group" aria-label=${title}>
      <table class="figures cases">
        <thead>
          <tr>
            ${heads.map(([sort, text]) => head(page, choice, sort, text))}
            <th scope="col">${t('accuracy.band')}</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((figure) => row(page, figure))}
        </tbody>
      </table>
    </div>
    ${pagesView(page, at, figures.length)}
  </section>`;
}
