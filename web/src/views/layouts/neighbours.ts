// Why the layouts one step from the drawn one are no better: each changes two degrees, or one other choice.

import { html, nothing, type TemplateResult } from 'lit';
import { kindOf, type Neighbour, neighboursOf } from '../../answers/neighbours.mjs';
import { degreeNames } from '../../answers/planning.mjs';
import type { Difference, LayoutChange, Plan, PlanAnswer } from '../../engine/wire.d.ts';
import type { Key } from '../../languages/i18n.ts';
import { errorWords, valueName } from '../form/field.ts';
import { duration } from '../time/said.ts';
import type { Layouts } from './layouts.ts';
import { nameOf } from './naming.ts';

const short: Readonly<Record<string, string>> = { ...degreeNames, zero: 'ZeRO' };

function changeText(view: Layouts, { field, from, to }: LayoutChange): string {
  const { calculator: c } = view;
  const name = field.split('.')[1]!;
  if (name === 'checkpointing') {
    const value = (one: string | number | undefined) => (one === undefined ? '–' : valueName(c, 'training.checkpointing', String(one)));
    return `${c.texts.t('layouts.column.recompute')} ${value(from)} → ${value(to)}`;
  }
  return `${short[name] ?? c.texts.t('layouts.neighbours.micro_batch')} ${from ?? '–'} → ${to}`;
}

function figure(view: Layouts, { measure }: Difference, value: number): string {
  const forms = {
    time: () => duration(view.calculator, value),
    count: () => view.format.count(Math.floor(value)),
    share: () => view.format.percent(value, 1),
    bytes: () => view.format.bytes(value),
  };
  return forms[kindOf(measure)]();
}

/** What differs as it is written; what is written alike is left out. */
function differing(view: Layouts, list: readonly Difference[]): TemplateResult | typeof nothing {
  const told = list.map((one) => ({ ...one, was: figure(view, one, one.from), is: figure(view, one, one.to) })).filter(({ was, is }) => was !== is);
  if (told.length === 0) return nothing;
  return html`<ul>
    ${told.map(({ measure, was, is }) => html`<li>${view.calculator.texts.t(`layouts.neighbours.${measure}` as Key)} ${was} → ${is}</li>`)}
  </ul>`;
}

function reasonCells(view: Layouts, neighbour: Neighbour): TemplateResult {
  const { texts } = view.calculator;
  if (neighbour.kind === 'refused')
    return html`<td colspan="2">${texts.t('layouts.neighbours.refused')} ${errorWords(texts, neighbour.error).text}</td>`;
  if (neighbour.kind === 'unfit') {
    const { over, verdict } = neighbour;
    const said = over > 0 ? texts.t('layouts.neighbours.over', { bytes: view.format.bytes(over) }) : texts.name('verdict', verdict ?? 'too large');
    return html`<td colspan="2">${said}</td>`;
  }
  const [worse, better] = [differing(view, neighbour.worse), differing(view, neighbour.better)];
  const alike = worse === nothing && better === nothing;
  const said = neighbour.kind === 'ahead' ? 'ahead' : 'alike';
  const told = said === 'ahead' || alike ? html`<p>${texts.t(`layouts.neighbours.${said}`)}</p>` : nothing;
  return html`<td>${told}${worse}</td>
    <td>${better}</td>`;
}

function rowView(view: Layouts, neighbour: Neighbour): TemplateResult {
  const text = neighbour.changes.map((one) => changeText(view, one)).join(', ');
  const { t } = view.calculator.texts;
  const layout = 'layout' in neighbour ? neighbour.layout : undefined;
  const name = layout
    ? html`<button type="button" class="take" aria-label=${`${t('layouts.take')}: ${text}`} @click=${() => view.take(layout)}>${text}</button>`
    : text;
  return html`<tr data-neighbour=${neighbour.kind}>
    <th scope="row">${name}</th>
    ${reasonCells(view, neighbour)}
  </tr>`;
}

function tableView(view: Layouts, all: readonly Neighbour[], title: string): TemplateResult {
  const { t } = view.calculator.texts;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${title}>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('layouts.neighbours.change')}</th>
          <th scope="col">${t('layouts.neighbours.worse')}</th>
          <th scope="col">${t('layouts.neighbours.better')}</th>
        </tr>
      </thead>
      <tbody>
        ${all.map((one) => rowView(view, one))}
      </tbody>
    </table>
  </div>`;
}

/** The neighbours of the drawn layout, compared when they are asked for. */
export function neighboursView(view: Layouts, reply: PlanAnswer): TemplateResult | typeof nothing {
  const { t } = view.calculator.texts;
  const layout = view.drawn ?? reply.layouts[0]!;
  if (neighboursOf(JSON.parse(view.asked) as Plan, layout).length === 0) return nothing;
  const { of, all } = view.beside ?? {};
  const title = t('layouts.neighbours', { layout: nameOf(view, layout) });
  const waits = of === layout && !all;
  return html`<section class="neighbours" aria-labelledby="neighbours-title">
    <h3 id="neighbours-title">${title}</h3>
    ${
      of === layout && all
        ? tableView(view, all, title)
        : html`<p>
            <button type="button" data-layouts="neighbours" ?disabled=${waits || view.running} @click=${() => void view.compare(layout)}>
              ${t(waits ? 'layouts.neighbours.waits' : 'layouts.neighbours.ask')}
            </button>
          </p>`
    }
  </section>`;
}
