// <plimsoll-time>: what the fold of times shows. Asked of the engine with its formulas, when the hand rests.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { defineRoofline, type Roofline } from '../../charts/roofline.ts';
import { defineSpeeds } from '../../charts/speeds.ts';
import type { Answer } from '../../engine/reply.ts';
import { answerWithTime, timedRequest } from '../../answers/asking/timed.ts';
import type { PassTime, ReplyTime } from '../../engine/wire.d.ts';
import type { Format } from '../../languages/format.ts';
import type { State } from '../../state/state.ts';
import { timeStyles } from '../../styles/answer/time.ts';
import { Question } from '../choosing/question.ts';
import { strip } from '../form/strip.ts';
import { SpeedCurve } from './curve.ts';
import { daysView } from './days.ts';
import { defineLimits } from './limits.ts';
import { passesView } from './passes.ts';
import { priceView, type Typed } from './price.ts';
import { rooflineOf, rooflineView } from './roofline.ts';
import { timeRows } from './rows.ts';
import { whyText } from './said.ts';

/** Milliseconds that a hand rests before it is asked anew. */
const rest = 150;

const passes = ['token', 'prefill', 'step'] as const;
type Pass = (typeof passes)[number];

export class TimeBody extends LitElement {
  static override styles = timeStyles;
  static override properties = {
    calculator: { attribute: false },
    state: { attribute: false },
    format: { attribute: false },
    timed: { state: true },
    refused: { state: true },
    pass: { state: true },
    open: { state: true },
    typed: { state: true },
  };

  declare calculator: Calculator;
  declare state: State;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** The answer with its times. */
  declare timed: Answer | undefined;
  /** Whether the engine refused to tell. */
  declare refused: boolean;
  /** What kept the engine from being asked, as without a network. */
  declare pass: Pass;
  /** Ids of the rows that stand open. */
  declare open: ReadonlySet<string>;
  declare typed: Typed;

  private readonly question = new Question(this);
  private current = '';
  private drawing: { of: unknown[]; roofline: Roofline | undefined } | undefined;

  constructor() {
    super();
    this.pass = 'token';
    this.open = new Set();
    this.typed = { hour: '', watts: '' };
    this.refused = false;
    defineRoofline();
    defineSpeeds();
    defineLimits();
    if (!customElements.get('plimsoll-speed-curve')) customElements.define('plimsoll-speed-curve', SpeedCurve);
  }

  override willUpdate(): void {
    const { state } = this;
    if (this.calculator.mistakes.size === 0) this.question.put(timedRequest(state, 'all'), this.timed ? rest : 0, (question) => this.ask(question));
  }

  private async ask(question: string): Promise<void> {
    const { calculator: c, state } = this;
    const answer = await answerWithTime(await c.asking.loaded(), state, 'all');
    if (!this.question.wants(question)) return;
    this.timed = answer;
    this.refused = !answer?.time;
    this.current = question;
    this.requestUpdate();
  }

  private toggle(id: string): void {
    const open = new Set(this.open);
    if (!open.delete(id)) open.add(id);
    this.open = open;
  }

  /** The same object as long as nothing in it has changed: another is drawn anew. */
  private roofline(pass: PassTime): Roofline | undefined {
    const of = [this.timed, pass, this.format];
    if (!this.drawing?.of.every((one, at) => one === of[at])) this.drawing = { of, roofline: rooflineOf(this.calculator, this.timed!, pass) };
    return this.drawing.roofline;
  }

  /** One pass, with a choice where several are told. */
  private passView(time: ReplyTime): TemplateResult | typeof nothing {
    const { calculator: c } = this;
    const told = passes.filter((id) => time[id]);
    const chosen = told.includes(this.pass) ? this.pass : told[0];
    if (!chosen) return nothing;
    const pass = time[chosen]!;
    const options = told.map((id) => [id, c.texts.t(`time.pass.${id}`)] as const);
    return html`${told.length > 1 ? strip<Pass>('time-pass', c.texts.t('time.choose'), options, chosen, (id) => (this.pass = id)) : nothing}
    ${timeRows(c, this.timed!, pass, this.open, (id) => this.toggle(id))} ${rooflineView(c, pass, this.roofline(pass))}`;
  }

  private curveView(): TemplateResult {
    const { calculator: c } = this;
    return html`<section aria-labelledby="speed-curve-title">
      <h3 id="speed-curve-title">${c.texts.t('time.curve')}</h3>
      <plimsoll-speed-curve .calculator=${c} .format=${this.format} .state=${this.state}></plimsoll-speed-curve>
    </section>`;
  }

  private limitsView(): TemplateResult {
    return html`<plimsoll-limits .calculator=${this.calculator} .format=${this.format} .state=${this.state}></plimsoll-limits>`;
  }

  override render() {
    const { calculator: c } = this;
    const { t } = c.texts;
    const time = this.timed?.time;
    if (this.refused) return html`<p>${t('time.none')}</p>`;
    if (this.question.failed) return this.question.missedView(c);
    if (!time) return html`<p>${t('time.computing')}</p>`;
    if (!time.roof) return html`<p>${time.why ? t('time.untold', { why: whyText(c, time.why) }) : t('time.none')}</p>`;
    const hasRate = time.roof.tokens_per_second !== undefined || time.tokens_per_second !== undefined;
    return html`<div class=${this.current === this.question.text ? '' : 'stale'} data-complete=${this.current === this.question.text}>
      ${passesView(c, time)} ${this.state.task === 'training' ? daysView(c) : nothing} ${this.passView(time)}
      ${this.state.task === 'inference' ? this.curveView() : nothing} ${this.limitsView()}
      ${hasRate ? priceView(c, time, this.typed, (typed) => (this.typed = typed)) : nothing}
    </div>`;
  }
}
