// How the weights are stored: what opens to the explanation of their encoding, which comes then.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { EncodingPreset } from '../../engine/wire.d.ts';
import { notHereYet } from '../later.ts';

/** The encoding behind an answer: the chosen one, or what the engine took in its place. */
export function encodingOf(c: Calculator, answer: Answer): EncodingPreset | undefined {
  const id = 'weights.encoding';
  const wanted = c.state.values[id] ?? answer.assumptions?.find(({ field }) => field === id)?.value;
  return c.tables?.encodings.find((one) => one.id === wanted || one.aliases?.includes(String(wanted)));
}

/** Its name in the page's language. */
export const encodingName = (c: Calculator, { id, name }: EncodingPreset): string => c.texts.preset('encodings', id, 'name', name);

/** Opens the explanation and goes there. */
export async function showStorage(c: Calculator): Promise<void> {
  c.explaining = true;
  await c.updateComplete;
  const summary = c.renderRoot.querySelector<HTMLElement>('.storage > summary');
  summary?.scrollIntoView({ block: 'center' });
  summary?.focus({ preventScroll: true });
}

export function storageView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  const encoding = c.state.task === 'inference' && encodingOf(c, answer);
  if (!encoding) return nothing;
  const toggle = (event: Event) => {
    c.explaining = (event.target as HTMLDetailsElement).open;
    if (c.explaining) void c.later.bring('storage');
  };
  return html`<details class="card storage" data-encoding=${encoding.id} ?open=${c.explaining} @toggle=${toggle}>
    <summary>${c.texts.t('storage.title', { name: encodingName(c, encoding) })}</summary>
    ${c.explaining ? (c.later.got.storage?.storageBody(c, encoding, answer) ?? notHereYet(c)) : nothing}
  </details>`;
}
