// What the searchable lists show of models and devices.

import { deviceEntry, modelEntry } from '../../finding/entries.mjs';
import type { Entry } from '../../finding/meaning.mjs';
import type { ModelEntry } from '../../engine/assets.ts';
import type { Calculator } from '../../app/calculator.ts';
import { type Format, tokens } from '../../languages/format.ts';
import type { Item } from './combobox.ts';

/** Lists are made anew only when what they are made of has changed: hundreds of entries, on every keystroke. */
const lists = new WeakMap<object, { format: Format; items: Item[] }>();

function listed<T>(c: Calculator, source: readonly T[], item: (one: T) => Item): Item[] {
  const known = lists.get(source);
  if (known?.format === c.format) return known.items;
  const items = source.map(item);
  lists.set(source, { format: c.format, items });
  return items;
}

/** What the finder needs of an entry beside its name. */
const searchedBy = ({ hub, spellings = [], words = '' }: Entry): Pick<Item, 'hub' | 'spellings' | 'words'> => ({ hub, spellings, words });

/** How large a model is, and how far it reaches: 30.5B · 3.35B active · 40K context. */
function sizeAndContext(c: Calculator, { parameters, active, context }: ModelEntry): string {
  const { t } = c.texts;
  const parts = [c.format.short(parameters, 3)];
  if (active !== undefined) parts.push(t('list.active', { size: c.format.short(active, 3) }));
  if (context !== undefined) parts.push(t('list.context', { tokens: tokens(context) }));
  return parts.join(' · ');
}

export const modelItems = (c: Calculator): Item[] =>
  listed(c, c.models.entries, (model) => ({
    id: model.id,
    name: model.name,
    group: model.family,
    detail: sizeAndContext(c, model),
    ...searchedBy(modelEntry(model)),
  }));

export const deviceItems = (c: Calculator): Item[] =>
  listed(c, c.tables?.devices ?? [], (device) => ({
    id: device.id,
    name: device.name,
    group: c.texts.name('vendor', device.vendor ?? ''),
    ...searchedBy(deviceEntry(device)),
    detail: `${c.format.count(device.memory.value)} ${device.memory.unit}`,
  }));
