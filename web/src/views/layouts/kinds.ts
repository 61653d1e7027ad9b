// Clusters of other devices than the form's, on which a layout may run instead: a picker and its sizes for each.

import { html, nothing, type TemplateResult } from 'lit';
import { mostDevices, type OtherCluster } from '../../layouts/question.ts';
import { deviceItems } from '../form/lists.ts';
import { countView } from './count.ts';
import type { Layouts } from './layouts.ts';

/** More kinds than anybody has: the engine searches each by itself. */
const most = 7;

const beside = 'a100-sxm-80gb';

function sizeView(view: Layouts, other: OtherCluster, at: number, name: 'nodes' | 'perNode'): TemplateResult {
  const label = view.calculator.texts.t(`layouts.${name}`);
  const take = (value: number | undefined) => change(view, at, { ...other, [name]: value });
  return countView({ name: `layouts-${name}-${at}`, label, value: other[name], most: mostDevices }, take);
}

const change = (view: Layouts, at: number, other: OtherCluster): void => {
  view.wish = { ...view.wish, others: view.wish.others.with(at, other) };
};

function kindView(view: Layouts, other: OtherCluster, at: number): TemplateResult {
  const { calculator: c, wish } = view;
  const { t } = c.texts;
  const label = t('layouts.other', { number: at + 2 });
  /** The button that had the focus goes with its cluster. */
  const remove = () => {
    view.wish = { ...wish, others: wish.others.toSpliced(at, 1) };
    void view.updateComplete.then(() => view.renderRoot.querySelector<HTMLElement>('.add')?.focus());
  };
  return html`<li class="sizes" data-kind=${other.device}>
    <div class="field want">
      <label class="label" for="layouts-device-${at}">${label}</label>
      <plimsoll-combobox
        name="layouts-device-${at}"
        label=${label}
        kind="devices"
        empty=${t('form.nothing_found')}
        coming=${t('form.loading')}
        .value=${other.device}
        .items=${deviceItems(c)}
        @choose=${(event: CustomEvent<string>) => change(view, at, { ...other, device: event.detail })}
      ></plimsoll-combobox>
    </div>
    ${sizeView(view, other, at, 'nodes')} ${sizeView(view, other, at, 'perNode')}
    <button type="button" class="remove" aria-label=${`${t('devices.remove')}: ${label}`} @click=${remove}>
      <span aria-hidden="true">✕</span>
    </button>
  </li>`;
}

/** The other clusters, and the button that adds one. */
export function kindsView(view: Layouts): TemplateResult {
  const { calculator: c, wish } = view;
  const { t } = c.texts;
  const { perNode, nodes, others } = wish;
  const add = () => (view.wish = { ...wish, others: [...others, { device: others.at(-1)?.device ?? beside, perNode, nodes }] });
  return html`${
      others.length > 0
        ? html`<p class="hint">${t('layouts.others')}</p>
            <ul class="others">
              ${others.map((other, at) => kindView(view, other, at))}
            </ul>`
        : nothing
    }
    <p><button type="button" class="add" ?disabled=${others.length >= most} @click=${add}>${t('layouts.add')}</button></p>`;
}
