// Passes, and the rates that follow from them: estimate, range, limit and what binds.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { ReplyTime } from '../../engine/wire.d.ts';
import type { Key } from '../../languages/i18n.ts';
import { days, duration, rate, whyText } from './said.ts';

const shown = ['prefill', 'first_token', 'token', 'step', 'tokens_per_second', 'tokens_per_second_each', 'days'] as const;

function lineView(c: Calculator, time: ReplyTime, id: (typeof shown)[number]): TemplateResult | typeof nothing {
  const { t } = c.texts;
  const told = time[id];
  const limit = (time.roof as Record<string, number> | undefined)?.[id];
  if (!told && limit === undefined) return nothing;
  const say = (value: number): string => {
    if (id === 'days') return days(c, value);
    return id.startsWith('tokens') ? rate(c, value) : duration(c, value);
  };
  const value = told && ('seconds' in told ? told.seconds : told.value);
  const binds = told && 'binds' in told ? t(`time.bound.${told.binds}` as Key) : '';
  return html`<tr data-pass=${id} data-value=${value ?? nothing} data-limit=${limit ?? nothing}>
    <th scope="row">${t(`time.pass.${id}`)}</th>
    <td>${value === undefined ? '–' : html`<strong>${say(value)}</strong>`}</td>
    <td>${told && told.high > told.low ? t('time.span', { low: say(told.low), high: say(told.high) }) : ''}</td>
    <td>${limit === undefined ? '' : `${id.startsWith('tokens') ? '≤' : '≥'} ${say(limit)}`}</td>
    <td>${binds}</td>
  </tr>`;
}

/** Why some or all of it are limits alone. */
function whyView(c: Calculator, time: ReplyTime): TemplateResult | typeof nothing {
  if (!time.why) return nothing;
  const alone = !time.prefill && !time.token && !time.step;
  return html`<p class="why">${c.texts.t(alone ? 'time.limit.alone' : 'time.limit.partly', { why: whyText(c, time.why) })}</p>`;
}

export function passesView(c: Calculator, time: ReplyTime): TemplateResult {
  const { t } = c.texts;
  const heads = ['pass', 'estimate', 'range', 'least', 'binds'] as const;
  const mfu = time.mfu === undefined ? nothing : html`<p>${t('time.mfu', { share: c.format.percent(time.mfu, 1) })}</p>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${t('time.passes')}>
      <table class="passes">
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${t(`time.passes.${head}`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map((id) => lineView(c, time, id))}
        </tbody>
      </table>
    </div>
    ${mfu} ${whyView(c, time)}`;
}
