// <plimsoll-comparison>: two to four configurations side by side: totals, bars at one scale, rows aligned by id with what
// makes each difference, and what differs of settings and assumptions. The lining up is the command line's own.

import '../../languages/texts-choosing.ts';
import '../../languages/texts-time.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { Comparing, type SideBySide } from '../../answers/pinned.ts';
import type { Calculator } from '../../app/calculator.ts';
import { headline } from '../../engine/reply.ts';
import type { Format } from '../../languages/format.ts';
import { changedParts } from '../../state/history.ts';
import type { FieldId } from '../../state/fields.ts';
import { request } from '../../state/request.ts';
import { counts, type Pin, type State } from '../../state/state.ts';
import { comparisonStyles } from '../../styles/choosing/comparison.ts';
import { comparedBars } from './compared-bars.ts';
import { comparedTable } from './compared-table.ts';
import { comparedSpeed as speedView } from '../time/compared.ts';
import { fieldName, saidValue, titleOf } from './naming.ts';
import { Question } from './question.ts';

/** Milliseconds that a hand rests before the configuration in the form is compared anew. */
const rest = 150;

/** What holds a column: a pinned configuration, or the one in the form. */
export interface Column {
  name: string;
  state: State;
  /** Among the pinned ones. */
  at?: number;
}

export class Comparison extends LitElement {
  static override styles = comparisonStyles;
  static override properties = {
    calculator: { attribute: false },
    format: { attribute: false },
    pins: { attribute: false },
    state: { attribute: false },
    found: { state: true },
    whole: { state: true },
    timed: { state: true },
  };

  declare calculator: Calculator;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  declare pins: readonly Pin[];
  declare state: State;
  declare found: SideBySide | undefined;
  /** Whether parts that are the same everywhere are shown as well. */
  declare whole: boolean;
  /** Whether speeds are told, too. */
  declare timed: boolean;

  private comparing = new Comparing();
  private readonly question = new Question(this);
  private current = '';

  constructor() {
    super();
    this.whole = false;
    this.timed = false;
  }

  private get states(): State[] {
    return [...this.pins.map(({ state }) => state), this.state];
  }

  get columns(): Column[] {
    const { t } = this.calculator.texts;
    const pinned = this.pins.map(({ name, state }, at) => ({ name: name || t('comparison.pinned', { number: at + 1 }), state, at }));
    return [...pinned, { name: t('comparison.now'), state: this.state }];
  }

  override willUpdate(): void {
    const question = [this.timed, ...this.states.map((state) => request(state, 'none'))].join('\n');
    if (this.calculator.mistakes.size > 0) return;
    this.question.put(question, this.found ? rest : 0, (text) => this.ask(text));
  }

  private async ask(question: string): Promise<void> {
    void this.calculator.models.list().then(() => this.requestUpdate());
    const engine = await this.calculator.asking.loaded();
    const found = await this.comparing.ask(engine, this.states, () => this.question.wants(question), this.timed);
    if (!found) return;
    this.found = found;
    this.current = question;
  }

  private rename(at: number, name: string): void {
    const { calculator: c } = this;
    c.pins = c.pins.map((pin, index) => (index === at ? { ...pin, name } : pin));
  }

  private unpin({ name, at }: Column): void {
    const { calculator: c } = this;
    c.pins = c.pins.toSpliced(at!, 1);
    c.announced = c.texts.t('comparison.removed', { name });
    // The button that had the focus goes with what it removed.
    void c.updateComplete.then(() => c.renderRoot.querySelector<HTMLElement>('[data-tool="pin"]')?.focus({ preventScroll: true }));
  }

  private headView(column: Column, at: number): TemplateResult {
    const { calculator: c } = this;
    const { t, name } = c.texts;
    const { answer, error } = this.found?.all[at] ?? {};
    const open = () => {
      c.state = column.state;
      c.announced = t('recent.opened', { name: column.name });
    };
    const verdict = answer?.fit?.verdict;
    return html`<li data-compared=${at} data-total=${answer ? headline(answer).bytes : nothing}>
      ${
        column.at === undefined
          ? html`<h3>${column.name}</h3>`
          : html`<input
              type="text"
              aria-label=${t('comparison.name', { name: column.name })}
              placeholder=${t('comparison.pinned', { number: column.at + 1 })}
              .value=${this.pins[column.at]!.name}
              @change=${(event: Event) => this.rename(column.at!, (event.target as HTMLInputElement).value.trim())}
            />`
      }
      <p class="title">${titleOf(c, column.state, answer?.model?.name)}</p>
      ${answer ? html`<p class="total"><strong>${this.format.bytes(headline(answer).bytes)}</strong>${verdict ? html` <span class="badge ${verdict.replaceAll(' ', '-')}">${name('verdict', verdict)}</span>` : nothing}</p>` : nothing}
      ${answer && this.timed ? speedView(c, column.state, answer) : nothing} ${error ? html`<p class="error">${error.what}</p>` : nothing}
      ${
        column.at === undefined
          ? nothing
          : html`<p class="actions">
              <button type="button" aria-label=${t('comparison.open.title', { name: column.name })} @click=${open}>${t('comparison.open')}</button>
              <button type="button" aria-label=${t('comparison.remove.title', { name: column.name })} @click=${() => this.unpin(column)}>
                ${t('comparison.remove')}
              </button>
            </p>`
      }
    </li>`;
  }

  /** Speeds are asked for where somebody wants them alone: it takes the whole engine. */
  private timedView(): TemplateResult {
    const toggle = (event: Event) => (this.timed = (event.target as HTMLInputElement).checked);
    return html`<label class="whole"
      ><input type="checkbox" .checked=${this.timed} @change=${toggle} /> ${this.calculator.texts.t('time.compare')}</label
    >`;
  }

  /** Fields whose values are not the same in all configurations. */
  private settingsView(): TemplateResult | typeof nothing {
    const { calculator: c, states } = this;
    const { t } = c.texts;
    const parts = new Set(states.flatMap((state) => changedParts(states[0]!, state)));
    const ids = [...parts].filter((part): part is FieldId => part.includes('.') || part === 'devices');
    const shown = ids.filter((id) => states.some((state) => counts(state, id) && state.values[id] !== undefined));
    if (shown.length === 0) return nothing;
    const said = (state: State, id: FieldId) => {
      const value = counts(state, id) ? state.values[id] : undefined;
      return value === undefined ? t('comparison.unset') : saidValue(c, id, value);
    };
    return html`<h3>${t('comparison.settings')}</h3>
      <dl class="settings">
        ${shown.map(
          (id) =>
            html`<div data-setting=${id}>
              <dt>${fieldName(c, id)}</dt>
              <dd>${states.map((state) => said(state, id)).join(' → ')}</dd>
            </div>`,
        )}
      </dl>`;
  }

  override render() {
    const { found, columns } = this;
    const answered = columns.filter((_, at) => found?.all[at]?.answer);
    const fresh = this.current === this.question.text;
    return html`<div class=${fresh ? '' : 'stale'} data-complete=${fresh}>
      ${this.question.missedView(this.calculator)}
      <ul class="heads">
        ${columns.map((column, at) => this.headView(column, at))}
      </ul>
      ${this.calculator.time ? this.timedView() : nothing} ${found ? comparedBars(this, answered) : nothing} ${this.settingsView()}
      ${found?.compared ? comparedTable(this, found.compared, answered) : nothing}
    </div>`;
  }
}

export function comparisonView(c: Calculator): TemplateResult {
  if (!customElements.get('plimsoll-comparison')) customElements.define('plimsoll-comparison', Comparison);
  return html`<section class="card" aria-labelledby="comparison-title">
    <h2 id="comparison-title">${c.texts.t('comparison.title')}</h2>
    <plimsoll-comparison .calculator=${c} .format=${c.format} .pins=${c.pins} .state=${c.state}></plimsoll-comparison>
  </section>`;
}
