// The doors of the wizard, for those who come without a configuration: what is behind them comes when one is opened.

import { html, type TemplateResult } from 'lit';
import type { Texts } from '../languages/i18n.ts';
import type { Door } from './choosing/wizard.ts';

const doors: readonly Door[] = ['card', 'model', 'tune'];

export function doorsView({ t }: Texts, open: (door: Door) => void, hide: () => void): TemplateResult {
  return html`<section class="doors" aria-label=${t('wizard.title')}>
    <span>${t('wizard.doors')}</span>
    ${doors.map((door) => html`<button type="button" data-door=${door} @click=${() => open(door)}>${t(`wizard.door.${door}`)}</button>`)}
    <button type="button" class="hide" aria-label=${t('wizard.hide')} @click=${hide}><span aria-hidden="true">✕</span></button>
  </section>`;
}
