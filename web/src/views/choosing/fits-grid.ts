// Encodings against contexts: each cell a verdict with its figure.

import { html, nothing, type TemplateResult } from 'lit';
import type { Row } from '../../answers/fits.mjs';
import { placeOf } from '../../answers/tables.ts';
import { tokens } from '../../languages/format.ts';
import { sortOf, verdictCell } from './fits-cells.ts';
import type { FitTables } from './fits.ts';

const runs = (row: Row | undefined): boolean => row !== undefined && ['fits', 'tight'].includes(row.verdict);

function sorted(view: FitTables): string[] {
  const { tables } = view.calculator;
  const nameOf = (id: string): string => tables?.encodings.find((one) => one.id === id)?.name ?? id;
  const ids = view.filters.fitting
    ? view.encodings.filter((id) => view.contexts.some((context) => runs(view.rows.get(placeOf(id, context)))))
    : view.encodings;
  const all = view.order.by === 'name' ? ids.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))) : [...ids];
  return view.order.down ? all.toReversed() : all;
}

export function gridView(view: FitTables): TemplateResult {
  const { calculator: c } = view;
  const { t } = c.texts;
  const nameOf = (id: string): string => c.tables?.encodings.find((one) => one.id === id)?.name ?? id;
  const chosen = Number(view.state.values['inference.context'] ?? 0);
  const byName = view.order.by === 'name';
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${t('fits.encodings')}>
    <table>
      <caption class="hidden">
        ${t('fits.encodings')}
      </caption>
      <thead>
        <tr>
          <th scope="col" aria-sort=${sortOf(view, 'name')}>
            <button type="button" @click=${() => (view.order = { by: 'name', down: byName && !view.order.down })}>
              ${t('field.weights.encoding')}
            </button>
          </th>
          ${view.contexts.map((context) => html`<th scope="col" class="figure ${context === chosen ? 'chosen' : ''}">${tokens(context)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${sorted(view).map(
          (id) =>
            html`<tr data-row=${id} class=${id === view.state.values['weights.encoding'] ? 'chosen' : ''}>
              <th scope="row">${nameOf(id)}</th>
              ${view.contexts.map((context) => verdictCell(view, id, placeOf(id, context), `${nameOf(id)}, ${tokens(context)}`))}
            </tr>`,
        )}
      </tbody>
    </table>
    ${view.complete && view.encodings.length === 0 ? html`<p>${t('fits.nothing')}</p>` : nothing}
  </div>`;
}
