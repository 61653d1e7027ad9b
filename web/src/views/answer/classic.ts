// The same state as the hosted calculator has it, beside ours, each difference in one line. Its figures come from the
// engine too (task "classic"), and so do those of the rule of thumb.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import { headline } from '../../engine/reply.ts';
import { noteText } from './explanation.ts';
import { errorText } from '../form/field.ts';

const ruleOfThumb = 'rule_of_thumb';

function comparisonView(c: Calculator, ours: Answer, theirs: Answer): TemplateResult {
  const { t, name } = c.texts;
  const ids = [...new Set([...(theirs.rows ?? []), ...(ours.rows ?? [])].map(({ id }) => id))];
  const size = (answer: Answer, id: string): string => {
    const row = answer.rows?.find((one) => one.id === id);
    return row ? c.format.bytes(row.bytes) : '–';
  };
  return html`<table class="comparison">
    <thead>
      <tr>
        <td></td>
        <th scope="col">${t('classic.theirs')}</th>
        <th scope="col">${t('classic.ours')}</th>
      </tr>
    </thead>
    <tbody>
      ${ids.map(
        (id) =>
          html`<tr>
            <th scope="row">${name('row', id)}</th>
            <td>${size(theirs, id)}</td>
            <td>${size(ours, id)}</td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">${t('rows.total')}</th>
        <td data-classic=${theirs.total.bytes}>${c.format.bytes(theirs.total.bytes)}</td>
        <td>${c.format.bytes(headline(ours).bytes)}</td>
      </tr>
    </tfoot>
  </table>`;
}

function thumbView(c: Calculator, theirs: Answer): TemplateResult | typeof nothing {
  const values = theirs.notes?.find(({ code }) => code === ruleOfThumb)?.values;
  if (!values) return nothing;
  const bytes = (key: string) => c.format.bytes(Number(values[key]));
  const text =
    c.state.task === 'inference'
      ? c.texts.t('classic.thumb_inference', { bytes: bytes('inference') })
      : c.texts.t('classic.thumb_training', { low: bytes('training_low'), high: bytes('training_high') });
  return html`<p class="thumb"><span class="label">${c.texts.t('classic.thumb')}</span> ${text}</p>`;
}

export function classicView(c: Calculator, ours: Answer): TemplateResult | undefined {
  const theirs = c.asking.classic;
  if (!theirs) return undefined;
  if ('error' in theirs) return html`<p class="refused">${c.texts.t('classic.refused')} ${errorText(c, theirs.error)}</p>`;
  const differences = (theirs.notes ?? []).filter(({ code }) => code !== ruleOfThumb);
  return html`<div class="classic">
    <p class="hosted">${c.texts.t('classic.shows')} <strong>${c.format.hosted(theirs.total.bytes)}</strong></p>
    ${comparisonView(c, ours, theirs)}
    <ul class="differences">
      ${differences.map((note) => html`<li>${noteText(c, note)}</li>`)}
    </ul>
    ${thumbView(c, theirs)}
  </div>`;
}
