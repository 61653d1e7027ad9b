// The list below a searchable field: what was meant by the text, in groups, and what may be fetched in its place.

import '../../languages/texts-choosing.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { common } from '../../finding/common.ts';
import { type Entry, found } from '../../finding/meaning.mjs';
import type { Item, Kind } from '../form/combobox.ts';

const entries = new WeakMap<Item, Entry>();

/** An item as the finder takes it, made once: the finder remembers its words. */
function entryOf(item: Item): Entry {
  const before = entries.get(item);
  if (before) return before;
  const { id, name, hub, spellings = [], group, words = '' } = item;
  const made: Entry = { id, name, hub, spellings, words: `${group} ${words}` };
  entries.set(item, made);
  return made;
}

export interface Found {
  items: Item[];
  /** The name by which a model's files may be fetched, where no preset is exactly it. */
  fetch?: string;
}

/** What the text means; without one everything, in the list's own order. */
export function search(kind: Kind, typed: string, all: readonly Item[]): Found {
  if (typed.trim() === '') return { items: [...all] };
  const of = new Map(all.map((item) => [entryOf(item), item]));
  const { entries: hits, fetch } = found(kind, typed, [...of.keys()], common[kind]);
  const items = hits.map((entry) => of.get(entry)!);
  // Groups in the order of their best entry, each entry of a group together.
  const groups = [...new Set(items.map((item) => item.group))];
  return { items: groups.flatMap((group) => items.filter((item) => item.group === group)), ...(fetch !== undefined && { fetch }) };
}

export interface Shown {
  name: string;
  label: string;
  items: readonly Item[];
  /** The entry that Enter takes. */
  active: number;
  value: string;
  /** Said in place of entries. */
  empty: string;
  choose: (item: Item) => void;
}

function option({ name, active, value, choose }: Shown, item: Item, at: number): TemplateResult {
  const take = (event: Event) => {
    event.preventDefault(); // The input keeps the focus.
    choose(item);
  };
  return html`<div
    id="${name}-${at}"
    role="option"
    class=${at === active ? 'active' : ''}
    aria-selected=${item.id === value}
    data-verdict=${item.verdict ?? nothing}
    @mousedown=${take}
  >
    <span>${item.name}</span>${item.detail ? html`<small>${item.detail}</small>` : nothing}
  </div>`;
}

export function listView(shown: Shown): TemplateResult {
  const { name, label, items, empty } = shown;
  const groups = [...new Set(items.map((item) => item.group))];
  return html`<div id="${name}-list" class="list" role="listbox" tabindex="-1" aria-label=${label}>
    ${items.length === 0 ? html`<div class="none" role="option" aria-selected="false" aria-disabled="true">${empty}</div>` : nothing}
    ${groups.map((group) => {
      const options = items.flatMap((item, at) => (item.group === group ? [option(shown, item, at)] : []));
      if (group === '') return options;
      return html`<div role="group" aria-label=${group}>
        <div class="group" aria-hidden="true">${group}</div>
        ${options}
      </div>`;
    })}
  </div>`;
}
