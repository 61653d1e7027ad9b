// A field that is a searchable list.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { FieldId } from '../../state/fields.ts';
import type { Key } from '../../languages/i18n.ts';
import { notLoaded } from '../../state/reading.ts';
import { retryView } from '../retry.ts';
import type { Item, Orders } from './combobox.ts';
import { controlId, errorView } from './field.ts';
import { modelItems } from './lists.ts';

export interface SearchableList {
  items: readonly Item[];
  /** Brings in the list, where it is not here from the beginning. */
  open?: () => Promise<void>;
  loading?: boolean;
  orders?: Orders;
  below?: TemplateResult | typeof nothing;
}

export function searchable(c: Calculator, id: FieldId, { items, open, loading = false, orders, below }: SearchableList): TemplateResult {
  return html`<div class="field preset" data-field=${id}>
    <label for=${controlId(id)}>${c.texts.t(`field.${id}` as Key)}</label>
    <plimsoll-combobox
      name=${controlId(id)}
      label=${c.texts.t(`field.${id}` as Key)}
      empty=${c.texts.t(loading ? 'form.loading' : 'form.nothing_found')}
      ?loading=${loading}
      .value=${String(c.state.values[id] ?? '')}
      .items=${items}
      .orders=${orders}
      ?disabled=${c.isLocked(id)}
      ?invalid=${c.mistake(id) !== undefined}
      @focusin=${() => void open?.()}
      @choose=${(event: CustomEvent<string>) => c.set(id, event.detail || undefined)}
    ></plimsoll-combobox>
    ${below ?? nothing} ${errorView(c, id)}
  </div>`;
}

/** A model of the list, which is fetched when it is first opened. */
export function modelChoice(c: Calculator, id: FieldId): TemplateResult {
  const hint = c.texts.maybe(`hint.${id}`);
  const again = () => void c.models.list();
  const below = html`${hint ? html`<p class="hint">${hint}</p>` : nothing}${c.models.failed ? retryView(c, notLoaded, again) : nothing}`;
  return searchable(c, id, { items: modelItems(c), open: () => c.models.list(), loading: !c.models.listed && !c.models.failed, below });
}
