// How the weights are stored: the tab that explains their encoding, whose text comes when it is chosen.

import { html } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { EncodingPreset } from '../../engine/wire.d.ts';
import { notHereYet } from '../retry.ts';
import type { Tab } from '../tabs.ts';

/** The encoding behind an answer: the chosen one, or what the engine took in its place. */
export function encodingOf(c: Calculator, answer: Answer): EncodingPreset | undefined {
  const id = 'weights.encoding';
  const wanted = c.state.values[id] ?? answer.assumptions?.find(({ field }) => field === id)?.value;
  return c.tables?.encodings.find((one) => one.id === wanted || one.aliases?.includes(String(wanted)));
}

/** Its name in the page's language. */
export const encodingName = (c: Calculator, { id, name }: EncodingPreset): string => c.texts.preset('encodings', id, 'name', name);

export function storageTab(c: Calculator, answer: Answer): Tab | undefined {
  const encoding = c.state.task === 'inference' && encodingOf(c, answer);
  if (!encoding) return undefined;
  const body = () =>
    html`<div class="storage" data-encoding=${encoding.id}>${c.later.got.storage?.storageBody(c, encoding, answer) ?? notHereYet(c)}</div>`;
  return { name: 'storage', title: c.texts.t('storage.title', { name: encodingName(c, encoding) }), body };
}
