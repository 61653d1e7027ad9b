// A field that is a searchable list.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { hubHost, hubOffered, loadHub } from '../../state/online.ts';
import type { FieldId } from '../../state/fields.ts';
import type { Key } from '../../languages/i18n.ts';
import { notLoaded } from '../../state/arriving/reading.ts';
import { retryView } from '../retry.ts';
import type { Fetching, Item, Kind, Orders } from './combobox.ts';
import { controlId, errorView } from './field.ts';
import { modelItems } from './lists.ts';

export interface SearchableList {
  kind: Kind;
  items: readonly Item[];
  /** Brings in the list, where it is not here from the beginning. */
  open?: () => Promise<void>;
  loading?: boolean;
  orders?: Orders;
  fetching?: Fetching | undefined;
  below?: TemplateResult | typeof nothing;
}

export function searchable(
  c: Calculator,
  id: FieldId,
  { kind, items, open, loading = false, orders, fetching, below }: SearchableList,
): TemplateResult {
  return html`<div class="field preset" data-field=${id}>
    <label for=${controlId(id)}>${c.texts.t(`field.${id}` as Key)}</label>
    <plimsoll-combobox
      name=${controlId(id)}
      label=${c.texts.t(`field.${id}` as Key)}
      kind=${kind}
      empty=${c.texts.t('form.nothing_found')}
      coming=${c.texts.t('form.loading')}
      ?loading=${loading}
      .value=${String(c.state.values[id] ?? '')}
      .items=${items}
      .orders=${orders}
      .fetching=${fetching}
      ?disabled=${c.isLocked(id)}
      ?invalid=${c.mistake(id) !== undefined}
      @focusin=${() => void open?.()}
      @choose=${(event: CustomEvent<string>) => c.set(id, event.detail || undefined)}
    ></plimsoll-combobox>
    ${below ?? nothing} ${errorView(c, id)}
  </div>`;
}

/** Who is asked for a name, as files/origins.mjs reads it. */
function hostOf(name: string): string {
  if (name.startsWith('modelscope:')) return 'modelscope.cn';
  return name.startsWith('ollama:') ? 'registry.ollama.ai' : hubHost();
}

/** A repository of which there is no preset is fetched where the page may ask: its files become the model. */
function fetchingOf(c: Calculator): Fetching | undefined {
  if (!hubOffered()) return undefined;
  const fetch = (name: string) =>
    void loadHub().then(
      (hub) => hub?.fetchModel(c, name),
      () => c.reading.fail(notLoaded),
    );
  return { label: (name) => c.texts.t('list.fetch', { name: name.replace(/^(modelscope|ollama):/, ''), host: hostOf(name) }), fetch };
}

/** A model of the list, which is fetched when it is first opened. */
export function modelChoice(c: Calculator, id: FieldId): TemplateResult {
  const hint = c.texts.maybe(`hint.${id}`);
  const again = () => void c.models.list();
  const below = html`${hint ? html`<p class="hint">${hint}</p>` : nothing}${c.models.failed ? retryView(c, notLoaded, again) : nothing}`;
  return searchable(c, id, {
    kind: 'models',
    items: modelItems(c),
    open: () => c.models.list(),
    loading: !c.models.listed && !c.models.failed,
    below,
    fetching: id === 'model.preset' ? fetchingOf(c) : undefined,
  });
}
