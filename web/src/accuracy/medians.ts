// Medians of what is chosen, by runtime or method, family, kind or source. A group's name chooses it.

import { html, nothing, type TemplateResult } from 'lit';
import { strip } from '../views/form/strip.ts';
import { type By, type Choice, type Group, grouped, groupings, summaryOf } from './choosing.ts';
import type { Figure } from './evidence.ts';
import type { Page } from './page.ts';
import { nameOf, percentOf } from './words.ts';

/** So many groups are shown until all are asked for. */
const first = 20;

function groupName({ texts }: Page, { choice, of }: Group, by: By): string {
  if (by === 'source') return of[0]!.of.source;
  if (by !== 'of') return nameOf(texts, by, choice[by]!);
  const subject = choice.of === '' ? nameOf(texts, 'kind', choice.kind!) : nameOf(texts, 'of', choice.of!);
  return `${subject}: ${nameOf(texts, 'metric', choice.metric!)}`;
}

function row(page: Page, group: Group, by: By): TemplateResult {
  const { format } = page;
  const { count, exact, median, p90, worst, inside, width } = summaryOf(group.of);
  return html`<tr>
    <th scope="row"><button type="button" class="plain" @click=${() => page.choose(group.choice)}>${groupName(page, group, by)}</button></th>
    <td>${format.count(count)}</td>
    <td>${format.count(exact)}</td>
    ${[median, p90, worst].map((part) => html`<td>${percentOf(format, part)}</td>`)}
    <td>${percentOf(format, inside)}</td>
    <td>${percentOf(format, width)}</td>
  </tr>`;
}

export function mediansView(page: Page, figures: readonly Figure[], choice: Choice): TemplateResult {
  const { t } = page.texts;
  const groups = grouped(figures, choice.by);
  const shown = page.allGroups ? groups : groups.slice(0, first);
  const options = groupings.map((by) => [by, t(`accuracy.by.${by}`)] as const);
  const heads = (['figures', 'exact', 'median', 'p90', 'worst', 'inside', 'width'] as const).map((key) => t(`accuracy.${key}`));
  return html`<section class="card" aria-labelledby="medians">
    <h2 id="medians">${t('accuracy.medians')}</h2>
    ${strip<By>('by', t('accuracy.by'), options, choice.by, (by) => page.choose({ by }))}
    <div class="scroll" tabindex="0" role="group" aria-label=${t('accuracy.medians')}>
      <table class="figures medians">
        <thead>
          <tr>
            <th scope="col">${t(`accuracy.by.${choice.by}`)}</th>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map((group) => row(page, group, choice.by))}
        </tbody>
      </table>
    </div>
    ${
      shown.length < groups.length
        ? html`<button type="button" @click=${() => page.showAllGroups()}>${t('accuracy.more_groups', { count: groups.length })}</button>`
        : nothing
    }
    <p class="note">${t('accuracy.width_note')}</p>
  </section>`;
}
