// The list of encodings for the model's weights: the one that it is published in, those that the runtime loads, and the
// others with the reason, each with its bytes for this model.

import '../../languages/texts-choosing.ts';
import type { Calculator } from '../../app/calculator.ts';
import { encodingEntry } from '../../finding/entries.mjs';
import { encodingFamilies } from '../../library/families.mjs';
import { type Known, Sizes } from '../../answers/asking/sizes.ts';
import type { EncodingFamily, EncodingPreset } from '../../engine/wire.d.ts';
import { runtimeOf } from '../../state/runtimes.ts';
import { bitsPerWeight } from '../form/encodings.ts';
import type { Item, Orders } from '../form/combobox.ts';
import { ownDefault } from '../form/field.ts';
import { encodingName } from '../form/storage.ts';
import { Verdicts } from './verdicts.ts';

const id = 'weights.encoding';

/** What is known of the encodings of one calculator. */
interface Told {
  sizes: Sizes;
  verdicts: Verdicts;
  order: 'size' | 'family';
  /** A hundred entries are laid out again only when something in them has changed. */
  made: { of: unknown[]; items: Item[] };
}

const told = new WeakMap<Calculator, Told>();

function toldOf(c: Calculator): Told {
  const before = told.get(c);
  if (before) return before;
  const changed = () => c.requestUpdate();
  const now: Told = { sizes: new Sizes(changed), verdicts: new Verdicts(changed), order: 'size', made: { of: [], items: [] } };
  told.set(c, now);
  return now;
}

const forWeights = (c: Calculator): EncodingPreset[] => (c.tables?.encodings ?? []).filter((one) => one.uses.includes('weights'));

/** Whether the chosen runtime loads it, for a model like this one. */
function isLoaded(c: Calculator, one: EncodingPreset, known: Known | undefined): boolean {
  const dense = known?.parameters !== undefined && known.parameters.active === known.parameters.total;
  const loads = runtimeOf(c.tables, c.state)?.weights;
  return (!loads || loads.includes(one.family)) && !(one.only === 'experts' && dense);
}

/** Why the runtime does not run it: who does, or of what models it is. */
function whyNot(c: Calculator, one: EncodingPreset): string {
  const { t } = c.texts;
  const loads = runtimeOf(c.tables, c.state)?.weights;
  if (!loads || loads.includes(one.family)) return t('list.experts_only');
  const names = (c.tables?.runtimes ?? []).filter(({ weights }) => weights?.includes(one.family)).map(({ name }) => name);
  return names.length > 0 ? t('list.loaded_by', { runtimes: names.join(', ') }) : t('list.loaded_by_none');
}

function details(c: Calculator, one: string, family: EncodingFamily | undefined): string[] {
  const { sizes, verdicts } = toldOf(c);
  const bytes = sizes.known?.bytes.get(one);
  const bits = bytes && bitsPerWeight(c, bytes, sizes.known?.parameters, family);
  const verdict = verdicts.known.get(one);
  return [bytes ? c.format.bytes(bytes) : '', bits || '', verdict ? c.texts.name('verdict', verdict) : ''].filter(Boolean);
}

function itemsOf(c: Calculator, known: Known | undefined): Item[] {
  const { order, verdicts } = toldOf(c);
  const weight = (one: EncodingPreset): number => known?.bytes.get(one.id) ?? one.bits;
  const rows = forWeights(c).toSorted((a, b) => weight(a) - weight(b) || (a.name < b.name ? -1 : 1));
  if (order === 'family') rows.sort((a, b) => encodingFamilies.indexOf(a.family) - encodingFamilies.indexOf(b.family));
  const runtime = runtimeOf(c.tables, c.state)?.name ?? '';
  const item = (one: EncodingPreset, loaded: boolean): Item => {
    const family = c.texts.name('family', one.family);
    const own = order === 'family' ? family : c.texts.t('list.loaded', { runtime });
    const { spellings = [], words = '' } = encodingEntry(one);
    return {
      id: one.id,
      name: encodingName(c, one),
      group: loaded ? own : c.texts.t('list.not_loaded', { runtime }),
      words: `${family} ${words} ${one.name}`,
      spellings,
      detail: [...details(c, one.id, one.family), ...(loaded ? [] : [whyNot(c, one)])].join(' · '),
      verdict: verdicts.known.get(one.id),
    };
  };
  const loaded = rows.filter((one) => isLoaded(c, one, known));
  const others = rows.filter((one) => !loaded.includes(one));
  return [
    { id: '', name: ownDefault(c, id), group: '', detail: details(c, '', undefined).join(' · ') },
    ...loaded.map((one) => item(one, true)),
    ...others.map((one) => item(one, false)),
  ];
}

export function weightItems(c: Calculator): Item[] {
  const own = toldOf(c);
  const { values } = c.state;
  const { known } = own.sizes;
  const of = [c.tables, known, own.verdicts.known, c.format, own.order, values['inference.runtime'], values['model.config'], ownDefault(c, id)];
  if (of.some((one, at) => one !== own.made.of[at])) own.made = { of, items: itemsOf(c, known) };
  return own.made.items;
}

export const waits = (c: Calculator): boolean => toldOf(c).sizes.loading;

/** Asks what each takes, and which of those that the runtime loads fit. */
export async function ask(c: Calculator): Promise<void> {
  const { sizes, verdicts } = toldOf(c);
  const all = forWeights(c);
  const loaded = c.asking.loaded();
  await sizes.ask(
    loaded,
    c.state,
    all.map((one) => one.id),
  );
  const own = all.filter((one) => isLoaded(c, one, sizes.known));
  await verdicts.ask(
    loaded,
    c.state,
    own.map((one) => one.id),
  );
}

export function orders(c: Calculator): Orders {
  const own = toldOf(c);
  return {
    label: c.texts.t('list.order'),
    options: [
      ['size', c.texts.t('list.order.size')],
      ['family', c.texts.t('list.order.family')],
    ],
    value: own.order,
    choose: (order) => {
      own.order = order as 'size' | 'family';
      c.requestUpdate();
    },
  };
}
