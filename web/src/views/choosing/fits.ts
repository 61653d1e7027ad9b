// <plimsoll-fits>: tables of what fits: encodings against contexts, models on this device, devices for this model. They are
// filled in portions, what is in sight first; each place is a button that takes it.

import '../../languages/texts-choosing.ts';
import { html, LitElement, type TemplateResult } from 'lit';
import { filled, fillInPortions, type Spot, Turns } from '../../answers/filling.ts';
import { encodingsOf, type Row } from '../../answers/fits.mjs';
import { askedOf, contextsUpTo, deviceSpots, encodingSpots, type Kind, modelSpots, stateFor, taken } from '../../answers/tables.ts';
import type { Calculator } from '../../app/calculator.ts';
import { assets } from '../../engine/assets.ts';
import type { Engine } from '../../engine/engine.ts';
import { presetsOf } from '../../state/request.ts';
import type { Format } from '../../languages/format.ts';
import type { State } from '../../state/state.ts';
import { fitsStyles } from '../../styles/choosing/fits.ts';
import { strip } from '../form/strip.ts';
import { signs } from './fits-cells.ts';
import { filtersView, initialFilters, type Filters } from './fits-filters.ts';
import { gridView } from './fits-grid.ts';
import { listView, type Order } from './fits-list.ts';
import { Question } from './question.ts';

/** Milliseconds that a hand rests before a table is filled anew, and between two looks of one that fills. */
const rest = 250;
const look = 60;

export class FitTables extends LitElement {
  static override styles = fitsStyles;
  static override properties = {
    calculator: { attribute: false },
    state: { attribute: false },
    format: { attribute: false },
    kind: { state: true },
    filters: { state: true },
    order: { state: true },
    complete: { state: true },
  };

  declare calculator: Calculator;
  declare state: State;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  declare kind: Kind;
  declare filters: Filters;
  declare order: Order;
  declare complete: boolean;

  /** What has come, by place; undefined where the engine refuses. */
  readonly rows = new Map<string, Row | undefined>();
  places = 0;
  encodings: readonly string[] = [];
  contexts: readonly number[] = [];
  private readonly question = new Question(this);
  private looking: ReturnType<typeof setTimeout> | undefined;
  private seen = new Set<string>();
  private observer: IntersectionObserver | undefined;

  constructor() {
    super();
    this.kind = 'encodings';
    this.filters = initialFilters;
    this.order = { by: '', down: false };
    this.complete = false;
  }

  /** The state that the table asks about. */
  get asked(): State {
    return stateFor(this.shownKind, this.state, this.calculator.tables, this.filters.runtime);
  }

  /** A training has one length, and no encodings beside its own. */
  get shownKind(): Kind {
    return this.state.task === 'training' && this.kind === 'encodings' ? 'devices' : this.kind;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.seen[isIntersecting ? 'add' : 'delete']((target as HTMLElement).dataset['row']!);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  override willUpdate(): void {
    const { calculator: c } = this;
    const question = `${this.shownKind} ${JSON.stringify(askedOf(this.asked))}`;
    if (c.mistakes.size > 0) return;
    if (this.question.put(question, this.rows.size > 0 ? rest : 0, (text) => this.fill(text))) this.complete = false;
  }

  override updated(): void {
    // one stop for Tab in the whole table; arrows go on from there
    const buttons = [...this.renderRoot.querySelectorAll<HTMLButtonElement>('td button')];
    if (buttons.length > 0 && !buttons.some(({ tabIndex }) => tabIndex === 0)) buttons[0]!.tabIndex = 0;
    for (const row of this.renderRoot.querySelectorAll('tr[data-row]')) this.observer?.observe(row);
  }

  /** Shows what has come, now and then: each look lays out a whole table. */
  private show(): void {
    this.looking ??= setTimeout(() => {
      this.looking = undefined;
      this.requestUpdate();
    }, look);
  }

  private async fill(question: string): Promise<void> {
    const { calculator: c } = this;
    const engine = await c.asking.loaded();
    await Promise.all([engine.becomeWhole(), c.models.list(), this.shownKind === 'models' ? assets().complete() : undefined]);
    const wanted = () => this.question.wants(question);
    if (!wanted()) return;
    for (const preset of presetsOf(this.asked)) if (!engine.holds(preset)) await engine.fetchModel(preset);
    const spots = await this.spots(engine);
    if (!wanted()) return;
    this.rows.clear();
    this.places = spots.length;
    this.requestUpdate();
    await this.updateComplete;
    const take = (key: string, row: Row | undefined) => {
      this.rows.set(key, row);
      this.show();
    };
    await fillInPortions(engine, spots, (key) => this.seen.has(key.split(' ')[0]!), take, wanted);
    if (wanted()) this.complete = true;
  }

  private async spots(engine: Engine): Promise<Spot<Row | undefined>[]> {
    const { calculator: c, asked } = this;
    const request = askedOf(asked);
    if (this.shownKind === 'models') return modelSpots(request, c.models.entries);
    if (this.shownKind === 'devices') return deviceSpots(request, c.tables?.devices ?? []);
    const chosen = asked.values['inference.context'];
    this.contexts = contextsUpTo(Math.max(c.model?.context ?? 131072, Number(chosen ?? 0)), chosen === undefined ? undefined : Number(chosen));
    this.encodings = ((await filled(engine, encodingsOf(request), new Turns())) ?? []).toReversed();
    return encodingSpots(request, this.encodings, this.contexts);
  }

  /** Puts a place of the table into the form. */
  open(id: string, row: Row): void {
    const { calculator: c } = this;
    c.state = taken(this.asked, this.shownKind, id, row);
    c.announced = c.texts.t('fits.taken');
  }

  /** Arrows go from cell to cell. */
  private walk(event: KeyboardEvent): void {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const from = (event.target as HTMLElement).closest<HTMLTableCellElement>('td');
    if (!step || !from) return;
    event.preventDefault();
    const body = from.closest('tbody')!;
    const row = body.rows[(from.parentElement as HTMLTableRowElement).sectionRowIndex + step[0]!];
    const to = row?.cells[from.cellIndex + step[1]!]?.querySelector<HTMLButtonElement>('button');
    if (!to) return;
    from.querySelector('button')!.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  private kindView(): TemplateResult {
    const { t } = this.calculator.texts;
    const kinds = (['encodings', 'models', 'devices'] as const).filter((kind) => kind !== 'encodings' || this.state.task === 'inference');
    const choose = (kind: Kind) => {
      this.kind = kind;
      this.order = { by: '', down: false };
      this.filters = { ...initialFilters, runtime: this.filters.runtime };
      this.rows.clear();
    };
    return strip<Kind>(
      'fits-kind',
      t('fits.title'),
      kinds.map((kind) => [kind, t(`fits.${kind}`)] as const),
      this.shownKind,
      choose,
    );
  }

  private legendView(): TemplateResult {
    const { t, name } = this.calculator.texts;
    const fitting = [...this.rows.values()].filter((row) => row && ['fits', 'tight'].includes(row.verdict)).length;
    const counted = t(this.complete ? 'fits.counted' : 'fits.computing', {
      fitting: this.format.count(fitting),
      done: this.format.count(this.rows.size),
      all: this.format.count(this.places),
    });
    return html`<p class="legend">
      ${Object.entries(signs).map(([verdict, sign]) => html`<span class="verdict ${verdict.replaceAll(' ', '-')}"><span aria-hidden="true">${sign}</span> ${name('verdict', verdict)}</span>`)}
      <span class="count">${counted}</span>
    </p>`;
  }

  override render() {
    return html`${this.kindView()} ${filtersView(this)} ${this.legendView()} ${this.question.missedView(this.calculator)}
      <div
        @keydown=${(event: KeyboardEvent) => this.walk(event)}
        data-complete=${this.complete}
        data-places=${this.places}
        data-filled=${this.rows.size}
      >
        ${this.shownKind === 'encodings' ? gridView(this) : listView(this)}
      </div>`;
  }
}

export function fitsView(c: Calculator): TemplateResult {
  if (!customElements.get('plimsoll-fits')) customElements.define('plimsoll-fits', FitTables);
  return html`<plimsoll-fits .calculator=${c} .state=${c.state} .format=${c.format}></plimsoll-fits>`;
}
