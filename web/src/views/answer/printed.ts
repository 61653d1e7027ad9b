// On paper, where there is no form: what was chosen and what was assumed, and where the page stands.

import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { Key } from '../../languages/i18n.ts';
import { type Field, type FieldId, fields, type Value } from '../../state/fields.ts';
import { counts } from '../../state/state.ts';
import { valueName } from '../form/field.ts';
import { fieldName, valueText } from './aside.ts';
import { deviceName } from './summary.ts';

/** A chosen value in the form's own words. */
function said(c: Calculator, { id, kind }: Field, value: Value): string {
  if (id === 'model.preset') return c.model?.name ?? String(value);
  if (id === 'device.preset') return deviceName(c);
  if (kind === 'memory') return c.format.bytes(Number(value));
  if (kind === 'runtime') return c.tables?.runtimes.find((one) => one.id === value)?.name ?? String(value);
  if (typeof value === 'boolean') return c.texts.t(value ? 'value.yes' : 'value.no');
  return typeof value === 'number' ? c.format.count(value) : valueName(c, id as FieldId, String(value));
}

export function printedView(c: Calculator, { assumptions = [] }: Answer): TemplateResult {
  const { t } = c.texts;
  const chosen = (fields as readonly Field[]).flatMap((one) => {
    const value = c.state.values[one.id as FieldId];
    const holds = value !== undefined && one.kind !== 'json' && counts(c.state, one.id as FieldId);
    return holds ? [[t(`field.${one.id}` as Key), said(c, one, value)] as const] : [];
  });
  const assumed = assumptions.map(({ field, value }) => [fieldName(c, field), valueText(c, field, value)] as const);
  const list = (pairs: readonly (readonly [string, string])[]) =>
    html`<dl>
      ${pairs.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>`;
  return html`<section class="printed">
    <h2>${t(`task.${c.state.task}`)}</h2>
    ${list(chosen)}
    <h2>${t('aside.assumptions')}</h2>
    ${list(assumed)}
    <p>${c.link?.()}</p>
  </section>`;
}
