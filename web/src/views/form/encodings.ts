// The choice of an encoding for the model's weights, and what it comes to. Its list comes when it is opened.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { EncodingFamily, ReplyParameters } from '../../engine/wire.d.ts';
import type { Item } from './combobox.ts';
import { ownDefault } from './field.ts';
import { searchable } from './searchable.ts';
import { encodingName, encodingOf } from './storage.ts';
import { showTab } from '../tabs.ts';

const id = 'weights.encoding';

/** Of each weight that the bytes stand for: llama.cpp has towers in a file of their own. */
export function bitsPerWeight(
  c: Calculator,
  bytes: number,
  counts: ReplyParameters | undefined,
  family: EncodingFamily | undefined,
): string | undefined {
  const { total = 0, parts = {} } = counts ?? {};
  const weights = family === 'gguf' ? total - (parts['vision'] ?? 0) - (parts['audio'] ?? 0) : total;
  return weights > 0 ? c.texts.t('list.bits', { bits: c.format.bits((8 * bytes) / weights) }) : undefined;
}

/** All weights, on the device and in the host's memory; unknown where several devices hold parts and copies of them. */
function weightBytes({ devices = [], host, rows }: Answer): number | undefined {
  if (devices.length > 1 || (devices[0]?.count ?? 1) > 1) return undefined;
  const own = [...(rows ?? []), ...(host?.rows ?? [])].filter(({ id }) => id === 'weights');
  return own.length > 0 ? own.reduce((sum, { bytes }) => sum + bytes, 0) : undefined;
}

/** What the choice comes to, and the way to its explanation. */
function below(c: Calculator): TemplateResult | typeof nothing {
  const { answer } = c.asking;
  const bytes = answer && weightBytes(answer);
  const encoding = answer && encodingOf(c, answer);
  const bits = bytes !== undefined && encoding && bitsPerWeight(c, bytes, answer.model?.parameters, encoding.family);
  if (!encoding) return nothing;
  return html`<p class="hint">
    ${bits ? `${bits} · ` : ''}<button type="button" class="link" @click=${() => void showTab(c, 'storage')}>${c.texts.t('storage.show')}</button>
  </p>`;
}

/** Until the list is here, what is chosen has its name. */
function chosenItems(c: Calculator): Item[] {
  const chosen = c.tables?.encodings.find((one) => one.id === c.state.values[id]);
  return [{ id: '', name: ownDefault(c, id), group: '' }, ...(chosen ? [{ id: chosen.id, name: encodingName(c, chosen), group: '' }] : [])];
}

export function weightsView(c: Calculator): TemplateResult {
  const list = c.later.got.encodings;
  const open = async (): Promise<void> => {
    await c.later.bring('encodings');
    await c.later.got.encodings?.ask(c);
  };
  return searchable(c, id, {
    kind: 'encodings',
    items: list?.weightItems(c) ?? chosenItems(c),
    open,
    loading: !list || list.waits(c),
    ...(list && { orders: list.orders(c) }),
    below: below(c),
  });
}
