// The result, to be taken elsewhere.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Key } from '../../languages/i18n.ts';
import type { Answer } from '../../engine/reply.ts';
import { shownJson } from '../../files/shown.mjs';
import { copy, markdown } from '../../state/sharing.ts';

export function shareView(c: Calculator, answer: Answer): TemplateResult {
  const { t } = c.texts;
  const forms: Record<string, (() => string) | undefined> = {
    link: c.link ?? undefined,
    markdown: () => markdown(c, answer),
    json: () => shownJson(JSON.stringify(answer, null, 2)),
    request: () => shownJson(c.request),
  };
  const take = async (form: string, text: string) => {
    await copy(text);
    c.announced = c.copied = t(`share.copied.${form}` as Key);
  };
  return html`<section class="share" aria-label=${t('share.title')}>
    <span>${t('share.title')}</span>
    ${Object.entries(forms).map(([form, text]) =>
      text ? html`<button type="button" data-copy=${form} @click=${() => take(form, text())}>${t(`share.${form}` as Key)}</button>` : nothing,
    )}
    <span class="copied">${c.copied}</span>
  </section>`;
}
