// What a pass's time is made of: rows as those of memory, which open to their formulas.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { PassTime, TimeRow } from '../../engine/wire.d.ts';
import { sourcesView, symbolsView } from '../answer/explanation.ts';
import { formulaView } from '../answer/formula.ts';
import { colourOfPart } from './colours.ts';
import { duration } from './said.ts';

/** A part of the model, as the rows of memory name it. */
export const partName = (c: Calculator, id: string): string => c.texts.maybe(`time.row.${id}`) ?? c.texts.name('part', id);

function explanation(c: Calculator, answer: Answer, row: TimeRow): TemplateResult {
  const seconds = html`<strong>${c.texts.t('time.rows.seconds', { count: c.format.count(row.seconds) })}</strong>`;
  return html`<div class="explanation">
    ${
      row.formula
        ? html`<div class="equation">
              <div>${formulaView(c, row.formula, 'names')}</div>
              <div>= ${formulaView(c, row.formula, 'values')}</div>
              <div>= ${seconds}</div>
            </div>
            ${symbolsView(c, answer, row.formula)}`
        : html`<p class="equation">${seconds}</p>`
    }
    ${sourcesView(c, row.sources)}
  </div>`;
}

function rowView(c: Calculator, answer: Answer, row: TimeRow, whole: number, open: boolean, toggle: () => void): TemplateResult {
  const detail = `time-detail-${row.id}`;
  return html`<tr class="row level-0" data-time-row=${row.id} data-seconds=${row.seconds}>
      <th scope="row">
        <button type="button" aria-expanded=${open} aria-controls=${detail} @click=${toggle}>
          <span class="twist" aria-hidden="true"></span><span class="swatch ${colourOfPart(row.id)}" aria-hidden="true"></span>
          <span>${partName(c, row.id)}</span>
        </button>
      </th>
      <td class="bytes">${duration(c, row.seconds)}</td>
      <td class="share">${c.format.percent(row.seconds, whole)}</td>
    </tr>
    ${
      open
        ? html`<tr class="detail" id=${detail}>
            <td colspan="3">${explanation(c, answer, row)}</td>
          </tr>`
        : nothing
    }`;
}

/** @param open ids of the rows that stand open */
export function timeRows(c: Calculator, answer: Answer, pass: PassTime, open: ReadonlySet<string>, toggle: (id: string) => void): TemplateResult {
  const { t } = c.texts;
  const whole = pass.rows.reduce((sum, row) => sum + row.seconds, 0);
  return html`<section class="rows" aria-labelledby="time-rows">
    <h3 id="time-rows">${t('time.rows')}</h3>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('rows.part')}</th>
          <th scope="col" class="bytes">${t('time.rows.time')}</th>
          <th scope="col" class="share">${t('rows.share')}</th>
        </tr>
      </thead>
      <tbody>
        ${pass.rows.map((row) => rowView(c, answer, row, whole, open.has(row.id), () => toggle(row.id)))}
      </tbody>
    </table>
  </section>`;
}
