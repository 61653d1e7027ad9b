// What a price of an hour and a board's power make of a speed. What is typed here goes nowhere.

import { html, nothing, type TemplateResult } from 'lit';
import { energyAtMost, priced } from '../../time/pricing.mjs';
import type { Calculator } from '../../app/calculator.ts';
import type { ReplyTime } from '../../engine/wire.d.ts';
import { amount } from './said.ts';
import { positive, typedView } from './typed.ts';

export interface Typed {
  hour: string;
  watts: string;
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
  const input = (id: keyof Typed) => typedView(c, id, t(`time.price.${id}`), typed[id], (text) => write({ ...typed, [id]: text }));
  return html`<section class="price" aria-labelledby="price-title">
    <h3 id="price-title">${t('time.price')}</h3>
    <p class="about">${t(c.state.task === 'training' ? 'time.price.about.training' : 'time.price.about')}</p>
    <div class="typed">${input('hour')} ${input('watts')}</div>
    <div role="status">${priceText(c, time, positive(typed.hour))} ${energyText(c, time, positive(typed.watts))}</div>
  </section>`;
}
