// The list of encodings for the model's weights: those that the runtime loads, each with its bytes for this model.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { encodingFamilies } from '../../node/families.mjs';
import type { Answer } from '../../engine/reply.ts';
import type { Known } from '../../engine/sizes.ts';
import type { EncodingFamily, EncodingPreset, ReplyParameters } from '../../engine/wire.d.ts';
import type { Item, Orders } from './combobox.ts';
import { ownDefault } from './field.ts';
import { searchable } from './searchable.ts';
import { encodingName, encodingOf } from './storage.ts';
import { showTab } from '../tabs.ts';

const id = 'weights.encoding';

/** Of each weight that the bytes stand for: llama.cpp has towers in a file of their own. */
function bitsPerWeight(c: Calculator, bytes: number, counts: ReplyParameters | undefined, family: EncodingFamily | undefined): string | undefined {
  const { total = 0, parts = {} } = counts ?? {};
  const weights = family === 'gguf' ? total - (parts['vision'] ?? 0) - (parts['audio'] ?? 0) : total;
  return weights > 0 ? c.texts.t('list.bits', { bits: c.format.bits((8 * bytes) / weights) }) : undefined;
}

/** A hundred entries are laid out again only when something in them has changed. */
let made: { of: unknown[]; items: Item[] } = { of: [], items: [] };

function weightItems(c: Calculator): Item[] {
  const { values } = c.state;
  const { known } = c.sizes;
  const of = [c.tables, known, c.format, c.encodingOrder, values[id], values['inference.runtime'], ownDefault(c, id)];
  if (of.some((one, at) => one !== made.of[at])) made = { of, items: itemsOf(c, known) };
  return made.items;
}

/** What the runtime loads and the model can use. Without a runtime everything; what is chosen stays in the list. */
function offered(c: Calculator, known: Known | undefined): EncodingPreset[] {
  const { values } = c.state;
  const loads = c.tables?.runtimes.find((runtime) => runtime.id === values['inference.runtime'])?.weights;
  const dense = known?.parameters !== undefined && known.parameters.active === known.parameters.total;
  return (c.tables?.encodings ?? []).filter(
    (one) => one.id === values[id] || (one.uses.includes('weights') && (!loads || loads.includes(one.family)) && !(one.only === 'experts' && dense)),
  );
}

function itemsOf(c: Calculator, known: Known | undefined): Item[] {
  const bySize = c.encodingOrder === 'size';
  const weight = (one: EncodingPreset): number => known?.bytes.get(one.id) ?? one.bits;
  const detail = (one: string, family?: EncodingFamily): Pick<Item, 'detail'> => {
    const bytes = known?.bytes.get(one);
    if (bytes === undefined) return {};
    const bits = bitsPerWeight(c, bytes, known?.parameters, family);
    return { detail: [c.format.bytes(bytes), bits].filter(Boolean).join(' · ') };
  };
  const rows = offered(c, known).toSorted((a, b) => weight(a) - weight(b) || (a.name < b.name ? -1 : 1));
  if (!bySize) rows.sort((a, b) => encodingFamilies.indexOf(a.family) - encodingFamilies.indexOf(b.family));
  return [
    { id: '', name: ownDefault(c, id), group: '', ...detail('') },
    ...rows.map((one) => {
      const family = c.texts.name('family', one.family);
      return {
        id: one.id,
        name: encodingName(c, one),
        group: bySize ? '' : family,
        words: `${family} ${one.name} ${one.aliases?.join(' ') ?? ''}`,
        ...detail(one.id, one.family),
      };
    }),
  ];
}

function orders(c: Calculator): Orders {
  return {
    label: c.texts.t('list.order'),
    options: [
      ['size', c.texts.t('list.order.size')],
      ['family', c.texts.t('list.order.family')],
    ],
    value: c.encodingOrder,
    choose: (order) => (c.encodingOrder = order as 'size' | 'family'),
  };
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

export function weightsView(c: Calculator): TemplateResult {
  const ids = (c.tables?.encodings ?? []).filter((one) => one.uses.includes('weights')).map((one) => one.id);
  return searchable(c, id, {
    items: weightItems(c),
    open: () => c.sizes.ask(c.asking.loaded(), c.state, ids),
    loading: c.sizes.loading,
    orders: orders(c),
    below: below(c),
  });
}
