// "Add this as a measured case": the row to send upstream, without a word of the text itself.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { assets } from '../../engine/assets.ts';
import { measuredCase } from '../../reconcile/case.mjs';
import { requestWith } from '../../reconcile/holding.ts';
import type { State } from '../../state/state.ts';
import { copyView } from './copying.ts';
import type { Shown } from './shown.ts';

/** How a measured row is added, in the project's own words; it lies beside the site. */
const contributing = 'CONTRIBUTING.md';

/** The model's config: the preset's, or the one in the form. */
async function configOf({ model, values }: State): Promise<object | undefined> {
  if (model === 'config') return JSON.parse(String(values['model.config'] ?? '{}')) as object;
  const text = model === 'preset' ? await assets().model(String(values['model.preset'])) : undefined;
  return text === undefined ? undefined : (JSON.parse(text) as { config: object }).config;
}

/** Rows that were made, by the calculator and the text that they are of. */
const made = new WeakMap<object, string>();

async function make(c: Calculator, { log, state, taken }: Shown): Promise<void> {
  const request = JSON.parse(requestWith(state, taken)) as object;
  const date = new Date().toISOString().slice(0, 10);
  made.set(log, JSON.stringify(measuredCase(log, request, await configOf(state).catch(() => undefined), date)));
  c.announced = c.texts.t('reconcile.row.made');
}

/** @param changed called once the row is there */
export function rowView(shown: Shown, changed: () => void): TemplateResult | typeof nothing {
  const { c, log, held } = shown;
  if (!held || !('compared' in held) || log.figures.every(({ estimate }) => estimate)) return nothing;
  const { t } = c.texts;
  const row = made.get(log);
  return html`<section class="row" aria-labelledby="row-title">
    <h3 id="row-title">${t('reconcile.row')}</h3>
    <p class="hint">${t('reconcile.row.what')} ${c.link ? html`<a href=${contributing}>${t('reconcile.row.how')}</a>` : t('reconcile.row.how')}</p>
    <button type="button" data-act="row" @click=${() => make(c, shown).then(changed)}>${t('reconcile.row.make')}</button>
    ${row === undefined ? nothing : copyView(c, 'JSON', row)}
  </section>`;
}
