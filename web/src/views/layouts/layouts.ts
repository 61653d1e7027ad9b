// <plimsoll-layouts>: every way to spread the model over a cluster, searched in workers; the best in a table, as points that a
// brush narrows, and as a picture. A layout goes into the form with one click.

import '../../languages/texts-layouts.ts';
import '../../languages/texts-later.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { type Neighbour, whyNot } from '../../answers/neighbours.mjs';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer, Failure } from '../../engine/reply.ts';
import type { Plan, PlanAnswer, PlanLayout } from '../../engine/wire.d.ts';
import type { Format } from '../../languages/format.ts';
import type { Brush, Measure } from '../../layouts/brushing.mjs';
import type { Kind } from '../../layouts/grouping.mjs';
import { laidOut, questionOf, type Wish, wants } from '../../layouts/question.ts';
import { sought, wishIn } from '../../layouts/linking.mjs';
import { type Progress, search } from '../../layouts/searching.ts';
import { type Answering, ofThePage, workers } from '../../layouts/spread.ts';
import { presetsOf, request } from '../../state/request.ts';
import { mostCompared, type State } from '../../state/state.ts';
import { layoutsStyles } from '../../styles/choosing/layouts.ts';
import { errorText } from '../form/field.ts';
import { retryView } from '../retry.ts';
import { countedView, progressView } from './counted.ts';
import { frontView } from './front.ts';
import { nameOf } from './naming.ts';
import { neighboursView } from './neighbours.ts';
import { pictureView } from './picture.ts';
import { type Order, tableView } from './table.ts';
import { wishView } from './wishing.ts';

/** Milliseconds between two looks at what has come: each lays out a whole table. */
const look = 150;

export class Layouts extends LitElement {
  static override styles = layoutsStyles;
  static override properties = {
    calculator: { attribute: false },
    state: { attribute: false },
    format: { attribute: false },
    said: { attribute: false },
    wish: { state: true },
    found: { state: true },
    running: { state: true },
    failure: { state: true },
    order: { state: true },
    measure: { state: true },
    brush: { state: true },
    drawn: { state: true },
    pointed: { state: true },
    beside: { state: true },
  };

  declare calculator: Calculator;
  declare state: State;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** What a link says was asked. */
  declare said: string | undefined;
  declare wish: Wish;
  declare found: Progress | undefined;
  declare running: boolean;
  declare failure: Failure | undefined;
  declare order: Order;
  declare measure: Measure;
  declare brush: Brush;
  /** The layout of the picture; the best where none was chosen. */
  declare drawn: PlanLayout | undefined;
  /** The kind of groups that the picture colours. */
  declare pointed: Kind | undefined;
  /** Why the neighbours of a layout are no better; without `all` they are being compared. */
  declare beside: { of: PlanLayout; all?: readonly Neighbour[] } | undefined;

  /** What was asked last: the clusters that pictures are of, and whether the form asks the same still. */
  asked = '';
  searched: Plan | undefined;
  /** The answer to the drawn layout, which says where it is fullest. */
  fullest: { layout: PlanLayout; answer?: Answer } | undefined;
  private answering: Answering | undefined;
  private looking: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.wish = { perNode: 8, nodes: 1, within: 450, between: 50, want: 'least_overhead', batch: 64, kept: ['framework'], others: [] };
    this.running = false;
    this.order = { by: '', down: false };
    this.measure = 'overhead';
    this.brush = {};
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const { said } = this;
    if (changed.has('said') && said !== undefined && said !== sought(this.wish)) this.wish = wishIn(said) ?? this.wish;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  get question(): string {
    return JSON.stringify(questionOf(this.state, this.wish));
  }

  /** What was found, where it is no refusal. */
  get reply(): PlanAnswer | undefined {
    return this.found && !('error' in this.found.reply) ? this.found.reply : undefined;
  }

  stop(): void {
    this.answering?.letGo();
    this.answering = undefined;
    this.running = false;
  }

  async start(): Promise<void> {
    this.stop();
    Object.assign(this, { found: undefined, failure: undefined, drawn: undefined, beside: undefined, brush: {}, running: true });
    this.searched = questionOf(this.state, this.wish);
    this.asked = JSON.stringify(this.searched);
    if (!wants[this.state.task].includes(this.wish.want)) this.wish = { ...this.wish, want: wants[this.state.task][0]! };
    if (this.state.task === 'inference' && this.measure === 'overhead') this.measure = 'devices';
    this.calculator.sought = sought(this.wish);
    await this.run(this.searched).catch((error: unknown) => {
      this.failure = { code: 'fetch', what: String(error) };
      this.stop();
    });
  }

  private async run(question: Plan): Promise<void> {
    const models = presetsOf(this.state);
    const answering = (await workers(models)) ?? (await ofThePage(await this.calculator.asking.loaded(), models));
    if (!this.running || this.searched !== question || !this.isConnected) return answering.letGo();
    this.answering = answering;
    const wanted = () => this.answering === answering;
    await search(question, answering, wanted, (progress) => this.show(progress));
    if (!wanted()) return;
    this.stop();
    const { counted } = this.reply ?? {};
    if (counted) this.calculator.announced = this.calculator.texts.t('layouts.done', { all: this.format.count(counted.all) });
  }

  /** What has come is shown now and then; the last at once. */
  private show(progress: Progress): void {
    const first = !this.found;
    if (first || progress.done === progress.of) this.found = progress;
    clearTimeout(this.looking);
    this.looking = setTimeout(() => (this.found = progress), look);
  }

  /** Puts a layout into the form. */
  take(layout: PlanLayout): void {
    const { calculator: c } = this;
    c.state = laidOut(c.state, layout);
    c.announced = c.texts.t('layouts.taken', { layout: nameOf(this, layout) });
    this.drawn = layout;
  }

  /** Compares a layout with its neighbours: a worker searches them, where there may be one. */
  async compare(layout: PlanLayout): Promise<void> {
    this.beside = { of: layout };
    const { searched } = this;
    const wanted = () => this.beside?.of === layout && this.searched === searched;
    let answering: Answering | undefined;
    try {
      const models = presetsOf(this.state);
      const engine = await this.calculator.asking.loaded();
      answering = (await workers(models, 1)) ?? (await ofThePage(engine, models));
      await engine.becomeWhole();
      const [lane] = answering.lanes;
      const all = await whyNot(searched!, layout, {
        plan: (question) => lane!(JSON.stringify(question)),
        estimate: (request) => engine.estimate(JSON.stringify(request)),
      });
      if (wanted()) this.beside = { of: layout, all };
    } catch (error) {
      if (!wanted()) return;
      this.beside = undefined;
      this.failure = { code: 'fetch', what: String(error) };
    } finally {
      answering?.letGo();
    }
  }

  get full(): boolean {
    return this.calculator.pins.length >= mostCompared - 1;
  }

  /** Puts a layout aside, to be compared row by row. */
  pin(layout: PlanLayout): void {
    const { calculator: c } = this;
    if (this.full) return;
    const name = nameOf(this, layout);
    c.pins = [...c.pins, { name, state: laidOut(c.state, layout) }];
    c.announced = c.texts.t('layouts.pinned', { layout: name });
  }

  override updated(): void {
    const layout = this.drawn ?? this.reply?.layouts[0];
    if (!layout || this.fullest?.layout === layout || this.running) return;
    this.fullest = { layout };
    void this.ask(layout);
  }

  private async ask(layout: PlanLayout): Promise<void> {
    const engine = await this.calculator.asking.loaded();
    await engine.becomeWhole();
    const answer = engine.estimate(request(laidOut(this.state, layout), 'rows'));
    if ('error' in answer || this.fullest?.layout !== layout) return;
    this.fullest = { layout, answer };
    this.requestUpdate();
  }

  private resultView(): TemplateResult | typeof nothing {
    const { found, reply, calculator: c } = this;
    if (found && 'error' in found.reply) return html`<p class="error" role="alert">${errorText(c, found.reply.error)}</p>`;
    if (!reply) return nothing;
    const stale = this.asked !== this.question;
    return html`<div class="result ${stale ? 'stale' : ''}">
      ${stale ? html`<p class="hint">${c.texts.t('layouts.stale')}</p>` : nothing} ${countedView(this, reply)}
      ${reply.layouts.length > 0 ? [frontView(this, reply), tableView(this, reply), pictureView(this, reply), neighboursView(this, reply)] : nothing}
    </div>`;
  }

  override render() {
    const { failure, calculator: c } = this;
    return html`${wishView(this)} ${progressView(this)} ${failure ? retryView(c, failure, () => void this.start()) : nothing}
      <div data-complete=${!this.running && this.found !== undefined}>${this.resultView()}</div>`;
  }
}

export function layoutsView(c: Calculator): TemplateResult {
  if (!customElements.get('plimsoll-layouts')) customElements.define('plimsoll-layouts', Layouts);
  return html`<plimsoll-layouts .calculator=${c} .state=${c.state} .format=${c.format} .said=${c.sought}></plimsoll-layouts>`;
}
