// What the answer rests on: what the engine assumed, what it could not tell, and what it notes.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { field, fieldAt, pathOf } from '../../state/fields.ts';
import type { Key } from '../../languages/i18n.ts';
import type { Answer } from '../../engine/reply.ts';
import { valueName } from '../form/field.ts';
import { noteText, sourceView } from './explanation.ts';

export function fieldName(c: Calculator, path: string): string {
  const id = fieldAt(path, c.state.task);
  return id && pathOf(field(id)) === path ? c.texts.t(`field.${id}` as Key) : c.texts.name('symbols', path);
}

export const valueText = (c: Calculator, field: string, value: unknown): string => {
  if (typeof value === 'number') return c.format.count(value);
  if (typeof value === 'boolean') return c.texts.t(value ? 'value.yes' : 'value.no');
  if (typeof value !== 'string') return JSON.stringify(value);
  const id = fieldAt(field, c.state.task);
  const named = id === undefined ? value : valueName(c, id, value);
  return named === value ? c.texts.name(`option.${field}`, value) : named;
};

/** What the engine took where nothing was said. */
export function assumedView(c: Calculator, { assumptions = [] }: Answer): TemplateResult {
  return html`<dl class="assumptions">
    ${assumptions.map(
      ({ field, value, why }) =>
        html`<div>
          <dt>${fieldName(c, field)}</dt>
          <dd><strong>${valueText(c, field, value)}</strong> <span class="why">${sourceView(c.texts.sentence('why', why))}</span></dd>
        </div>`,
    )}
  </dl>`;
}

export function missingView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  if (!answer.missing?.length) return nothing;
  return html`<section class="card missing" aria-labelledby="missing-title">
    <h2 id="missing-title">${c.texts.t('aside.missing')}</h2>
    <p>${c.texts.t('aside.missing_text')}</p>
    <ul>
      ${answer.missing.map((name) => html`<li>${c.texts.name('field', `model.${name}`)}</li>`)}
    </ul>
  </section>`;
}

export function notesView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  if (!answer.notes?.length) return nothing;
  return html`<section class="card notes" aria-labelledby="notes-title">
    <h2 id="notes-title">${c.texts.t('aside.notes')}</h2>
    <ul>
      ${answer.notes.map((note) => html`<li>${noteText(c, note)}</li>`)}
    </ul>
  </section>`;
}
