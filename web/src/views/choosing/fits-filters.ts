// What a table of what fits is narrowed to: a runtime, a maker, years, what fits.

import { html, nothing, type TemplateResult } from 'lit';
import type { FitTables } from './fits.ts';

export interface Filters {
  /** Another runtime than the form's; empty for the form's own. */
  runtime: string;
  /** Who made the device, or the model. */
  maker: string;
  /** The year from which on. */
  since: string;
  /** Whether only what fits is shown. */
  fitting: boolean;
}

export const initialFilters: Filters = { runtime: '', maker: '', since: '', fitting: false };

interface Entry {
  maker: string;
  year: string;
}

/** What the entries of the table can be told apart by. */
export function entryFacts(view: FitTables, id: string): Entry {
  const { calculator: c } = view;
  if (view.shownKind === 'models') {
    const model = c.models.find(id);
    return { maker: model?.organization ?? '', year: model?.released?.slice(0, 4) ?? '' };
  }
  const device = c.tables?.devices.find((one) => one.id === id);
  return { maker: device?.vendor ?? '', year: String(device?.year ?? '') };
}

/** The ids that the filters leave. */
export function narrowed(view: FitTables, ids: readonly string[]): string[] {
  const { maker, since, fitting } = view.filters;
  return ids.filter((id) => {
    const facts = entryFacts(view, id);
    if ((maker && facts.maker !== maker) || (since && facts.year < since)) return false;
    return !fitting || ['fits', 'tight'].includes(view.rows.get(id)?.verdict ?? '');
  });
}

export const idsOf = (view: FitTables): string[] =>
  (view.shownKind === 'models' ? view.calculator.models.entries : (view.calculator.tables?.devices ?? [])).map(({ id }) => id);

function select(view: FitTables, name: 'runtime' | 'maker' | 'since', label: string, all: string, options: readonly (readonly [string, string])[]) {
  const value = view.filters[name];
  return html`<label
    ><span>${label}</span>
    <select name="fits-${name}" @change=${(event: Event) => (view.filters = { ...view.filters, [name]: (event.target as HTMLSelectElement).value })}>
      <option value="" .selected=${value === ''}>${all}</option>
      ${options.map(([id, text]) => html`<option value=${id} .selected=${id === value}>${text}</option>`)}
    </select>
  </label>`;
}

function entryFilters(view: FitTables): TemplateResult {
  const { t, name } = view.calculator.texts;
  const facts = idsOf(view).map((id) => entryFacts(view, id));
  const makers = [...new Set(facts.map(({ maker }) => maker))].filter(Boolean).sort((a, b) => a.localeCompare(b));
  const years = [...new Set(facts.map(({ year }) => year))].filter(Boolean).sort((a, b) => b.localeCompare(a));
  const makerName = (id: string): string => (view.shownKind === 'devices' ? name('vendor', id) : id);
  return html`${select(
    view,
    'maker',
    t('fits.maker'),
    t('fits.all'),
    makers.map((id) => [id, makerName(id)] as const),
  )}
  ${select(
    view,
    'since',
    t('fits.since'),
    t('fits.any_year'),
    years.map((year) => [year, year] as const),
  )}`;
}

export function filtersView(view: FitTables): TemplateResult {
  const { calculator: c } = view;
  const { t } = c.texts;
  const runtimes = (c.tables?.runtimes ?? []).map(({ id, name }) => [id, name] as const);
  const only = (event: Event) => (view.filters = { ...view.filters, fitting: (event.target as HTMLInputElement).checked });
  return html`<div class="filters" role="group" aria-label=${t('fits.filters')}>
    ${view.state.task === 'inference' ? select(view, 'runtime', t('field.inference.runtime'), t('fits.own_runtime'), runtimes) : nothing}
    ${view.shownKind === 'encodings' ? nothing : entryFilters(view)}
    <label class="only"><input type="checkbox" name="fits-only" .checked=${view.filters.fitting} @change=${only} /> ${t('fits.only')}</label>
  </div>`;
}
