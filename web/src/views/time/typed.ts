// A number above 0 that somebody types here and nothing keeps.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { parseNumber } from '../../state/numbers.ts';

/** A number above 0; undefined where there is none, or nothing. */
export function positive(text: string): number | undefined {
  const value = parseNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

/** The field, with what is wrong with its text. */
export function typedView(c: Calculator, id: string, label: string, text: string, write: (text: string) => void): TemplateResult {
  const bad = text.trim() !== '' && positive(text) === undefined;
  return html`<label>
    <span class="label">${label}</span>
    <input
      type="text"
      inputmode="decimal"
      autocomplete="off"
      data-typed=${id}
      aria-invalid=${bad}
      .value=${text}
      @input=${(event: Event) => write((event.target as HTMLInputElement).value)}
    />
    ${bad ? html`<span class="error" role="alert">${c.texts.t('time.price.bad')}</span>` : nothing}
  </label>`;
}
