// Logs that went through the reconciliation: how often a figure lies within the band, and how much of the rest is explained.

import { html, nothing, type TemplateResult } from 'lit';
import type { Explained } from './evidence.ts';
import type { Page } from './page.ts';
import { nameOf, percentOf } from './words.ts';

function toolName({ texts }: Page, tool: string): string {
  if (tool === 'all') return texts.t('accuracy.explained.all');
  return tool === 'an article' ? texts.t('accuracy.explained.article') : nameOf(texts, 'of', tool);
}

function row(page: Page, { tool, logs, figures, inside, beyond, explained }: Explained): TemplateResult {
  const { format } = page;
  return html`<tr data-tool=${tool}>
    <th scope="row">${toolName(page, tool)}</th>
    <td>${format.count(logs)}</td>
    <td>${format.count(figures)}</td>
    <td>${percentOf(format, inside / figures)}</td>
    <td>${format.bytes(beyond)}</td>
    <td>${percentOf(format, beyond > 0 ? explained / beyond : undefined)}</td>
  </tr>`;
}

export function explainedView(page: Page, all: readonly Explained[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const { t } = page.texts;
  const heads = ['accuracy.explained.logs', 'accuracy.figures', 'accuracy.inside', 'accuracy.explained.beyond', 'accuracy.explained.share'] as const;
  return html`<section class="card" aria-labelledby="explained">
    <h2 id="explained">${t('accuracy.explained')}</h2>
    <p>${t('accuracy.explained_intro')}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('accuracy.explained')}>
      <table class="figures medians">
        <thead>
          <tr>
            <th scope="col">${t('accuracy.explained.tool')}</th>
            ${heads.map((head) => html`<th scope="col">${t(head)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${all.map((one) => row(page, one))}
        </tbody>
      </table>
    </div>
  </section>`;
}
