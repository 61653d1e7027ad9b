// A choice of few, as radio buttons in one strip.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

export function strip<T extends string>(
  name: string,
  label: string,
  options: readonly (readonly [T, string])[],
  value: T,
  choose: (value: T) => void,
): TemplateResult {
  return html`<div class="strip" role="radiogroup" aria-label=${label}>
    ${options.map(
      ([id, text]) =>
        html`<label
          ><input type="radio" name=${name} value=${id} .checked=${live(id === value)} @change=${() => choose(id)} /><span>${text}</span></label
        >`,
    )}
  </div>`;
}
