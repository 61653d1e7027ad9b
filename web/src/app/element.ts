// <plimsoll-calculator>: form and answer. The site (app.ts) puts its header around it; in a foreign page a tag of the same name holds it
// and says what its attributes ask for (embed).

import { html, LitElement, noChange, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { Asking } from '../answers/asking/asking.ts';
import { nextFrame } from '../engine/pauses.ts';
import { assets, type ModelEntry, type Tables } from '../engine/assets.ts';
import type { Calculator } from './calculator.ts';
import { OutOfSight } from '../views/sight.ts';
import { stages } from '../views/stages.ts';
import { type Field, type FieldId, fieldAt, fields, type Value } from '../state/fields.ts';
import { type Format, formatIn, type Unit } from '../languages/format.ts';
import { isLanguage, preferred, type Texts, textsIn } from '../languages/i18n.ts';
import '../languages/texts-presets.ts';
import { LaterPieces } from './later.ts';
import { Travelling } from '../state/history.ts';
import { Models } from '../state/models.ts';
import { parseNumber } from '../state/numbers.ts';
import { type Found, Reading } from '../state/arriving/reading.ts';
import { shown } from '../files/shown.mjs';
import type { Answer, Failure } from '../engine/reply.ts';
import { headline } from '../engine/reply.ts';
import { configMistake } from '../state/mistakes.ts';
import { request } from '../state/request.ts';
import { withoutOtherOptimizers } from '../state/optimizers.ts';
import { withoutOthers } from '../state/runtimes.ts';
import { initialState, type Pin, type State } from '../state/state.ts';
import { calculatorStyles } from '../styles/index.ts';
import { missingView, notesView } from '../views/answer/aside.ts';
import { guideOffered } from '../state/online.ts';
import { defineCombobox } from '../views/form/combobox.ts';
import { errorWords } from '../views/form/field.ts';
import { formView } from '../views/form/form.ts';
import { toolsView } from '../views/form/tools.ts';
import { answersView, behindView } from '../views/later.ts';
import { notHereYet } from '../views/retry.ts';
import { bringChosen, choose, chosenIn } from '../views/tabs.ts';
import { devicesView, hostView } from '../views/answer/devices.ts';
import { printedView } from '../views/answer/printed.ts';
import { rowsView } from '../views/answer/rows.ts';
import { shareView } from '../views/answer/share.ts';
import { summaryView } from '../views/answer/summary.ts';
import { timelineView } from '../views/answer/timeline.ts';

const numeric: readonly Field['kind'][] = ['count', 'tokens', 'billions', 'fraction', 'percent'];

export class PlimsollCalculator extends LitElement implements Calculator {
  static override styles = calculatorStyles;
  static override properties = {
    lang: { type: String },
    unit: { type: String, reflect: true },
    time: { type: Boolean },
    locked: { type: String },
    state: { attribute: false },
    tables: { state: true },
    open: { state: true },
    explaining: { state: true },
    unfolded: { state: true },
    mistakes: { state: true },
    announced: { state: true },
    copied: { state: true },
    dragging: { state: true },
    pins: { attribute: false },
    link: { attribute: false },
    sought: { attribute: false },
  };

  declare unit: Unit;
  declare time: boolean;
  declare locked: string | null;
  declare state: State;
  declare tables: Tables | undefined;
  /** Paths of the rows that stand open. */
  declare open: ReadonlySet<string>;
  /** Whether the explanation of the weights' encoding stands open. */
  declare explaining: boolean;
  /** Names of the folds that stand open. */
  declare unfolded: ReadonlySet<string>;
  /** Text that is no number, by field: the engine is not asked while there is any. */
  declare mistakes: ReadonlyMap<FieldId, string>;
  declare announced: string;
  declare copied: string;
  declare dragging: boolean;
  declare pins: readonly Pin[];
  declare sought: string | undefined;
  /** Gives the link to this state; only the site has one. */
  declare link: (() => string) | undefined;

  readonly asking = new Asking(() => this.took());
  readonly reading = new Reading(this, () => this.requestUpdate());
  readonly models = new Models(() => this.requestUpdate());
  /** What a tool printed, on its way to what reads it. */
  pasted: string | File | undefined;
  readonly later = new LaterPieces(() => this.came());
  readonly travelling = new Travelling(this);
  /** How far the first view stands (views/stages.ts). */
  stage: number = stages.bare;
  /** Whether the next view has a further step alone, and nothing else that is new. */
  private steps = false;
  private readonly below = new OutOfSight(this);
  /** Whether what stands behind an answer is shown: with the first one, or where none comes. */
  private behind = false;
  private started = false;
  /** Whether the tables are here, or do not come: the form is made once. */
  private tabled = false;
  /** Whether it has said that its first answer stands. */
  private drawn = false;
  /** The form stands still where it is beside the answer; how high it is says where (styles/layout.ts). */
  private readonly measured = new ResizeObserver(([form]) =>
    this.style.setProperty('--form-height', `${Math.ceil((form!.target as HTMLElement).offsetHeight)}px`),
  );
  private readonly formPlace = (form: Element | undefined): void => {
    this.measured.disconnect();
    if (form) this.measured.observe(form);
  };
  private announcing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.unit = 'GiB';
    this.time = false;
    this.locked = null;
    this.state = initialState();
    this.open = new Set();
    this.explaining = false;
    this.unfolded = new Set();
    this.mistakes = new Map();
    this.announced = '';
    this.copied = '';
    this.dragging = false;
    this.pins = [];
    this.addEventListener('keydown', (event) => this.travelling.keyed(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.started) return;
    this.started = true;
    void this.asking.start();
    void this.fetchTables();
    // the first number that a page writes is slow: it comes while nobody waits for one
    void nextFrame().then(() => this.format.bytes(1));
  }

  again(): void {
    if (!this.tables) void this.fetchTables();
    void this.models.choose(this.state.values['model.preset']);
    this.asking.again();
  }

  private async fetchTables(): Promise<void> {
    // the engine waits for them, too, and says where they do not come
    const text = await assets()
      .tables()
      .catch(() => undefined);
    if (text !== undefined) this.tables = JSON.parse(text) as Tables;
    this.tabled = true;
    this.requestUpdate();
  }

  get texts(): Texts {
    return textsIn(isLanguage(this.lang) ? this.lang : preferred(), () => this.requestUpdate());
  }

  get format(): Format {
    return formatIn(this.texts.language, this.unit);
  }

  get model(): ModelEntry | undefined {
    return this.state.model === 'preset' ? this.models.find(this.state.values['model.preset']) : undefined;
  }

  /** The request behind what is shown, as the command line would be asked it. */
  get request(): string {
    return request(this.state, 'rows', 2);
  }

  isLocked(id: FieldId): boolean {
    const key = (fields as readonly Field[]).find((one) => one.id === id)?.key;
    return this.locked?.split(/[\s,]+/).some((name) => name === key || name === id.split('.')[0]) ?? false;
  }

  /** What is wrong with a field: text that is no number, or what the engine said of it. */
  mistake(id: FieldId): Failure | undefined {
    const text = this.mistakes.get(id);
    if (text !== undefined) return { code: 'not_a_number', where: id, what: shown(text) };
    const error = this.asking.error;
    return error && fieldAt(error.where, this.state.task) === id ? error : undefined;
  }

  set(id: FieldId, value: Value | undefined): void {
    const values = { ...this.state.values };
    if (value === undefined) delete values[id];
    else values[id] = value;
    this.state = { ...this.state, values };
    if (id === 'inference.runtime') this.state = withoutOthers(this.tables, this.state);
    if (id === 'training.method' || id === 'training.optimizer') this.state = withoutOtherOptimizers(this.tables, this.state);
    if (id === 'training.parallel.framework') this.state = this.later.got.training?.withoutOtherFrameworks(this.state) ?? this.state;
    if (this.mistakes.has(id)) this.mistakes = new Map([...this.mistakes].filter(([one]) => one !== id));
  }

  /** Takes what was typed; what is no number stays in the field, with its error. */
  write(id: FieldId, text: string): void {
    const one = (fields as readonly Field[]).find((candidate) => candidate.id === id)!;
    if (one.kind === 'switch') return this.set(id, text === 'true' || text === '');
    if (text !== '' && one.kind === 'json') return this.set(id, text);
    if (one.kind !== 'memory' && !numeric.includes(one.kind)) return this.set(id, text === '' ? undefined : shown(text));
    if (text.trim() === '') return this.set(id, undefined);
    const number = parseNumber(text);
    if (number === undefined) this.mistakes = new Map(this.mistakes).set(id, text);
    else this.set(id, number);
  }

  choose(part: Partial<Pick<State, 'task' | 'model' | 'device'>>): void {
    this.state = { ...this.state, ...part };
  }

  toggle(path: string): void {
    const open = new Set(this.open);
    if (!open.delete(path)) open.add(path);
    this.open = open;
  }

  takeFiles(find: (signal: AbortSignal) => Found | Promise<Found>): void {
    void this.reading.take(find);
  }

  takeLog(text: string | File): void {
    this.pasted = text;
    choose(this, 'reconcile');
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (this.dragging || this.state.model === 'config') this.reading.prepare();
    if (changed.has('state')) {
      this.travelling.record(this.state, performance.now());
      void this.models.choose(this.state.values['model.preset']);
      if (this.state.task === 'training') void this.later.bring('training');
      if (this.state.device === 'list') void this.later.bring('devices');
    }
    if (this.pins.length > 0) this.later.want('comparison');
    if (this.reading.found) this.later.want('inspection');
    if (changed.has('pins') && changed.get('pins')) this.tell();
    // a visitor does not wait for what tells times; where it is here, it tells them
    if (this.time && this.asking.engine?.isWhole) this.later.want('time');
    if (this.asking.answer?.fit) this.later.want('possible');
    if (this.open.size > 0 && guideOffered()) this.later.want('why');
    if (changed.has('sought')) {
      if (this.sought) choose(this, 'layouts');
      this.tell();
    }
    if (changed.has('unfolded')) bringChosen(this);
    const comparing = chosenIn(this, 'behind') === 'classic';
    const compares = comparing && changed.has('unfolded');
    if (!changed.has('state') && !changed.has('open') && !compares && !changed.has('mistakes')) return;
    const mistake = configMistake(this.state);
    if (this.mistakes.size > 0 || mistake) {
      if (mistake) this.asking.refuse(mistake);
      return;
    }
    this.asking.ask(this.state, this.open.size > 0 ? 'all' : 'rows', comparing);
    if (changed.has('state')) this.tell();
  }

  /** The first view comes in steps, a frame each. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.comes) await nextFrame();
    await super.scheduleUpdate();
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    let done = await super.getUpdateComplete();
    while (this.comes || this.below.follows) {
      // what comes may not have been asked for yet, and who waits in microtasks lets nobody ask
      await nextFrame();
      done = await super.getUpdateComplete();
    }
    return done;
  }

  /** Whether a further step of the first view follows by itself: the form waits for the tables, the rows for an answer. */
  protected get comes(): boolean {
    return (this.stage < stages.options && this.tabled) || (this.stage < stages.whole && this.asking.answer !== undefined);
  }

  override requestUpdate(...of: Parameters<LitElement['requestUpdate']>): void {
    this.steps = false;
    super.requestUpdate(...of);
  }

  override updated(): void {
    if (this.comes) {
      this.stage++;
      super.requestUpdate();
      this.steps = true;
    }
    const { answered, error } = this.asking;
    if (this.drawn || this.comes || (answered === 0 && !error)) return;
    this.drawn = true;
    this.dispatchEvent(new CustomEvent('plimsoll-drawn'));
  }

  protected tell(): void {
    this.dispatchEvent(new CustomEvent('plimsoll-change', { bubbles: true, composed: true }));
  }

  /** Of an answer, or of a piece of the page. */
  private came(): void {
    this.requestUpdate();
    this.later.got.recent?.remember(this);
  }

  private took(): void {
    this.came();
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => this.announce(), 700);
  }

  private announce(): void {
    const { answer, error } = this.asking;
    const { t } = this.texts;
    if (error) this.announced = `${t('announce.error')} ${errorWords(this.texts, error).text}`;
    else if (answer) {
      const verdict = answer.fit ? `${this.texts.name('verdict', answer.fit.verdict)}. ` : '';
      this.announced = `${verdict}${t('announce.total', { total: this.format.bytes(headline(answer).bytes) })}`;
    }
  }

  /** A part of the view; or that it stays as it stands: where a step alone follows, and it has no part in it. */
  private step<T>(its: readonly number[], view: () => T): T | typeof noChange {
    return this.steps && !its.includes(this.stage) ? noChange : view();
  }

  private form() {
    const { bare, model, device, form, options } = stages;
    const view = () => html`<div class="form" ${ref(this.formPlace)}>${toolsView(this)} ${formView(this)}</div>`;
    return this.step([model, device, form, options], () => (this.stage > bare ? view() : nothing));
  }

  private details(answer: Answer) {
    const rows = [missingView(this, answer), rowsView(this, answer)];
    if (this.stage < stages.details) return rows;
    return [
      ...rows,
      notesView(this, answer),
      this.later.got.training?.clusterView(this, answer) ?? devicesView(this, answer),
      timelineView(this, answer),
      hostView(this, answer),
      printedView(this, answer),
    ];
  }

  private aside(answer: Answer | undefined) {
    const failed = this.asking.error !== undefined || this.mistakes.size > 0;
    this.behind ||= this.stage === stages.whole || failed;
    return [
      answer && this.stage >= stages.answers ? answersView(this, answer) : nothing,
      this.behind ? behindView(this, answer) : nothing,
      answer && this.stage === stages.whole ? shareView(this, answer) : nothing,
    ];
  }

  override render() {
    const { answer, error, waits } = this.asking;
    const stale = error !== undefined || this.mistakes.size > 0;
    const showForm = this.locked === null || this.locked !== '';
    const held = this.below.holds(this.stage === stages.whole && !stale && !waits);
    return html`
      <div class="layout ${showForm ? '' : 'answer-only'}">
        <div
          class="summary ${stale || waits ? 'stale' : ''}"
          aria-busy=${waits}
          data-answered=${this.asking.answered}
          data-total=${answer && this.stage === stages.whole ? headline(answer).bytes : nothing}
        >
          ${this.step([stages.model, stages.form], () => summaryView(this, this.stage < stages.form ? undefined : answer, stale))}
        </div>
        ${showForm ? this.form() : nothing}
        <div class="details ${stale || waits ? 'stale' : ''}">
          ${this.reading.found ? (this.later.got.inspection?.inspectionView(this) ?? notHereYet(this)) : nothing}
          ${this.pins.length > 0 ? (this.later.got.comparison?.comparisonView(this) ?? notHereYet(this)) : nothing}
          ${this.step([stages.rows, stages.details], () => (answer && this.stage >= stages.rows ? this.details(answer) : nothing))}
        </div>
        <div class="aside ${stale || waits ? 'stale' : ''}" ${ref(this.below.place)}>
          ${held ? noChange : this.step([stages.answers, stages.whole], () => this.aside(answer))}
        </div>
      </div>
      ${this.dragging ? html`<div class="drop" aria-hidden="true">${this.texts.t('form.drop')}</div>` : nothing}
      <div class="hidden" role="status" aria-live="polite">${this.announced}</div>
    `;
  }
}

export function defineElement(): void {
  defineCombobox();
  if (!customElements.get('plimsoll-calculator')) customElements.define('plimsoll-calculator', PlimsollCalculator);
}
