// How fast one of several configurations is, in the head of its column.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { State } from '../../state/state.ts';
import { facts, runs, whyText } from './said.ts';

/** Nothing of what does not run. */
export function comparedSpeed(c: Calculator, { values }: State, answer: Answer): TemplateResult | typeof nothing {
  const { time } = answer;
  if (!time || !runs(answer)) return nothing;
  const { t } = c.texts;
  const { limit, said } = facts(c, time, Number(values['inference.sequences'] ?? 1) > 1);
  const words = said.length > 0 ? said.join(' · ') : t('time.untold', { why: time.why ? whyText(c, time.why) : '' });
  return html`<p class="speed" data-speed=${time.tokens_per_second?.value ?? nothing} data-most=${time.roof?.tokens_per_second ?? nothing}>
    ${limit && said.length > 0 ? html`<span title=${t('time.limit.title')}>${t('time.limit')}:</span> ` : nothing}${words}
  </p>`;
}
