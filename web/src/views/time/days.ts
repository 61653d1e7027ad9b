// How many tokens a training has, from which the table of passes says how many days it takes.

import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { fieldView } from '../form/field.ts';

export function daysView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  return html`<section aria-labelledby="days-title">
    <h3 id="days-title">${t('time.days')}</h3>
    <p class="about">${t('time.days.about')}</p>
    <div class="typed">${fieldView(c, 'training.tokens')}</div>
  </section>`;
}
