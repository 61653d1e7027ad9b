// A text to copy, with its title.

import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { copy } from '../../state/sharing.ts';

/** @param title what the text is of, or for whom */
export function copyView(c: Calculator, title: string, text: string): TemplateResult {
  const { t } = c.texts;
  const take = async () => {
    await copy(text);
    c.announced = t('launch.copied');
  };
  return html`<figure>
    <figcaption>
      <span>${title}</span>
      <button type="button" aria-label=${`${t('launch.copy')}: ${title}`} @click=${take}>${t('launch.copy')}</button>
    </figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`;
}
