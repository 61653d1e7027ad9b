// Bars of several configurations at one scale, each with the load line of its own device.
// Positions are attributes of SVG: a strict Content-Security-Policy forbids inline styles.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { axis, colourOf, percent, stack } from '../../charts/scale.ts';
import { type Answer, headline } from '../../engine/reply.ts';
import type { Column, Comparison } from './comparison.ts';

function barView(view: Comparison, answer: Answer, name: string, whole: number): TemplateResult {
  const { texts } = view.calculator;
  const usable = answer.fit?.usable_bytes;
  const total = headline(answer).bytes;
  const parts = (answer.rows ?? []).map((row) => `${texts.name('row', row.id)} ${view.format.percent(row.bytes, total)}`).join(', ');
  return html`<dt>${name}</dt>
    <dd>
      <svg class="bar" role="img" aria-label=${`${name}: ${view.format.bytes(total)}. ${parts}`} width="100%" height="30">
        ${usable === undefined ? nothing : svg`<rect class="hull" x="0" width=${percent(usable, whole)} y="3" height="24"></rect>`}
        ${stack(answer.rows ?? []).map(
          ({ id, from, bytes }) => svg`<rect class="part ${colourOf(id)}" x=${percent(from, whole)} width=${percent(bytes, whole)} y="5" height="20">
            <title>${texts.name('row', id)}: ${view.format.bytes(bytes)}</title>
          </rect>`,
        )}
        ${usable === undefined ? nothing : svg`<g class="load-line"><line x1=${percent(usable, whole)} x2=${percent(usable, whole)} y1="0" y2="30"></line></g>`}
      </svg>
    </dd>`;
}

/** @param columns those that have an answer */
export function comparedBars(view: Comparison, columns: readonly Column[]): TemplateResult {
  const answers = view.found!.all.flatMap(({ answer }) => (answer ? [answer] : []));
  const whole = Math.max(...answers.map(axis), 1);
  const ids = [...new Set(answers.flatMap(({ rows = [] }) => rows.filter(({ bytes }) => bytes > 0).map(({ id }) => id)))];
  return html`<dl class="bars">${answers.map((answer, at) => barView(view, answer, columns[at]?.name ?? '', whole))}</dl>
    <p class="legend">
      ${ids.map((id) => html`<span><span class="swatch ${colourOf(id)}" aria-hidden="true"></span> ${view.calculator.texts.name('row', id)}</span>`)}
    </p>`;
}
