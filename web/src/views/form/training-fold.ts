// A fold of the training form: its title shows in one line what holds in it.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { type FieldId, field } from '../../state/fields.ts';
import type { Key } from '../../languages/i18n.ts';
import { valueName, valueOf } from './field.ts';
import { fold } from './fold.ts';

/** What holds in one field, in a word or two; nothing where it would say no more than that all is as usual. */
function inShort(c: Calculator, id: FieldId): string | undefined {
  const { kind } = field(id);
  const value = valueOf(c, id);
  const name = c.texts.maybe(`short.${id}`) ?? c.texts.t(`field.${id}` as Key);
  if (kind === 'switch') return value === true ? name : undefined;
  if (typeof value === 'number') return value === field(id).initial ? undefined : `${name} ${c.format.count(value)}`;
  const usual = c.texts.maybe(`form.default.${id}`);
  if (value === undefined && /^[\d.]+$/.test(usual ?? '')) return undefined;
  const text = typeof value === 'string' ? valueName(c, id, value) : usual;
  return text && c.texts.maybe(`short.${id}`) ? c.texts.t('form.pair', { name, value: text }) : text;
}

/** @param shown the fields in it that are offered */
export function foldOf(
  c: Calculator,
  title: string,
  shown: readonly FieldId[],
  view: (id: FieldId) => TemplateResult,
): TemplateResult | typeof nothing {
  if (shown.length === 0) return nothing;
  const values = shown.map((id) => inShort(c, id)).filter((text) => text !== undefined);
  return fold(c, {
    name: title,
    title: html`${c.texts.t(title as Key)} <span class="holds">${values.join(' · ')}</span>`,
    body: () => html`<div class="columns rows">${shown.map((id) => view(id))}</div>`,
    asked: shown.some((id) => c.mistake(id) !== undefined),
  });
}
