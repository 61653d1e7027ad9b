// What a price of an hour and a board's power make of a speed. What is typed here goes nowhere.

import { html, nothing, type TemplateResult } from 'lit';
import { energyAtMost, priced } from '../../time/pricing.mjs';
import type { Calculator } from '../../app/calculator.ts';
import type { ReplyTime } from '../../engine/wire.d.ts';
import { parseNumber } from '../../state/numbers.ts';
import { amount } from './said.ts';

export interface Typed {
  hour: string;
  watts: string;
}

/** A number above 0; undefined where there is none, or nothing. */
function positive(text: string): number | undefined {
  const value = parseNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

const isBad = (text: string): boolean => text.trim() !== '' && positive(text) === undefined;

function inputView(c: Calculator, id: keyof Typed, typed: Typed, write: (typed: Typed) => void): TemplateResult {
  const bad = isBad(typed[id]);
  return html`<label>
    <span class="label">${c.texts.t(`time.price.${id}`)}</span>
    <input
      type="text"
      inputmode="decimal"
      autocomplete="off"
      data-typed=${id}
      aria-invalid=${bad}
      .value=${typed[id]}
      @input=${(event: Event) => write({ ...typed, [id]: (event.target as HTMLInputElement).value })}
    />
    ${bad ? html`<span class="error" role="alert">${c.texts.t('time.price.bad')}</span>` : nothing}
  </label>`;
}

function priceText(c: Calculator, time: ReplyTime, hour: number | undefined): TemplateResult | typeof nothing {
  const found = hour === undefined ? undefined : priced(time, hour);
  if (!found) return nothing;
  const say = (value: number | undefined): string => amount(c, value ?? 0);
  const values = { tokens: say(found.tokens), low: say(found.low), high: say(found.high), price: say(found.price) };
  return html`<p data-tokens=${found.tokens}>${c.texts.t(found.limit ? 'time.price.tokens.most' : 'time.price.tokens', values)}</p>`;
}

function energyText(c: Calculator, time: ReplyTime, watts: number | undefined): TemplateResult | typeof nothing {
  if (watts === undefined) return nothing;
  const energy = energyAtMost(time, watts);
  const { t } = c.texts;
  if (energy === undefined) return html`<p>${t('time.price.energy.none')}</p>`;
  return html`<p data-energy=${energy}>${t('time.price.energy', { energy: amount(c, energy) })}</p>`;
}

export function priceView(c: Calculator, time: ReplyTime, typed: Typed, write: (typed: Typed) => void): TemplateResult {
  const { t } = c.texts;
  return html`<section class="price" aria-labelledby="price-title">
    <h3 id="price-title">${t('time.price')}</h3>
    <p class="about">${t('time.price.about')}</p>
    <div class="typed">${inputView(c, 'hour', typed, write)} ${inputView(c, 'watts', typed, write)}</div>
    <div role="status">${priceText(c, time, positive(typed.hour))} ${energyText(c, time, positive(typed.watts))}</div>
  </section>`;
}
