// <plimsoll-speed>: one line under the verdict, of how fast it runs. Asked of the engine when the hand rests.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { answerWithTime, timedRequest } from '../../answers/asking/timed.ts';
import type { ReplyTime } from '../../engine/wire.d.ts';
import type { Format } from '../../languages/format.ts';
import type { State } from '../../state/state.ts';
import { lineStyles } from '../../styles/answer/time.ts';
import { valueOf } from '../form/field.ts';
import { Question } from '../choosing/question.ts';
import { showTab } from '../tabs.ts';
import { facts, whyText } from './said.ts';

/** Milliseconds that a hand rests before it is asked anew. */
const rest = 150;

export class Speed extends LitElement {
  static override styles = lineStyles;
  static override properties = {
    calculator: { attribute: false },
    state: { attribute: false },
    format: { attribute: false },
    time: { state: true },
  };

  declare calculator: Calculator;
  declare state: State;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** What the engine says of time; undefined until it has answered. */
  declare time: ReplyTime | undefined;

  private readonly question = new Question(this);
  private current = '';

  override willUpdate(): void {
    const { state } = this;
    if (this.calculator.mistakes.size === 0) this.question.put(timedRequest(state, 'none'), this.time ? rest : 0, (question) => this.ask(question));
  }

  private async ask(question: string): Promise<void> {
    const { calculator: c, state } = this;
    const answer = await answerWithTime(await c.asking.loaded(), state, 'none');
    if (!this.question.wants(question)) return;
    this.time = answer?.time;
    this.current = question;
    this.requestUpdate();
  }

  private said(time: ReplyTime): TemplateResult {
    const { calculator: c } = this;
    const { t } = c.texts;
    const { limit, said } = facts(c, time, Number(valueOf(c, 'inference.sequences') ?? 1) > 1);
    if (said.length === 0) return html`<span>${time.why ? t('time.untold', { why: whyText(c, time.why) }) : t('time.none')}</span>`;
    return html`<strong>${t('time.line')}</strong>
      ${limit ? html`<span class="limit" title=${t('time.limit.title')}>${t('time.limit')}</span>` : nothing} <span>${said.join(' · ')}</span>
      <button type="button" @click=${() => void showTab(c, 'time')}>${t('time.details')}</button>`;
  }

  override render() {
    const { time } = this;
    if (this.question.failed) return this.question.missedView(this.calculator);
    if (!time) return nothing;
    return html`<p class=${this.current === this.question.text ? '' : 'stale'} data-value=${time.tokens_per_second?.value ?? nothing}>
      ${this.said(time)}
    </p>`;
  }
}
