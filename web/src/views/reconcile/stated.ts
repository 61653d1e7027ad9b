// The settings that a log states, each with the line that it came from: a list to confirm, which fills the form.

import { html, nothing, type TemplateResult } from 'lit';
import { formField } from '../../reconcile/holding.ts';
import { unused, withLines } from '../../reconcile/laying.mjs';
import { request } from '../../state/request.ts';
import { nameOf, valueNamed } from './naming.ts';
import type { Shown } from './shown.ts';

const lineView = (line: string | undefined): TemplateResult | typeof nothing => (line ? html`<code class="line">${line.trim()}</code>` : nothing);

const plain = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value));

/** What no field came from, so that nobody wonders whether it was read. */
function unusedView({ c, log }: Shown): TemplateResult | typeof nothing {
  const others = unused(log);
  if (others.length === 0) return nothing;
  return html`<details>
    <summary>${c.texts.t('reconcile.stated.others', { count: others.length })}</summary>
    <ul class="stated">
      ${others.map(
        ({ name, value, line }) =>
          html`<li>
            <span><code>${name}</code> ${plain(value)}</span> ${lineView(line)}
          </li>`,
      )}
    </ul>
  </details>`;
}

/** @param toggle takes a field, or leaves it */
export function statedView(shown: Shown, toggle: (field: string) => void): TemplateResult | typeof nothing {
  const { c, log, taken, state } = shown;
  const { t } = c.texts;
  const stated = withLines(log);
  if (stated.length === 0) return unusedView(shown);
  const same = request(state, 'none') === request(c.state, 'none');
  const fill = () => {
    c.state = state;
    c.announced = t('reconcile.filled');
  };
  const item = ({ field, value, line }: (typeof stated)[number]) => {
    const id = formField(field);
    return html`<li data-stated=${field}>
      <label>
        <input
          type="checkbox"
          .checked=${taken.some((one) => one.field === field)}
          ?disabled=${id && c.isLocked(id)}
          @change=${() => toggle(field)}
        />
        <span>${t('form.pair', { name: nameOf(c, field), value: valueNamed(c, field, value) })}</span>
      </label>
      ${lineView(line)} ${id ? nothing : html`<span class="hint">${t('reconcile.stated.no_field')}</span>`}
    </li>`;
  };
  return html`<section aria-labelledby="stated-title">
    <h3 id="stated-title">${t('reconcile.stated')}</h3>
    <ul class="stated">
      ${stated.map(item)}
    </ul>
    <div class="actions">
      <button type="button" data-act="fill" ?disabled=${same} @click=${fill}>${t('reconcile.fill')}</button>
      ${same ? html`<span class="hint">${t('reconcile.same')}</span>` : nothing}
    </div>
    ${unusedView(shown)}
  </section>`;
}
