// Several devices of different kinds: a picker for each, in the order in which the runtime counts them.

import '../../languages/texts-later.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { controlId, errorView } from './field.ts';
import { deviceItems } from './lists.ts';

const id = 'device.list';

/** More than a chassis holds. */
const most = 16;

export function deviceListView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const chosen = String(c.state.values[id] ?? '').split(',');
  const choose = (devices: readonly string[]) => c.set(id, devices.join(','));
  /** The button that had the focus goes with its device. */
  const remove = (at: number) => {
    choose(chosen.toSpliced(at, 1));
    void c.updateComplete.then(() => c.renderRoot.querySelector<HTMLElement>('.add')?.focus());
  };
  const name = (at: number): string => t('devices.name', { number: at });
  const picker = (device: string, at: number) =>
    html`<li class="field preset">
      <label for="${controlId(id)}-${at}">${name(at)}</label>
      <plimsoll-combobox
        name="${controlId(id)}-${at}"
        label=${name(at)}
        kind="devices"
        empty=${t('form.nothing_found')}
        coming=${t('form.loading')}
        .value=${device}
        .items=${deviceItems(c)}
        ?disabled=${c.isLocked(id)}
        @choose=${(event: CustomEvent<string>) => choose(chosen.with(at, event.detail))}
      ></plimsoll-combobox>
      ${
        chosen.length > 1
          ? html`<button type="button" aria-label=${`${t('devices.remove')}: ${name(at)}`} @click=${() => remove(at)}>
              <span aria-hidden="true">✕</span>
            </button>`
          : nothing
      }
    </li>`;
  return html`<div data-field=${id}>
    <ol class="device-list">
      ${chosen.map(picker)}
    </ol>
    <button type="button" class="add" ?disabled=${chosen.length >= most} @click=${() => choose([...chosen, chosen.at(-1)!])}>
      ${t('devices.add')}
    </button>
    ${errorView(c, id)}
  </div>`;
}
