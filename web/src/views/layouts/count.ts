// A field for a whole number that is at least one; what is none stays in the field, marked.

import { html, type TemplateResult } from 'lit';
import { parseNumber } from '../../state/numbers.ts';

export interface Count {
  name: string;
  label: string;
  value: number | undefined;
  most: number;
  /** It may be left empty. */
  optional?: boolean;
}

export function countView({ name, label, value, most, optional = false }: Count, take: (value: number | undefined) => void): TemplateResult {
  const write = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const number = input.value.trim() === '' ? undefined : parseNumber(input.value);
    const right = number !== undefined && Number.isInteger(number) && number >= 1 && number <= most;
    const empty = optional && input.value.trim() === '';
    input.setAttribute('aria-invalid', String(!right && !empty));
    if (right || empty) take(number);
  };
  return html`<label class="field">
    <span class="label">${label}</span>
    <input type="text" inputmode="numeric" autocomplete="off" name=${name} .value=${String(value ?? '')} @input=${write} />
  </label>`;
}
