// A table whose first column names its rows; the others are figures.

import { html, nothing, type TemplateResult } from 'lit';

export interface Column<T> {
  title: string;
  cell: (row: T) => string;
}

/** @param folded what folds the table away names it already */
export function table<T>(
  caption: string,
  rows: readonly T[],
  first: Column<T>,
  others: Column<T>[],
  folded = false,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption}>
    <table class="figures">
      <caption class=${folded ? 'hidden' : ''}>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${first.title}</th>
          ${others.map(({ title }) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <th scope="row">${first.cell(row)}</th>
              ${others.map(({ cell }) => html`<td>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
