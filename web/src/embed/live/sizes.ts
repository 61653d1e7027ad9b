// The answer in less room than the page has: a small box with three controls, one line, one picture, or several side by side.

import '../../languages/texts-later.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { barChart } from '../../charts/bar.ts';
import { colourOf, stack } from '../../charts/scale.ts';
import { type Answer, headline } from '../../engine/reply.ts';
import { type Field, type FieldId, fields } from '../../state/fields.ts';
import { defineCurve } from '../../views/charts/curve.ts';
import { deviceName } from '../../views/answer/summary.ts';
import { weightsView } from '../../views/form/encodings.ts';
import { errorText, fieldView } from '../../views/form/field.ts';
import { deviceItems } from '../../views/form/lists.ts';
import { modelChoice, searchable } from '../../views/form/searchable.ts';
import type { LiveCalculator } from './calculator.ts';
import { ShownComparison } from './compared.ts';

export type Size = 'full' | 'compact' | 'row' | 'bar' | 'curve' | 'compare';

/** Controls of a small box, where the author names none. */
const usual: Record<'inference' | 'training', readonly FieldId[]> = {
  inference: ['weights.encoding', 'inference.context', 'inference.sequences'],
  training: ['training.method', 'training.sequence', 'training.micro_batch'],
};

const most = 3;

function verdictView(c: LiveCalculator, { fit }: Answer): TemplateResult | typeof nothing {
  if (!fit) return nothing;
  const { t, name } = c.texts;
  const room = t(fit.free_bytes >= 0 ? 'summary.left' : 'summary.over', { bytes: c.format.bytes(Math.abs(fit.free_bytes)) });
  return html`<span class="verdict ${fit.verdict.replaceAll(' ', '-')}"
    ><span class="badge">${name('verdict', fit.verdict)}</span> <span class="left">${room}</span></span
  >`;
}

function nameView(c: LiveCalculator, answer: Answer): TemplateResult {
  const device = answer.fit ? c.texts.t('summary.capacity', { bytes: c.format.bytes(answer.fit.usable_bytes), device: deviceName(c) }) : '';
  return html`<p class="said"><strong>${answer.model?.name ?? ''}</strong> <span>${device}</span></p>`;
}

function numberView(c: LiveCalculator, answer: Answer): TemplateResult {
  const { number, unit } = c.format.split(headline(answer).bytes);
  return html`<span class="number"><span class="value">${number}</span> <span class="unit">${unit}</span></span>`;
}

/** The bar, with what each of its parts is. @param least share of a part that is named beside it; the bar's own text names all */
function barView(c: LiveCalculator, answer: Answer, least = 0): TemplateResult {
  const { t, name } = c.texts;
  const total = headline(answer).bytes;
  const said = (answer.rows ?? []).map((row) => `${name('row', row.id)} ${c.format.percent(row.bytes, total)}`).join(', ');
  return html`${barChart(answer, c.format, { label: t('summary.bar', { parts: said }), name: (id) => name('row', id) })}
    <ul class="legend">
      ${stack(answer.rows ?? [])
        .filter(({ bytes }) => bytes >= least * total)
        .map(
          ({ id, bytes }) =>
            html`<li data-row=${id} data-bytes=${bytes}>
              <span class="swatch ${colourOf(id)}" aria-hidden="true"></span> ${name('row', id)} <span>${c.format.bytes(bytes)}</span>
            </li>`,
        )}
    </ul>`;
}

function controlView(c: LiveCalculator, id: FieldId): TemplateResult {
  if (id === 'weights.encoding') return weightsView(c);
  if (id === 'model.preset') return modelChoice(c, id);
  if (id === 'device.preset') return searchable(c, id, { kind: 'devices', items: deviceItems(c) });
  return fieldView(c, id);
}

function controlsView(c: LiveCalculator): TemplateResult | typeof nothing {
  if (c.locked === '') return nothing;
  const { controls } = c;
  const named = (fields as readonly Field[]).filter(({ key }) => controls?.includes(key)).map(({ id }) => id as FieldId);
  const ids = controls ? named.sort((a, b) => at(a) - at(b)) : usual[c.state.task];
  function at(id: FieldId): number {
    return controls!.indexOf((fields as readonly Field[]).find((one) => one.id === id)!.key);
  }
  return html`<form class="controls" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
    ${ids.slice(0, most).map((id) => controlView(c, id))}
  </form>`;
}

function compactView(c: LiveCalculator, answer: Answer): TemplateResult {
  return html`${nameView(c, answer)}
    <p class="line">${numberView(c, answer)} ${verdictView(c, answer)}</p>
    ${barView(c, answer, 0.01)}`;
}

function curveView(c: LiveCalculator, answer: Answer): TemplateResult {
  defineCurve();
  return html`${nameView(c, answer)}<plimsoll-curve .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-curve>`;
}

function compareView(c: LiveCalculator): TemplateResult {
  if (!customElements.get('plimsoll-shown-comparison')) customElements.define('plimsoll-shown-comparison', ShownComparison);
  return html`<plimsoll-shown-comparison .calculator=${c} .format=${c.format} .pins=${c.pins} .state=${c.state}></plimsoll-shown-comparison>`;
}

const views: Record<Exclude<Size, 'full'>, (c: LiveCalculator, answer: Answer) => TemplateResult> = {
  compact: compactView,
  row: (c, answer) => html`<p class="line">${numberView(c, answer)} ${verdictView(c, answer)} ${said(c, answer)}</p>`,
  bar: (c, answer) => html`${nameView(c, answer)} ${barView(c, answer)}`,
  curve: curveView,
  compare: compareView,
};

/** On one line the model and the device are named alone. */
function said(c: LiveCalculator, answer: Answer): TemplateResult {
  return html`<span class="said">${[answer.model?.name, answer.fit && deviceName(c)].filter(Boolean).join(' · ')}</span>`;
}

export function sizeView(c: LiveCalculator, size: Exclude<Size, 'full'>, answer: Answer | undefined): TemplateResult {
  const { error } = c.asking;
  const fault = error ? html`<p class="banner" role="alert">${errorText(c, error)}</p>` : nothing;
  const body = answer ? html`<div class="last-good">${views[size](c, answer)}</div>` : html`<p>${c.texts.t('summary.loading')}</p>`;
  return html`<div role="group" aria-label=${c.texts.t('summary.title')} class="box is-${size}">
    ${fault} ${size === 'compare' ? compareView(c) : body} ${size === 'compact' ? controlsView(c) : nothing}
  </div>`;
}
