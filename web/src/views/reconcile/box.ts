// <plimsoll-reconcile>: what a tool printed, pasted or in files, held against the form. What reads it comes with the first text.

import '../../languages/texts-later.ts';
import '../../languages/texts-reconcile.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Calculator } from '../../app/calculator.ts';
import { assets } from '../../engine/assets.ts';
import type { Answer, Failure } from '../../engine/reply.ts';
import type { ReconcileReply, StatedField } from '../../engine/wire.d.ts';
import { textOf } from '../../files/arriving.ts';
import type { Format } from '../../languages/format.ts';
import { readLog } from '../../reconcile/asking.ts';
import { asked, type Held, held, offered, type Open, requestWith, withLog } from '../../reconcile/holding.ts';
import type { Value } from '../../state/fields.ts';
import { notLoaded } from '../../state/reading.ts';
import type { State } from '../../state/state.ts';
import { reconcileStyles } from '../../styles/reconcile/box.ts';
import { Question } from '../choosing/question.ts';
import { errorText } from '../form/field.ts';
import { failureView } from './failure.ts';
import { figuresView } from './figures.ts';
import { measuringView } from './measuring.ts';
import { toolName } from './naming.ts';
import { openView } from './open.ts';
import { rowView } from './row.ts';
import type { Shown } from './shown.ts';
import { statedView } from './stated.ts';

/** Milliseconds that a hand rests before what it typed is read, or asked. */
const rest = 250;

/** Letters that a field for text bears; a longer text is read and not shown. */
const longestShown = 200_000;

/** Where a model says nothing of its longest context. */
const usualLimit = 131_072;

/** What stays when the fold closes. */
class Kept {
  text = '';
  log: ReconcileReply | undefined;
  /** Fields that its reader does not take. */
  left: ReadonlySet<string> = new Set();
  /** Whether its reader said that the form's model ran. */
  confirmed = false;
}

const kept = new WeakMap<Calculator, Kept>();

export class Reconcile extends LitElement {
  static override styles = reconcileStyles;
  static override properties = {
    calculator: { attribute: false },
    format: { attribute: false },
    pasted: { attribute: false },
    form: { attribute: false },
    answer: { attribute: false },
    ways: { attribute: false },
    held: { state: true },
    offers: { state: true },
    failure: { state: true },
  };

  declare calculator: Calculator;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** A text that came from outside the box. */
  declare pasted: string | undefined;
  /** What the calculator shows: what is held against it changes with it. */
  declare form: State;
  declare answer: Answer | undefined;
  declare ways: object | undefined;
  declare held: Held | undefined;
  declare offers: ReadonlyMap<Open, readonly Value[]>;
  declare failure: Failure | undefined;

  private kept = new Kept();
  private readonly question = new Question(this);
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.offers = new Map();
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const { calculator: c } = this;
    if (changed.has('calculator')) kept.set(c, (this.kept = kept.get(c) ?? this.kept));
    const { pasted } = this;
    this.pasted = c.pasted = undefined;
    if (pasted !== undefined) void this.read(pasted, true);
    this.ask();
  }

  private get taken(): readonly StatedField[] {
    return (this.kept.log?.fields ?? []).filter(({ field }) => !this.kept.left.has(field));
  }

  private get sure(): boolean {
    return this.kept.confirmed || this.taken.some(({ field }) => field.startsWith('model.'));
  }

  /** Takes a text. @param arrived whether it came from outside the box, so that its reader is brought here */
  private async read(text: string, arrived = false): Promise<void> {
    clearTimeout(this.typing);
    const mine = (this.kept = Object.assign(new Kept(), { text }));
    kept.set(this.calculator, mine);
    this.held = this.failure = undefined;
    this.offers = new Map();
    this.question.text = ''; // what was asked before was of another text
    this.requestUpdate();
    if (arrived) void this.updateComplete.then(() => this.scrollIntoView({ block: 'nearest' }));
    if (text.trim() === '') return;
    void this.calculator.models.list(); // the text names one
    await readLog(text, assets()).then(
      (log) => (mine.log = log),
      () => (this.failure = notLoaded),
    );
    if (this.kept !== mine) return; // another text came meanwhile
    this.requestUpdate();
    if (mine.log) this.calculator.announced = this.toolText(mine.log);
  }

  private typed(event: Event): void {
    const { value } = event.target as HTMLTextAreaElement;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.read(value), rest);
  }

  private async picked(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = ''; // the same file may be picked again
    if (files.length > 0) await this.read((await Promise.all(files.map(textOf))).join('\n'));
  }

  /** Asks the engine where anything has changed that it answers. */
  private ask(): void {
    const { calculator: c, taken, sure } = this;
    const { log } = this.kept;
    if (!log || !sure || log.figures.length === 0 || c.mistakes.size > 0) {
      this.held = undefined;
      return;
    }
    const state = withLog(c.tables, c.state, taken);
    this.question.put(requestWith(state, taken), this.held ? rest : 0, async (text) => {
      const wanted = () => this.question.wants(text) && this.kept.log === log;
      const asking = { engine: await c.asking.loaded(), tables: c.tables, log, taken };
      const found = await held(asking, state);
      if (!wanted()) return;
      this.held = found;
      const limit = c.model?.context ?? usualLimit;
      for (const open of Object.keys(asked) as Open[]) {
        if (!log.open?.includes(open) || state.task === 'training') continue;
        const values = await offered(asking, state, open, limit, wanted);
        if (!wanted()) return;
        this.offers = new Map(this.offers).set(open, values);
      }
    });
  }

  private toolText({ tool, version, figures }: ReconcileReply): string {
    const { t } = this.calculator.texts;
    const name = tool === null ? t('reconcile.unknown') : `${toolName(this.calculator, tool)} ${version ?? ''}`.trim();
    return `${name} · ${t('reconcile.count', { count: this.format.count(figures.length) })}`;
  }

  private inputView(): TemplateResult {
    const { t } = this.calculator.texts;
    const { text } = this.kept;
    const long = text.length > longestShown;
    return html`<div class="input">
      <label for="log">${t('reconcile.text')}</label>
      <textarea
        id="log"
        rows="6"
        spellcheck="false"
        autocomplete="off"
        placeholder=${t('reconcile.placeholder')}
        .value=${live(long ? '' : text)}
        @input=${(event: Event) => this.typed(event)}
      ></textarea>
      ${long ? html`<p class="hint">${t('reconcile.long', { size: this.format.bytes(text.length) })}</p>` : nothing}
      <div class="actions">
        <label class="file"><input type="file" multiple @change=${(event: Event) => this.picked(event)} /><span>${t('reconcile.file')}</span></label>
        ${text ? html`<button type="button" data-act="clear" @click=${() => this.read('')}>${t('reconcile.clear')}</button>` : nothing}
      </div>
      <p class="hint">${t('reconcile.stays')}</p>
    </div>`;
  }

  private logView(log: ReconcileReply): TemplateResult {
    const { calculator: c, taken, sure, offers } = this;
    const shown: Shown = { c, log, taken, sure, offers, held: this.held, state: withLog(c.tables, c.state, taken) };
    const toggle = (field: string) => {
      const left = new Set(this.kept.left);
      if (!left.delete(field)) left.add(field);
      this.kept.left = left;
      this.requestUpdate();
    };
    const confirm = () => {
      this.kept.confirmed = true;
      this.requestUpdate();
    };
    return html`<p class="tool"><strong>${this.toolText(log)}</strong></p>
      ${failureView(shown)} ${statedView(shown, toggle)} ${openView(shown, confirm)} ${figuresView(shown)}
      ${rowView(shown, () => this.requestUpdate())}`;
  }

  override render() {
    const { calculator: c, failure } = this;
    const { log } = this.kept;
    return html`${this.inputView()} ${failure ? html`<p class="error">${errorText(c, failure)}</p>` : nothing} ${log ? this.logView(log) : nothing}
    ${measuringView(c)}`;
  }
}

/** What a tool printed, held against the form of a calculator. */
export const reconcileView = (c: Calculator): TemplateResult => {
  if (!customElements.get('plimsoll-reconcile')) customElements.define('plimsoll-reconcile', Reconcile);
  const { pasted, format, state, asking, later } = c;
  return html`<plimsoll-reconcile
    .calculator=${c}
    .format=${format}
    .pasted=${pasted}
    .form=${state}
    .answer=${asking.answer}
    .ways=${later.got.ways}
  ></plimsoll-reconcile>`;
};
