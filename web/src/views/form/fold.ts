// A fold: closed until it is asked for, and made only then. It stays as its reader left it.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';

export interface Fold {
  /** Its name among the folds of the calculator. */
  name: string;
  title: string | TemplateResult;
  body: () => unknown;
  /** Whether something in it counts already, so that it opens by itself. */
  asked?: boolean;
  card?: boolean;
  opened?: () => void;
}

export function fold(c: Calculator, { name, title, body, asked = false, card = false, opened }: Fold): TemplateResult {
  const open = asked || c.unfolded.has(name);
  const toggle = (event: Event) => {
    const unfolded = new Set(c.unfolded);
    const { open } = event.target as HTMLDetailsElement;
    if (open) unfolded.add(name);
    else unfolded.delete(name);
    c.unfolded = unfolded;
    if (open) opened?.();
  };
  return html`<details class=${card ? 'card fold' : 'fold'} data-fold=${name} ?open=${open} @toggle=${toggle}>
    <summary>${title}</summary>
    ${open ? body() : nothing}
  </details>`;
}
