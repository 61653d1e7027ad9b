// The head of the site: its name, the ways in for those who are new, language and theme.

import { html, type TemplateResult } from 'lit';
import { type Language, languages, type Texts } from '../languages/i18n.ts';
import { mark } from './mark.ts';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export interface HeaderActions {
  guide: () => void;
  examples: () => void;
  language: (language: Language) => void;
  theme: (theme: Theme) => void;
}

function choice<T extends string>(name: string, label: string, options: Record<T, string>, value: T, choose: (value: T) => void): TemplateResult {
  return html`<label class="choice"
    ><span class="hidden">${label}</span>
    <select name=${name} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as T)}>
      ${Object.entries<string>(options).map(([id, text]) => html`<option value=${id} .selected=${id === value}>${text}</option>`)}
    </select>
  </label>`;
}

export function headerView({ t }: Texts, language: Language, theme: Theme, does: HeaderActions): TemplateResult {
  const themeNames = Object.fromEntries(themes.map((one) => [one, t(`theme.${one}`)])) as Record<Theme, string>;
  return html`<header>
    <h1>${mark}<span>Plimsoll</span></h1>
    <p>${t('app.tagline')}</p>
    <nav aria-label=${t('app.settings')}>
      <button type="button" @click=${does.guide}>${t('wizard.open')}</button>
      <button type="button" @click=${does.examples}>${t('examples.open')}</button>
      ${choice('language', t('app.language'), languages, language, does.language)} ${choice('theme', t('app.theme'), themeNames, theme, does.theme)}
    </nav>
  </header>`;
}
