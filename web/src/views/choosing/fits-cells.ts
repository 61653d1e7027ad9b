// What the tables of what fits have in common: a verdict with its figure, and how a column is sorted.

import { html, type TemplateResult } from 'lit';
import type { FitTables } from './fits.ts';

/** A sign for each verdict, so that no colour is needed. */
export const signs: Readonly<Record<string, string>> = { fits: '✓', tight: '≈', waits: '…', 'too large': '✗', 'does not start': '⊘' };

/** A verdict with its figure, as a button that takes it. @param what it is of, said to who does not see the table */
export function verdictCell(view: FitTables, id: string, key: string, what: string): TemplateResult {
  const { calculator: c, format } = view;
  if (!view.rows.has(key)) return html`<td class="empty"><span aria-hidden="true">·</span></td>`;
  const row = view.rows.get(key);
  const { t, name } = c.texts;
  if (!row) return html`<td class="empty">${t('fits.refused')}</td>`;
  const left =
    row.free_bytes >= 0 ? t('summary.left', { bytes: format.bytes(row.free_bytes) }) : t('summary.over', { bytes: format.bytes(-row.free_bytes) });
  const said = `${what}: ${name('verdict', row.verdict)}, ${format.bytes(row.bytes)}, ${left}`;
  return html`<td class="verdict ${row.verdict.replaceAll(' ', '-')}" data-place=${key} data-verdict=${row.verdict} data-bytes=${row.bytes}>
    <button type="button" tabindex="-1" aria-label=${said} title=${said} @click=${() => view.open(id, row)}>
      <span aria-hidden="true">${signs[row.verdict] ?? ''}</span> ${format.bytes(row.bytes)}
    </button>
  </td>`;
}

/** How the column `id` is sorted, as a screen reader is told. */
export function sortOf({ order }: FitTables, id: string): 'none' | 'ascending' | 'descending' {
  if (order.by !== id) return 'none';
  return order.down ? 'descending' : 'ascending';
}
