// Models on a device, or devices for a model: one row each, sorted by whichever column is asked.

import { html, nothing, type TemplateResult } from 'lit';
import type { Row } from '../../answers/fits.mjs';
import { sortOf, verdictCell } from './fits-cells.ts';
import { idsOf, entryFacts, narrowed } from './fits-filters.ts';
import type { FitTables } from './fits.ts';

export interface Order {
  /** A column; empty for the order of the list. */
  by: string;
  down: boolean;
}

interface Column {
  id: string;
  title: string;
  /** What is shown; the verdict's cell is made apart. */
  cell?: (id: string, row: Row | undefined) => string;
  /** What is sorted by: rows that have none come last. */
  value: (id: string, row: Row | undefined) => number | string | undefined;
  figure?: true;
}

const verdicts = ['fits', 'tight', 'waits', 'too large', 'does not start'];

function nameOf(view: FitTables, id: string): string {
  const { calculator: c } = view;
  return (view.shownKind === 'models' ? c.models.find(id)?.name : c.tables?.devices.find((one) => one.id === id)?.name) ?? id;
}

function modelColumns(view: FitTables): Column[] {
  const { calculator: c, format } = view;
  const { t } = c.texts;
  const encoding = (row: Row | undefined): string => {
    if (!row) return '';
    return row.encoding ? (c.tables?.encodings.find(({ id }) => id === row.encoding)?.name ?? row.encoding) : t('form.default.weights.encoding');
  };
  return [
    {
      id: 'parameters',
      title: t('fits.parameters'),
      cell: (id) => format.short(c.models.find(id)?.parameters ?? 0, 3),
      value: (id) => c.models.find(id)?.parameters,
      figure: true,
    },
    { id: 'year', title: t('fits.year'), cell: (id) => c.models.find(id)?.released ?? '', value: (id) => c.models.find(id)?.released },
    { id: 'verdict', title: t('fits.needs'), value: (_, row) => row && verdicts.indexOf(row.verdict) * 1e15 + row.bytes, figure: true },
    { id: 'encoding', title: t('fits.encoding'), cell: (_, row) => encoding(row), value: (_, row) => (row ? encoding(row) : undefined) },
    {
      id: 'context',
      title: t('fits.longest'),
      cell: (_, row) => (row?.context === undefined ? '' : format.count(row.context)),
      value: (_, row) => row?.context,
      figure: true,
    },
  ];
}

function deviceColumns(view: FitTables): Column[] {
  const { calculator: c, format } = view;
  const { t } = c.texts;
  const device = (id: string) => c.tables?.devices.find((one) => one.id === id);
  const left = (row: Row): string => (row.free_bytes >= 0 ? format.bytes(row.free_bytes) : `−${format.bytes(-row.free_bytes)}`);
  return [
    {
      id: 'memory',
      title: t('field.device.memory_bytes'),
      cell: (id) => `${format.count(device(id)?.memory.value ?? 0)} ${device(id)?.memory.unit}`,
      value: (id) => device(id)?.memory.value,
      figure: true,
    },
    { id: 'year', title: t('fits.year'), cell: (id) => entryFacts(view, id).year, value: (id) => device(id)?.year },
    { id: 'verdict', title: t('fits.needs'), value: (_, row) => row && verdicts.indexOf(row.verdict) * 1e15 + row.bytes, figure: true },
    { id: 'left', title: t('fits.left'), cell: (_, row) => (row ? left(row) : ''), value: (_, row) => row?.free_bytes, figure: true },
  ];
}

function sorted(view: FitTables, ids: readonly string[], columns: readonly Column[]): string[] {
  const { by, down } = view.order;
  const value = by === 'name' ? (id: string) => nameOf(view, id) : columns.find(({ id }) => id === by)?.value;
  if (!value) return [...ids];
  const of = new Map(ids.map((id) => [id, value(id, view.rows.get(id))]));
  return ids.toSorted((a, b) => {
    const [one, other] = [of.get(a), of.get(b)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    const order = typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
    return down ? -order : order;
  });
}

const arrows = { ascending: ' ▴', descending: ' ▾', none: '' };

function headView(view: FitTables, id: string, title: string, figure = false): TemplateResult {
  const { by, down } = view.order;
  const on = by === id;
  return html`<th scope="col" class=${figure ? 'figure' : ''} aria-sort=${sortOf(view, id)}>
    <button type="button" data-sort=${id} @click=${() => (view.order = { by: id, down: on && !down })}>
      ${title}<span aria-hidden="true">${arrows[sortOf(view, id)]}</span>
    </button>
  </th>`;
}

export function listView(view: FitTables): TemplateResult {
  const { t } = view.calculator.texts;
  const columns = view.shownKind === 'models' ? modelColumns(view) : deviceColumns(view);
  const ids = sorted(view, narrowed(view, idsOf(view)), columns);
  const chosen = view.state.values[view.shownKind === 'models' ? 'model.preset' : 'device.preset'];
  const title = t(`fits.${view.shownKind}`);
  return html`<div class="scroll long" tabindex="0" role="group" aria-label=${title}>
    <table>
      <caption class="hidden">
        ${title}
      </caption>
      <thead>
        <tr>
          ${headView(view, 'name', t(view.shownKind === 'models' ? 'form.model' : 'form.device'))}
          ${columns.map((column) => headView(view, column.id, column.title, column.figure))}
        </tr>
      </thead>
      <tbody>
        ${ids.map((id) => {
          const row = view.rows.get(id);
          return html`<tr data-row=${id} class=${id === chosen ? 'chosen' : ''}>
            <th scope="row">${nameOf(view, id)}</th>
            ${columns.map(({ cell, figure }) => (cell ? html`<td class=${figure ? 'figure' : ''}>${cell(id, row)}</td>` : verdictCell(view, id, id, nameOf(view, id))))}
          </tr>`;
        })}
      </tbody>
    </table>
    ${ids.length === 0 ? html`<p>${t('fits.nothing')}</p>` : nothing}
  </div>`;
}
