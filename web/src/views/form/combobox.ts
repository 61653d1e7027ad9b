// A searchable list after the ARIA combobox pattern. It renders into the calculator's own tree, where labels reach it. What
// finds and shows its entries comes when the first one is opened.

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
  /** Other names of it. */
  spellings?: readonly string[];
  /** The repository that a model's preset was made from. */
  hub?: string | undefined;
  /** Whether it fits on the device, where that is known. */
  verdict?: string | undefined;
}

export type Kind = 'models' | 'devices' | 'encodings';

/** What is offered for a text that names a repository of which there is no preset. */
export interface Fetching {
  label: (name: string) => string;
  fetch: (name: string) => void;
}

type Finder = typeof import('../finding/list.ts');
let finder: Finder | undefined;

/** Brings in what searches. Without a network it stays away, and the next opening tries again. */
export const bringFinder = (): Promise<void> =>
  import('../finding/list.ts').then(
    (come) => void (finder = come),
    () => undefined,
  );

/** What is fetched in place of an entry has an id that no preset has. */
const fetched = 'fetch:';

class Combobox extends LitElement {
  static override properties = {
    name: { type: String },
    value: { type: String },
    kind: { type: String },
    items: { attribute: false },
    fetching: { attribute: false },
    orders: { attribute: false },
    disabled: { type: Boolean },
    invalid: { type: Boolean },
    empty: { type: String },
    coming: { type: String },
    loading: { type: Boolean },
    typed: { state: true },
    expanded: { state: true },
    active: { state: true },
  };

  declare name: string;
  declare value: string;
  declare kind: Kind;
  declare items: readonly Item[];
  declare fetching: Fetching | undefined;
  declare orders: Orders | undefined;
  declare disabled: boolean;
  declare invalid: boolean;
  /** Said in place of entries. */
  declare empty: string;
  /** Said while the entries are on their way. */
  declare coming: string;
  /** The entries are on their way. */
  declare loading: boolean;
  /** What the user types to search; undefined while not searching. */
  declare typed: string | undefined;
  declare expanded: boolean;
  declare active: number;

  /** Whether Enter was pressed while the entries were on their way. */
  private entered = false;

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

  private get waiting(): boolean {
    return this.loading || !finder;
  }

  private get found(): Item[] {
    if (this.loading || !finder) return [];
    const { items, fetch } = finder.search(this.kind, this.typed ?? '', this.items);
    if (fetch === undefined || !this.fetching) return items;
    return [...items, { id: `${fetched}${fetch}`, name: this.fetching.label(fetch), group: '' }];
  }

  private show(): void {
    if (this.disabled || this.expanded) return;
    this.expanded = true;
    void this.bring();
    this.active = this.found.findIndex(({ id }) => id === this.value);
  }

  private async bring(): Promise<void> {
    if (finder) return;
    await bringFinder();
    this.mark();
    this.requestUpdate();
  }

  /** The entry that Enter takes: of a search the first, else the chosen one. */
  private mark(): void {
    if (this.expanded) this.active = this.typed ? 0 : this.found.findIndex(({ id }) => id === this.value);
  }

  private hide(): void {
    this.expanded = this.entered = false;
    this.typed = undefined;
    this.active = -1;
  }

  /** Whoever types and presses Enter before the list is here gets what it finds when it comes. */
  private enter(): void {
    if (!this.expanded) return this.show();
    this.entered = this.waiting;
    if (!this.entered) this.choose(this.found[Math.max(this.active, 0)]);
  }

  private choose(item: Item | undefined): void {
    if (item?.id.startsWith(fetched)) this.fetching?.fetch(item.id.slice(fetched.length));
    else if (item) this.dispatchEvent(new CustomEvent('choose', { detail: item.id }));
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
      Enter: () => this.enter(),
      Escape: () => this.hide(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('items')) this.mark();
    if (this.entered && this.expanded && !this.waiting) queueMicrotask(() => this.enter());
  }

  override updated(): void {
    if (this.expanded && this.active >= 0) this.querySelector(`#${this.name}-${this.active}`)?.scrollIntoView({ block: 'nearest' });
  }

  override render() {
    const chosen = this.items.find(({ id }) => id === this.value);
    const input = (event: InputEvent) => {
      this.entered = false;
      this.typed = (event.target as HTMLInputElement).value;
      this.expanded = true;
      this.active = this.typed ? 0 : -1;
      void this.bring();
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
    const label = this.getAttribute('label') ?? this.name;
    const { name, active, value } = this;
    const empty = this.waiting ? this.coming : this.empty;
    const shown = { name, label, active, value, empty, items: this.expanded ? this.found : [], choose: (item: Item) => this.choose(item) };
    if (finder) return finder.listView(shown);
    return html`<div id="${name}-list" class="list" role="listbox" tabindex="-1" aria-label=${label}>
      <div class="none" role="option" aria-selected="false" aria-disabled="true">${empty}</div>
    </div>`;
  }
}

export function defineCombobox(): void {
  if (!customElements.get('plimsoll-combobox')) customElements.define('plimsoll-combobox', Combobox);
}
