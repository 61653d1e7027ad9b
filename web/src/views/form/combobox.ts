// A searchable list after the ARIA combobox pattern. It renders into the calculator's own tree, where labels reach it.

import { html, LitElement, nothing } from 'lit';
import { strip } from './strip.ts';

/** Orders that the list can stand in, chosen above it. */
export interface Orders {
  label: string;
  options: readonly (readonly [string, string])[];
  value: string;
  choose: (order: string) => void;
}

export interface Item {
  id: string;
  name: string;
  /** The heading it stands under; '' for none. */
  group: string;
  detail?: string;
  /** What else it is searched by. */
  words?: string;
}

/** How well a searched word fits: 0 a word of the name, 1 how it or one of its words begins, 2 something else of it, -1 nothing. */
function fit(word: string, name: string, rest: string): number {
  const words = name.split(/[\s-]+/);
  if (words.includes(word)) return 0;
  if ([name, ...words].some((one) => one.startsWith(word))) return 1;
  return name.includes(word) || rest.includes(word) ? 2 : -1;
}

class Combobox extends LitElement {
  static override properties = {
    name: { type: String },
    value: { type: String },
    items: { attribute: false },
    orders: { attribute: false },
    disabled: { type: Boolean },
    invalid: { type: Boolean },
    empty: { type: String },
    loading: { type: Boolean },
    typed: { state: true },
    expanded: { state: true },
    active: { state: true },
  };

  declare name: string;
  declare value: string;
  declare items: readonly Item[];
  declare orders: Orders | undefined;
  declare disabled: boolean;
  declare invalid: boolean;
  /** Said in place of entries. */
  declare empty: string;
  /** The entries are on their way. */
  declare loading: boolean;
  /** What the user types to search; undefined while not searching. */
  declare typed: string | undefined;
  declare expanded: boolean;
  declare active: number;

  constructor() {
    super();
    this.items = [];
    this.expanded = false;
    this.active = -1;
    // From the text to the orders above the list one is still inside.
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.hide();
    });
  }

  protected override createRenderRoot() {
    return this;
  }

  private get found(): Item[] {
    if (this.loading) return [];
    const words = (this.typed ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const ranked = this.items.flatMap((item) => {
      const rest = `${item.group} ${item.id} ${item.detail ?? ''} ${item.words ?? ''}`.toLowerCase();
      const fits = words.map((word) => fit(word, item.name.toLowerCase(), rest));
      return fits.includes(-1) ? [] : [{ item, rank: fits.reduce((sum, one) => sum + one, 0) }];
    });
    const hits = ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
    // Groups in the order of their best entry, each entry of a group together.
    const groups = [...new Set(hits.map((item) => item.group))];
    return groups.flatMap((group) => hits.filter((item) => item.group === group));
  }

  private show(): void {
    if (this.disabled || this.expanded) return;
    this.expanded = true;
    this.active = this.found.findIndex(({ id }) => id === this.value);
  }

  private hide(): void {
    this.expanded = false;
    this.typed = undefined;
    this.active = -1;
  }

  private choose(item: Item | undefined): void {
    if (item) this.dispatchEvent(new CustomEvent('choose', { detail: item.id }));
    this.hide();
  }

  private move(step: number): void {
    const { length } = this.found;
    if (!this.expanded) return this.show();
    if (length > 0) this.active = this.active < 0 && step < 0 ? length - 1 : (this.active + step + length) % length;
  }

  private key(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = {
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
      Enter: () => (!this.expanded ? this.show() : this.loading ? undefined : this.choose(this.found[Math.max(this.active, 0)])),
      Escape: () => this.hide(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('items') || !this.expanded) return;
    this.active = this.typed ? 0 : this.found.findIndex(({ id }) => id === this.value);
  }

  override updated(): void {
    if (this.expanded && this.active >= 0) this.querySelector(`#${this.name}-${this.active}`)?.scrollIntoView({ block: 'nearest' });
  }

  override render() {
    const chosen = this.items.find(({ id }) => id === this.value);
    const input = (event: InputEvent) => {
      this.typed = (event.target as HTMLInputElement).value;
      this.expanded = true;
      this.active = this.typed ? 0 : -1;
    };
    return html`
      <input
        id=${this.name}
        role="combobox"
        type="text"
        autocomplete="off"
        spellcheck="false"
        aria-autocomplete="list"
        aria-expanded=${this.expanded}
        aria-controls="${this.name}-list"
        aria-activedescendant=${this.expanded && this.active >= 0 ? `${this.name}-${this.active}` : nothing}
        aria-invalid=${this.invalid ? 'true' : nothing}
        aria-describedby=${this.invalid ? `${this.name}-error` : nothing}
        ?disabled=${this.disabled}
        .value=${this.typed ?? chosen?.name ?? this.value ?? ''}
        @input=${input}
        @click=${() => this.show()}
        @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()}
        @keydown=${(event: KeyboardEvent) => this.key(event)}
      />
      <div class="popup" ?hidden=${!this.expanded} @keydown=${(event: KeyboardEvent) => this.leave(event)}>${this.ordering()}${this.list()}</div>
    `;
  }

  /** Escape among the orders closes the list and goes back to the text. */
  private leave(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.querySelector('input')?.focus();
    this.hide();
  }

  private ordering() {
    if (!this.orders || !this.expanded) return nothing;
    const { label, options, value, choose } = this.orders;
    // The input keeps the focus under a pointer; the keyboard reaches the orders with Tab.
    return html`<div class="orders" @mousedown=${(event: Event) => event.preventDefault()}>
      ${strip(`${this.name}-order`, label, options, value, choose)}
    </div>`;
  }

  private list() {
    const found = this.expanded ? this.found : [];
    const groups = [...new Set(found.map((item) => item.group))];
    return html`<div id="${this.name}-list" class="list" role="listbox" tabindex="-1" aria-label=${this.getAttribute('label') ?? this.name}>
      ${found.length === 0 ? html`<div class="none" role="option" aria-selected="false" aria-disabled="true">${this.empty}</div>` : nothing}
      ${groups.map((group) => {
        const items = found.filter((item) => item.group === group);
        const options = items.map((item) => this.option(item, found.indexOf(item)));
        if (group === '') return options;
        return html`<div role="group" aria-label=${group}>
          <div class="group" aria-hidden="true">${group}</div>
          ${options}
        </div>`;
      })}
    </div>`;
  }

  private option(item: Item, at: number) {
    const choose = (event: Event) => {
      event.preventDefault(); // The input keeps the focus.
      this.choose(item);
    };
    return html`<div
      id="${this.name}-${at}"
      role="option"
      class=${at === this.active ? 'active' : ''}
      aria-selected=${item.id === this.value}
      @mousedown=${choose}
    >
      <span>${item.name}</span>${item.detail ? html`<small>${item.detail}</small>` : nothing}
    </div>`;
  }
}

export function defineCombobox(): void {
  if (!customElements.get('plimsoll-combobox')) customElements.define('plimsoll-combobox', Combobox);
}
