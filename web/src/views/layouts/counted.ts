// How far a search is, what became of all layouts, and why some are refused.

import { html, nothing, type TemplateResult } from 'lit';
import type { PlanAnswer, PlanLayout, PlanRefusal } from '../../engine/wire.d.ts';
import { fieldAt } from '../../state/fields.ts';
import { fieldName } from '../choosing/naming.ts';
import type { Layouts } from './layouts.ts';
import { nameOf } from './naming.ts';

/** The parts that have come, as a bar; nothing where no search runs. */
export function progressView(view: Layouts): TemplateResult | typeof nothing {
  const { calculator: c, found, running } = view;
  if (!running) return nothing;
  const { t } = c.texts;
  const said = found ? t('layouts.progress', { done: found.done, of: found.of }) : t('layouts.starting');
  return html`<div class="progress">
    <progress aria-label=${t('layouts.searching')} max=${found?.of ?? 1} .value=${found?.done ?? 0}></progress> <span>${said}</span>
  </div>`;
}

function refusalView(view: Layouts, { where, what, count, example }: PlanRefusal): TemplateResult {
  const { calculator: c, format } = view;
  const { t, sentence } = c.texts;
  const id = fieldAt(where, view.state.task);
  const request = example as PlanLayout['request'];
  const such = {
    request,
    devices: Number(request.devices ?? 1),
    micro_batch: request.training?.micro_batch,
    accumulation: request.training?.accumulation,
  };
  return html`<li data-refusal=${where}>
    <strong>${format.count(count)}</strong> ${id ? fieldName(c, id) : where}: ${sentence('refused', what)}.
    <span class="hint">${t('layouts.such_as', { layout: nameOf(view, such as PlanLayout) })}</span>
  </li>`;
}

/** All layouts by what became of them. */
export function countedView(view: Layouts, { counted, refusals, layouts }: PlanAnswer): TemplateResult {
  const { calculator: c, format } = view;
  const { t } = c.texts;
  const said = Object.fromEntries(Object.entries(counted).map(([name, count]) => [name, format.count(count)]));
  const sorted = refusals.toSorted((one, other) => other.count - one.count);
  return html`<p
      class="counted"
      data-all=${counted.all}
      data-refused=${counted.refused}
      data-bounded=${counted.bounded}
      data-estimated=${counted.estimated}
    >
      ${t('layouts.counted', said)} ${t('layouts.fit', said)} ${counted.within_reach > 0 ? t('layouts.reach', said) : nothing}
    </p>
    ${
      sorted.length > 0
        ? html`<details class="refusals">
            <summary>${t('layouts.refusals', { count: sorted.length })}</summary>
            <ul>
              ${sorted.map((refusal) => refusalView(view, refusal))}
            </ul>
          </details>`
        : nothing
    }
    ${layouts.length === 0 && !view.running ? html`<p class="none">${t('layouts.none')}</p>` : nothing}`;
}
