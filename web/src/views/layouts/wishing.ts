// What is asked of a search: the cluster, what the best are best at, the global batch, and what stays as the form has it.

import { html, nothing, type TemplateResult } from 'lit';
import { keepable, type Kept, mostDevices, type Want, type Wish, wants } from '../../layouts/question.ts';
import { deviceName } from '../answer/summary.ts';
import { countView } from './count.ts';
import { kindsView } from './kinds.ts';
import type { Layouts } from './layouts.ts';

type Size = 'perNode' | 'nodes' | 'batch' | 'within' | 'between';

/** Of each size the greatest number. */
const most: Readonly<Record<Size, number>> = { perNode: mostDevices, nodes: mostDevices, batch: 1e9, within: 1e5, between: 1e5 };

function sizeView(view: Layouts, name: Size): TemplateResult {
  const { calculator: c, wish } = view;
  const label = c.texts.t(`layouts.${name}`);
  const write = (value: number | undefined) => (view.wish = { ...wish, [name]: value } as Wish);
  return countView({ name: `layouts-${name}`, label, value: wish[name], most: most[name], optional: name === 'batch' }, write);
}

function wantView(view: Layouts): TemplateResult {
  const { calculator: c, wish, state } = view;
  const { t } = c.texts;
  const all = wants[state.task];
  const choose = (event: Event) => (view.wish = { ...wish, want: (event.target as HTMLSelectElement).value as Want });
  const chosen = all.includes(wish.want) ? wish.want : all[0];
  return html`<label class="field want">
    <span class="label">${t('layouts.want')}</span>
    <select name="layouts-want" @change=${choose}>
      ${all.map((want) => html`<option value=${want} .selected=${want === chosen}>${t(`layouts.want.${want}`)}</option>`)}
    </select>
  </label>`;
}

function keptView(view: Layouts): TemplateResult {
  const { calculator: c, wish, state } = view;
  const { t } = c.texts;
  const toggle = (kind: Kept, on: boolean) => (view.wish = { ...wish, kept: on ? [...wish.kept, kind] : wish.kept.filter((one) => one !== kind) });
  return html`<fieldset class="kept">
    <legend class="label">${t('layouts.kept')}</legend>
    ${keepable(state.task).map(
      (kind) =>
        html`<label
          ><input
            type="checkbox"
            name="layouts-keep-${kind}"
            .checked=${wish.kept.includes(kind)}
            @change=${(event: Event) => toggle(kind, (event.target as HTMLInputElement).checked)}
          />
          ${t(`layouts.keep.${kind}`)}</label
        >`,
    )}
  </fieldset>`;
}

/** The question, with the button that asks it, or the one that stops. */
export function wishView(view: Layouts): TemplateResult {
  const { calculator: c, wish, state, running } = view;
  const { t } = c.texts;
  const devices = wish.perNode * wish.nodes;
  const most = Math.max(devices, ...wish.others.map(({ perNode, nodes }) => perNode * nodes));
  const submit = (event: Event) => {
    event.preventDefault();
    if (running) view.stop();
    else void view.start();
  };
  const cluster = t('layouts.cluster', { device: deviceName(c), count: view.format.count(devices) });
  return html`<form class="wish" @submit=${submit}>
    <p class="hint">${t('layouts.intro')} ${cluster}</p>
    <div class="sizes">
      ${sizeView(view, 'nodes')} ${sizeView(view, 'perNode')} ${state.task === 'training' ? sizeView(view, 'batch') : nothing} ${wantView(view)}
      ${state.task === 'training' && wish.want === 'shortest_step' ? [sizeView(view, 'within'), sizeView(view, 'between')] : nothing}
    </div>
    ${kindsView(view)} ${keptView(view)}
    <p class="actions">
      <button
        type="submit"
        class="primary"
        data-layouts=${running ? 'cancel' : 'search'}
        ?disabled=${!running && (most > mostDevices || c.mistakes.size > 0)}
      >
        ${t(running ? 'layouts.cancel' : 'layouts.search')}
      </button>
    </p>
  </form>`;
}
