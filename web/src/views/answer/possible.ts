// <plimsoll-possible>: under the verdict, what else would fit, each a button that takes it. Every figure is the engine's search.

import { html, LitElement, nothing } from 'lit';
import { findPossible, fits, type Possible } from '../../answers/possible.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { Format } from '../../languages/format.ts';
import type { Key } from '../../languages/i18n.ts';
import { field, type FieldId, pathOf } from '../../state/fields.ts';
import { request } from '../../state/request.ts';
import type { State } from '../../state/state.ts';
import { possibleStyles } from '../../styles/answer/possible.ts';
import { showTab } from '../tabs.ts';
import { Question } from '../choosing/question.ts';

/** Milliseconds that a hand rests before the search begins. */
const rest = 250;

export class PossibleAnswers extends LitElement {
  static override styles = possibleStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    found: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  declare found: readonly Possible[] | undefined;

  private readonly question = new Question(this);
  private current = '';

  override willUpdate(): void {
    const { state, mistakes } = this.calculator;
    if (mistakes.size === 0) this.question.put(request(state, 'none'), rest, (question) => this.ask(question, state));
  }

  private async ask(question: string, state: State): Promise<void> {
    const { asking, tables } = this.calculator;
    const engine = await asking.loaded();
    const wanted = () => this.question.wants(question);
    if (!wanted()) return;
    if (!asking.idle || !asking.answer) return this.question.later(rest, () => this.ask(question, state));
    const found = await findPossible(engine, tables, state, asking.answer, (id) => this.own(id), wanted);
    if (!wanted()) return;
    this.found = found;
    this.current = question;
  }

  /** What holds of a field: the chosen value, or what the engine assumed. */
  private own(id: FieldId): unknown {
    const assumed = this.answer.assumptions?.find((one) => one.field === pathOf(field(id)));
    return this.calculator.state.values[id] ?? assumed?.value;
  }

  /** A value as people name it. */
  private said({ id, value }: Possible): string {
    const { tables } = this.calculator;
    if (typeof value === 'number') return this.format.count(value);
    const named = id === 'device.preset' ? tables?.devices : tables?.encodings;
    return named?.find((one) => one.id === value)?.name ?? String(value);
  }

  private textOf(one: Possible): string {
    const { t } = this.calculator.texts;
    const length = Number(this.own('inference.context') ?? 0);
    return t(`possible.${one.more ? 'more' : 'less'}.${one.id}` as Key, { value: this.said(one), length: this.format.count(length) });
  }

  private view(one: Possible) {
    const { calculator: c } = this;
    const text = this.textOf(one);
    const take = () => {
      c.set(one.id, one.value);
      c.announced = text;
    };
    return html`<li data-possible=${one.id} data-value=${String(one.value)}>
      <button type="button" ?disabled=${c.isLocked(one.id)} @click=${take}>${text}</button>
    </li>`;
  }

  /** Where no one change is enough, the way to several together. */
  private further() {
    const { calculator: c } = this;
    return html`<li><button type="button" @click=${() => showTab(c, 'ways')}>${c.texts.t('ways.fold.less')}</button></li>`;
  }

  override render() {
    if (this.question.failed) return this.question.missedView(this.calculator);
    if (!this.found) return nothing;
    const more = fits(this.answer);
    const none = this.found.length === 0;
    if (more && none) return nothing;
    const { t } = this.calculator.texts;
    const title = none ? t('possible.title_none') : t(more ? 'possible.title_more' : 'possible.title_less');
    return html`<section aria-label=${title} class=${this.current === this.question.text ? '' : 'stale'}>
      <h2>${title}</h2>
      <ul>
        ${none ? this.further() : this.found.map((one) => this.view(one))}
      </ul>
    </section>`;
  }
}

export function definePossible(): void {
  if (!customElements.get('plimsoll-possible')) customElements.define('plimsoll-possible', PossibleAnswers);
}

/** The element for one answer. */
export const possibleView = (c: Calculator, answer: Answer) =>
  html`<plimsoll-possible .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-possible>`;

definePossible();
